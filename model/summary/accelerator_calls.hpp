// What calls of programming interfaces for accelerators do, as their names tell. Pure and
// thread-safe.
#pragma once

#include <string_view>

namespace tracefold {

// Waits until work on an accelerator is done, and does nothing else: cudaStreamSynchronize,
// hipEventSynchronize, clFinish and the like.
bool waits_for_accelerator(std::string_view function);
// Copies, and may wait before that until work on an accelerator is done: cuMemcpyDtoH_v2,
// clEnqueueReadBuffer and the like, but none that is asynchronous.
bool may_wait_for_accelerator(std::string_view function);
// What some recorders write on a stream while nothing runs on it.
bool is_idle_region(std::string_view function);

}  // namespace tracefold
