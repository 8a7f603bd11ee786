// What all measured processes did together in each iteration of each loop, read from their events.
// Iterations are chosen by it, and errors on all processes measured.
//
// Memory: bytes_per_iteration() for each iteration that is held, and 16 bytes of each process for
// each column of counts. Any thread may add. The result does not depend on the number of threads.
//
// Source: dynamics 4.2.2 (errors of the mean and of the maximum over processes).
#pragma once

#include "filters/iterations/errors/joint_totals.hpp"
#include "pipeline/iterations/iteration_readings.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tracefold {

class MeasuredTotals {
 public:
  // The readings must stay.
  explicit MeasuredTotals(const IterationReadings& readings);
  MeasuredTotals(const MeasuredTotals&) = delete;
  MeasuredTotals& operator=(const MeasuredTotals&) = delete;

  // Makes room for all iterations: as measuring needs them where a quarter of the memory limit
  // holds that, else as choosing does.
  void hold_all();
  // Makes room for a window of all loops and, by loop, for some iterations besides, as measuring
  // needs them. Forgets what was added.
  void hold_window(IterationWindow window, const std::vector<std::vector<std::uint32_t>>& besides) {
    hold(TotalsDetail::measuring, window, besides);
  }
  std::uint64_t bytes_per_iteration(TotalsDetail detail) const {
    return JointTotals::bytes_per_iteration(form_, detail);
  }

  // Whether anything is held, and whether in enough detail for measuring errors.
  bool can_choose() const { return !totals_.empty(); }
  bool can_measure() const { return can_choose() && detail_ == TotalsDetail::measuring; }

  // What a measured process did in an iteration, which counts through all loops. Without effect
  // where nothing is held.
  void add(const SeriesIteration& it);
  void add(std::size_t process, std::size_t iteration, const WideSums& columns);
  // Reads those of these processes that are this process's own, where a team reads them, and adds
  // what they did.
  void read_own(const std::vector<std::size_t>& processes);
  // What the members of a team have added is known to all of them then. Call once for each
  // window, after the last was added.
  void share(Team* team);

  const JointTotals& of_loop(std::size_t loop) const { return *totals_[loop]; }

 private:
  void hold(TotalsDetail detail, IterationWindow window,
            const std::vector<std::vector<std::uint32_t>>& besides);

  const IterationReadings& readings_;
  const CondensedForm form_;
  TotalsDetail detail_ = TotalsDetail::measuring;
  std::vector<std::optional<JointProcess>> processes_;  // by process of the plan: the measured
  std::vector<std::unique_ptr<JointTotals>> totals_;    // by loop; empty: nothing is held
};

}  // namespace tracefold
