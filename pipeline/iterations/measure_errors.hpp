// Measures the errors of folding: compares all iterations with what stands for them, on kept
// processes by call path, on all others by their totals.
//
// Half of the memory limit is for a window of iterations of each loop, at least 1,024 iterations.
// If it does not hold all of them, what is not stored is read again for each window; a single kept
// process is read once for all windows.
//
// Source: dynamics 4.2.2 (quality assessment).
#pragma once

#include "filters/iterations/errors/folding_errors.hpp"
#include "model/iterations/iteration_section.hpp"
#include "pipeline/iterations/iteration_readings.hpp"
#include "pipeline/iterations/measured_totals.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// The choices to measure, by number of clusters and loop; and these numbers.
struct MeasuredFolding {
  const std::vector<std::size_t>& clusters;
  std::vector<std::vector<FoldedLoop>>& folded;
  bool compares_own_clusters = false;  // with clusters that each kept process makes for itself
};

// Fills in the errors on kept processes. In a team, only the first member measures, and all get the
// errors.
void measure_kept_processes(const IterationReadings& readings, const MeasuredFolding& folding);

// Fills in the errors on all measured processes, given those on kept ones. Reads in windows what
// the totals do not hold.
void measure_all_processes(const IterationReadings& readings, MeasuredTotals& totals,
                           const MeasuredFolding& folding);

}  // namespace tracefold
