// How much of a work in several steps is done, and how long the rest of it may take.
//
// Steps are expected in an order, each with its share of the whole work. One that does not come is
// skipped, and one that nobody expected takes a tenth of what is left. What is said of the work
// never goes back: the share that is done does not fall, and the time left does not grow.
//
// One thread at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

struct WorkStep {
  std::string_view name;
  double share = 1;  // in any unit
};

class WorkProgress {
 public:
  explicit WorkProgress(std::vector<WorkStep> steps) : steps_(std::move(steps)) {}

  // All steps come anew, as for each of several inputs: this is part `part` of so many, which are
  // taken for as much work each.
  void begin_part(std::size_t part, std::size_t parts);
  // The step before it is over. Seconds are from any moment on.
  void begin_step(std::string_view name, double seconds);
  void advance(double share_of_step, double seconds);

  double share() const { return share_; }  // of the whole work, up to 1
  // Not known before enough is done to tell.
  std::optional<double> seconds_left() const { return seconds_left_; }

 private:
  std::vector<WorkStep> steps_;
  std::size_t next_ = 0;        // the first one that is still expected
  double part_end_ = 1;         // of the whole work
  double begin_ = 0, end_ = 0;  // of the step
  double share_ = 0;
  std::optional<double> first_seconds_, seconds_left_;
};

}  // namespace tracefold
