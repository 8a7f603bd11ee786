// Differences between times in iterations and in the kept iterations that stand for them, by call
// path of a process. One thread at a time. Memory: 48 bytes for each call path.
#pragma once

#include "filters/errors/function_differences.hpp"
#include "filters/iterations/profile_sums.hpp"
#include "model/errors/time_kinds.hpp"
#include "model/profile/call_path_profile.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

class PathDifferences {
 public:
  explicit PathDifferences(const MetricColumns& columns);

  // Adds an iteration and the kept one that stands for it.
  void add(const CallPathProfile& original, const ProfileSums& standing);
  // Adds the differences to those of functions. `paths` are all call paths of the process, by
  // number.
  void add_to(FunctionDifferences& functions, std::span<const CallPath> paths) const;

  // The time in all iterations that were added.
  Wide all_time() const { return all_time_; }

 private:
  enum class TimePart : std::uint8_t { none, execution, in_mpi, waiting };

  // Parts of execution time, summed over columns.
  struct Times {
    std::uint64_t execution = 0, in_mpi = 0, waiting = 0;

    KindTimes split() const { return split_time(execution - in_mpi, in_mpi, waiting); }
  };
  void add_value(Times& times, std::size_t column, std::uint64_t value) const;
  Times read_row(const CallPathProfile& profile, std::size_t row) const;
  Times read_row(const ProfileSums& profile, std::size_t row) const;
  void add(PathIndex path, const Times& own, const Times& standing);

  std::vector<TimePart> parts_;  // by column
  std::vector<KindSums> sums_;   // by path
  Wide all_time_ = 0;
};

}  // namespace tracefold
