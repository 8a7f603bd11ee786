// Which processes errors of folding are measured on, and what all of these did together in each
// iteration.
//
// A process that makes the same calls as the kept one that stands for it has the same iterations:
// loops are not looked for in it. Others are searched, and measured where they have the loops of
// their stand-in.
//
// Source: dynamics 4.2.2.
#pragma once

#include "filters/iterations/joint_totals.hpp"
#include "model/iterations/asked_iterations.hpp"
#include "model/iterations/loops.hpp"
#include "model/plan.hpp"
#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/events/call_hash.hpp"
#include "pipeline/events/counted_iterations.hpp"
#include "pipeline/iterations/iteration_readings.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <vector>

namespace tracefold {

// Processes are indexes into the plan's.
struct MeasuredProcessList {
  std::map<std::size_t, std::size_t> stood_for_by;  // by process: the kept one, which may be itself
  std::uint64_t unmeasured = 0;  // processes that have other loops than what stands for them
  // By stand-in, where others make the same calls; and these.
  std::map<std::size_t, IterationCounts> counts;
  std::set<std::size_t> counted;

  std::vector<std::size_t> list() const;  // ascending
  // Whether any of them is not kept.
  bool has_others() const;
  // Null where a process has loops of its own.
  const IterationCounts* find_counts(std::size_t process) const;
};

// All processes that aligned ones stand for. `loops` are of the plan's processes, and get those of
// the ones that are searched. Hashes of calls are read where there are none. Throws Error(input).
MeasuredProcessList find_measured_processes(const Archive& archive, const Plan& plan,
                                            const std::vector<std::size_t>& aligned,
                                            std::vector<ProcessLoops>& loops,
                                            const std::vector<CallHash>* hashes,
                                            const AskedIterations& asked,
                                            const ReadOptions& reading, Diagnostics& diagnostics);

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
  void add(std::size_t process, std::size_t iteration, const WideSums& columns);
  // Reads processes, and adds them.
  void read(const std::vector<std::size_t>& processes);

  const JointTotals& of_loop(std::size_t loop) const { return *totals_[loop]; }

 private:
  const MeasuredProcessList& measured_;
  const JointForm& form_;
  const IterationReadings& readings_;
  std::vector<std::optional<JointProcess>> processes_;  // by process of the plan: the measured
  std::vector<std::unique_ptr<JointTotals>> totals_;    // by loop
};

}  // namespace tracefold
