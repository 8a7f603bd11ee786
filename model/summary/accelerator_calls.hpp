// What functions of accelerator interfaces, and what runs on their streams, do: told by paradigm
// and role, and by names where these do not say it. The names of functions that wait are those of
// the interfaces, whatever recorded them. Pure functions.
#pragma once

#include "model/profile/intent.hpp"

#include <cstdint>

namespace tracefold {

// Whether it is a function of an interface for accelerators (CUDA, HIP, OpenCL, OpenACC).
bool is_of_accelerator(const Function& function);
// Whether it only waits until work on an accelerator is done: cudaStreamSynchronize,
// hipEventSynchronize, clFinish and the like.
bool waits_for_accelerator(const Function& function);
// Whether it copies synchronously and may first wait for an accelerator: cuMemcpyDtoH_v2,
// clEnqueueReadBuffer and the like.
bool may_wait_for_accelerator(const Function& function);

// What a region on a stream does. `idle`: some recorders write such a region while nothing runs.
enum class StreamWork : std::uint8_t { kernel, copy, communication, idle };
StreamWork find_stream_work(const Function& function);

}  // namespace tracefold
