#include "model/summary/accelerator_calls.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace tracefold {

namespace {

using namespace otf2_value;

template <std::size_t N>
bool begins_with_any(std::string_view name, const std::array<std::string_view, N>& words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return name.starts_with(word); });
}

bool is_capital(std::string_view name, std::size_t at) {
  return name.size() > at && std::isupper(static_cast<unsigned char>(name[at])) != 0;
}

// cudaMalloc, hipLaunchKernel, acc_wait, cuMemAlloc, clFinish
bool has_name_of_accelerator(std::string_view name) {
  return (name.starts_with("cuda") && is_capital(name, 4)) ||
         (name.starts_with("hip") && is_capital(name, 3)) || name.starts_with("acc_") ||
         ((name.starts_with("cu") || name.starts_with("cl")) && is_capital(name, 2));
}

}  // namespace

bool is_of_accelerator(const Function& function) {
  if (waits_for_accelerator(function) || may_wait_for_accelerator(function))
    return true;
  switch (function.paradigm) {
    case paradigm_cuda:
    case paradigm_hip:
    case paradigm_opencl:
    case paradigm_openacc: return true;
    case paradigm_unknown: return has_name_of_accelerator(function.name);
    default: return false;
  }
}

bool waits_for_accelerator(const Function& function) {
  constexpr std::array<std::string_view, 10> interfaces{
      "cudaDevice", "cudaStream", "cudaEvent", "cudaThread", "cuCtx",
      "cuStream",   "cuEvent",    "hipDevice", "hipStream",  "hipEvent"};
  constexpr std::array<std::string_view, 3> others{"zeCommandQueue", "zeEventHost", "zeFenceHost"};
  const std::string_view name = function.name;
  if (begins_with_any(name, interfaces) || begins_with_any(name, others))
    return name.find("Synchronize") != std::string_view::npos;
  return name == "clFinish" || name == "clWaitForEvents";
}

bool may_wait_for_accelerator(const Function& function) {
  constexpr std::array<std::string_view, 3> copies{"cuMemcpy", "cudaMemcpy", "hipMemcpy"};
  const std::string_view name = function.name;
  if (begins_with_any(name, copies))
    return name.find("Async") == std::string_view::npos;
  return name == "clEnqueueReadBuffer" || name == "clEnqueueWriteBuffer";
}

StreamWork find_stream_work(const Function& function) {
  constexpr std::array<std::string_view, 4> idle{"COMPUTE IDLE", "PURE IDLE", "gpu_idle", "idle"};
  if (std::find(idle.begin(), idle.end(), function.name) != idle.end())
    return StreamWork::idle;
  const auto name = to_lower(function.name);
  if (function.role == region_role_data_transfer || name.find("memcpy") != std::string::npos)
    return StreamWork::copy;
  // NCCL's kernels, and RCCL's, which have the same names.
  if (name.find("ncclkernel") != std::string::npos || name.find("nccldev") != std::string::npos)
    return StreamWork::communication;
  return StreamWork::kernel;
}

}  // namespace tracefold
