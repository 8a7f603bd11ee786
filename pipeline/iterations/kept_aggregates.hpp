// The totals of kept processes, including what is folded or left out: the section `aggregates` of a
// plan.
//
// Source: dynamics 4.1.5 (aggregate profiles).
#pragma once

#include "model/aggregates/aggregates.hpp"
#include "pipeline/iterations/iteration_readings.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace tracefold {

// What kept iterations did that a reduced trace may not show, such as messages with partners that
// are left out. Different processes at the same time.
class LostAmounts {
 public:
  // The choices of the loops must outlive this.
  LostAmounts(const IterationReadings& readings, const std::vector<FoldedLoop>& folded);

  void add(std::size_t process, LoopIteration at, const CallPathProfile& profile);
  // Shares what the first member of a team was given.
  void share(Team* team);

  // What was lost in a loop of one process. `paths` are those of the process, `tree` is that of all
  // processes.
  std::vector<SeriesAmounts> list(std::size_t process, std::size_t loop,
                                  const std::vector<CallPath>& paths,
                                  const PathNumbers::Tree& tree) const;

 private:
  // By column and path: the values of each kept iteration.
  using Amounts = std::map<std::pair<std::size_t, PathIndex>, std::vector<std::uint64_t>>;

  std::vector<bool> is_lost_;                            // by column
  std::vector<const KeptIterations*> kept_;              // by loop
  std::map<std::size_t, std::vector<Amounts>> amounts_;  // by process and loop
};

// The totals of kept processes, whether or not they fold iterations by the section. Call it after
// measuring errors.
Aggregates sum_kept_processes(const std::vector<std::size_t>& kept, const IterationSection& section,
                              const LostAmounts& lost, IterationReadings& readings);

}  // namespace tracefold
