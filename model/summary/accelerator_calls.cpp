#include "model/summary/accelerator_calls.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

namespace {

template <std::size_t N>
bool begins_with_any(std::string_view name, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return name.starts_with(word); });
}

}  // namespace

bool waits_for_accelerator(std::string_view function) {
  constexpr std::array<std::string_view, 7> interfaces{
      "cudaDevice", "cudaStream", "cudaEvent", "cudaThread", "cuCtx", "cuStream", "cuEvent"};
  constexpr std::array<std::string_view, 6> others{"hipDevice",      "hipStream",   "hipEvent",
                                                   "zeCommandQueue", "zeEventHost", "zeFenceHost"};
  if (begins_with_any(function, interfaces) || begins_with_any(function, others))
    return function.find("Synchronize") != std::string_view::npos;
  return function == "clFinish" || function == "clWaitForEvents";
}

bool may_wait_for_accelerator(std::string_view function) {
  constexpr std::array<std::string_view, 3> copies{"cuMemcpy", "cudaMemcpy", "hipMemcpy"};
  if (begins_with_any(function, copies))
    return function.find("Async") == std::string_view::npos;
  return function == "clEnqueueReadBuffer" || function == "clEnqueueWriteBuffer";
}

bool is_idle_region(std::string_view function) {
  constexpr std::array<std::string_view, 4> names{"COMPUTE IDLE", "PURE IDLE", "gpu_idle", "idle"};
  return std::find(names.begin(), names.end(), function) != names.end();
}

}  // namespace tracefold
