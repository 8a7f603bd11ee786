// What functions of accelerator interfaces do, judged by their names. Pure functions.
#pragma once

#include <string_view>

namespace tracefold {

// Whether it only waits until work on an accelerator is done: cudaStreamSynchronize,
// hipEventSynchronize, clFinish and the like.
bool waits_for_accelerator(std::string_view function);
// Whether it copies synchronously and may first wait for an accelerator: cuMemcpyDtoH_v2,
// clEnqueueReadBuffer and the like.
bool may_wait_for_accelerator(std::string_view function);
// Whether some recorders write this region on a stream while nothing runs there.
bool is_idle_region(std::string_view function);

}  // namespace tracefold
