// Runs work in a child process, so that a crash or the end of memory does not end this process, and
// so that the work can be killed when its time is over.
//
// The child is a copy of this process (fork), so no other thread may run when it is made.
#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace tracefold {

using Moment = std::chrono::steady_clock::time_point;

// Sends a line of text, without its end, to the parent. A line that cannot be sent is lost.
using SendLine = std::function<void(const std::string& line)>;

struct ChildLimits {
  Moment stop;  // the child is asked to stop, as by a signal
  Moment end;   // the child is killed
};

struct ChildEnd {
  std::string line;  // the last whole line that the child sent; empty where there was none
  bool ran_out_of_time = false;
  bool was_interrupted = false;  // this process was asked to stop (stop_signal) while it ran
  int signal = 0;                // that ended the child; 0: it ended by itself
};

// Runs work(send) in a child, without standard streams, and waits for its end. A request to stop
// goes to the child, which then has a second. Throws Error(output) where no process can be made.
ChildEnd run_in_child(const std::function<void(const SendLine& send)>& work,
                      const ChildLimits& limits);

}  // namespace tracefold
