// A request to stop: signal handlers set it, and long loops check it.
#pragma once

#include "base/error.hpp"

#include <atomic>

namespace tracefold {

inline std::atomic<int> stop_signal{0};  // the signal's number, 0 while there was none

// Throws Error(interrupted) once a stop was asked for.
inline void check_stop() {
  if (stop_signal.load(std::memory_order_relaxed) != 0)
    throw Error(ErrorKind::interrupted, "interrupted, nothing was written");
}

}  // namespace tracefold
