// Measures what is lost by folding: all iterations are compared with what stands for them, on the
// kept processes by call path, and on all others by their totals.
//
// Half of the memory limit is for a window of iterations of each loop, but never less than 1,024 of
// them; where it does not hold all, what is not stored is read again for each window. A kept
// process alone is read once for all windows.
//
// Source: dynamics 4.2.2 (quality assessment).
#pragma once

#include "filters/iterations/errors/folding_errors.hpp"
#include "model/iterations/iteration_section.hpp"
#include "pipeline/iterations/iteration_readings.hpp"
#include "pipeline/iterations/measured_totals.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace tracefold {

// The choices to be measured, by number of clusters and by loop; and these numbers.
struct MeasuredFolding {
  const std::vector<std::size_t>& clusters;
  std::vector<std::vector<FoldedLoop>>& folded;
  bool compares_own_clusters = false;  // with those that each kept process makes for itself
};

// Called for each iteration of a kept process once, in order; of different processes at the same
// time.
using OnKeptIteration =
    std::function<void(std::size_t process, LoopIteration at, const CallPathProfile& profile)>;

// Fills in the errors on the kept processes. `also` may be empty; of a team, only the first member
// measures and calls it, and all get the errors.
void measure_kept_processes(const IterationReadings& readings, const MeasuredFolding& folding,
                            const OnKeptIteration& also);

// Fills in the errors on all measured processes; on the kept ones they are known. What the totals
// do not hold is read in windows.
void measure_all_processes(const IterationReadings& readings, MeasuredTotals& totals,
                           const MeasuredFolding& folding);

}  // namespace tracefold
