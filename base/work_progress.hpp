// Estimates which share of a work of several steps is done, and how long the rest takes.
//
// Each expected step has its place and its share of the whole work. A step that does not come is
// skipped, and an unexpected one takes a tenth of what is left. The estimate never goes back: the
// share does not fall, and the time left does not grow.
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

  // The same steps come again for each of several inputs. This is input number `part` of `parts`,
  // and all of them count alike.
  void begin_part(std::size_t part, std::size_t parts);
  // Ends the step before it. `seconds` count from an arbitrary moment.
  void begin_step(std::string_view name, double seconds);
  void advance(double share_of_step, double seconds);

  double share() const { return share_; }  // of the whole work, up to 1
  // None while too little is done for an estimate.
  std::optional<double> seconds_left() const { return seconds_left_; }

 private:
  std::vector<WorkStep> steps_;
  std::size_t next_ = 0;        // the first step that is still expected
  double part_end_ = 1;         // of the whole work
  double begin_ = 0, end_ = 0;  // of the step
  double share_ = 0;
  std::optional<double> first_seconds_, seconds_left_;
};

}  // namespace tracefold
