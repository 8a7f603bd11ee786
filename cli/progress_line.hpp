// The line on a terminal that says how far a command is: one for all its readings of the trace,
// with the share of the whole work that is done, the time left, and what is done now.
//
// Any thread may tell how far a pass is.
#pragma once

#include "base/work_progress.hpp"

#include <cstddef>
#include <mutex>
#include <string>

namespace tracefold::cli {

class ProgressLine {
 public:
  // `command` is its name, which says which readings to expect.
  explicit ProgressLine(const std::string& command);

  // The command reads several traces, one after the other.
  void begin_trace(std::size_t trace, std::size_t traces);
  void name_trace(const std::string& name);
  void show(const std::string& pass, std::size_t done, std::size_t all, double seconds);
  // Removes it from the screen.
  void clear();

 private:
  std::mutex mutex_;
  WorkProgress progress_;
  std::string trace_;       // that is read; empty: not known
  double last_drawn_ = -1;  // seconds
  bool is_drawn_ = false;
};

}  // namespace tracefold::cli
