// Which processes errors of folding are measured on, and what all of these did together in each
// iteration.
//
// Source: dynamics 4.2.2.
#pragma once

#include "filters/iterations/joint_totals.hpp"
#include "model/iterations/loops.hpp"
#include "model/plan.hpp"
#include "pipeline/iterations/iteration_readings.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace tracefold {

// Processes are indexes into the plan's.
struct MeasuredProcessList {
  std::map<std::size_t, std::size_t> stood_for_by;  // by process: the kept one, which may be itself
  std::uint64_t unmeasured = 0;  // processes that have other loops than what stands for them

  std::vector<std::size_t> list() const;  // ascending
  // Whether any of them is not kept.
  bool has_others() const;
};

// All processes that aligned ones stand for. `loops` are of the plan's processes.
MeasuredProcessList list_measured_processes(const Plan& plan,
                                            const std::vector<std::size_t>& aligned,
                                            const std::vector<ProcessLoops>& loops);

// The totals of each loop. What is referred to must stay. Memory: bytes_per_iteration() for each
// iteration that is held (joint_totals.hpp), and what `form` has of counts for each process.
class MeasuredTotals {
 public:
  MeasuredTotals(const MeasuredProcessList& measured, const JointForm& form,
                 const IterationReadings& readings);

  // Forgets what was added. `besides` is by loop; empty: none.
  void begin(TotalsUse use, IterationWindow window = {},
             std::vector<std::vector<std::uint32_t>> besides = {});
  // What a measured process did in an iteration, numbered through all loops. Any thread.
  void add(std::size_t process, std::size_t iteration, std::span<const Wide> columns);
  // Reads processes, and adds them.
  void read(const std::vector<std::size_t>& processes);

  const JointTotals& of_loop(std::size_t loop) const { return *totals_[loop]; }

 private:
  const JointForm& form_;
  const IterationReadings& readings_;
  std::map<std::size_t, JointProcess> processes_;
  std::vector<std::unique_ptr<JointTotals>> totals_;  // by loop
};

}  // namespace tracefold
