// Maps of a report with fewer rows, where a page would be too large: noise can hardly be packed.
//
// The largest values stay, so that one slow process is still seen; means are rounded to a level
// each time. Columns stay as they are. Pure but for the report. Thread-safe for different reports.
#pragma once

#include "model/report/report.hpp"

#include <cstddef>

namespace tracefold {

// Puts two rows each into one in the maps that have most rows. Rows of two groups stay apart,
// unless that would leave nearly as many as there were. False, and nothing is changed, where all
// maps have fewer than this.
inline constexpr std::size_t least_coarse_rows = 64;
bool coarsen_maps(Report& report);

}  // namespace tracefold
