// The totals of all measured processes, by iteration of each loop, read from their events. They are
// used to choose iterations and to measure errors.
//
// Memory: bytes_per_iteration() for each held iteration, and 16 bytes for each process and column
// of counts. Thread-safe. The result does not depend on the number of threads.
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
  // The readings must outlive this.
  explicit MeasuredTotals(const IterationReadings& readings);
  MeasuredTotals(const MeasuredTotals&) = delete;
  MeasuredTotals& operator=(const MeasuredTotals&) = delete;

  // Makes room for all iterations: for measuring, if a quarter of the memory limit is enough,
  // otherwise for choosing.
  void hold_all();
  // Makes room, for measuring, for a window of all loops and some other iterations by loop. Drops
  // what was added.
  void hold_window(IterationWindow window, const std::vector<std::vector<std::uint32_t>>& besides) {
    hold(TotalsDetail::measuring, window, besides);
  }
  std::uint64_t bytes_per_iteration(TotalsDetail detail) const {
    return JointTotals::bytes_per_iteration(form_, detail);
  }

  // Whether anything is held, and whether in enough detail for measuring errors.
  bool can_choose() const { return !totals_.empty(); }
  bool can_measure() const { return can_choose() && detail_ == TotalsDetail::measuring; }

  // Adds an iteration of a measured process, numbered over all loops. Does nothing if nothing is
  // held.
  void add(const SeriesIteration& it);
  void add(std::size_t process, std::size_t iteration, const WideSums& columns);
  // Reads and adds those of these processes that this process of a team owns.
  void read_own(const std::vector<std::size_t>& processes);
  // Shares what the members of a team have added. Call once for each window, after the last add().
  void share(Team* team);

  const JointTotals& of_loop(std::size_t loop) const { return *totals_[loop]; }

 private:
  void hold(TotalsDetail detail, IterationWindow window,
            const std::vector<std::vector<std::uint32_t>>& besides);

  const IterationReadings& readings_;
  const CondensedForm form_;
  TotalsDetail detail_ = TotalsDetail::measuring;
  std::vector<std::optional<JointProcess>> processes_;  // by process of the plan, for measured ones
  std::vector<std::unique_ptr<JointTotals>> totals_;    // by loop; empty: nothing is held
};

}  // namespace tracefold
