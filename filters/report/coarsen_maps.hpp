// Reduces the rows of the maps of a report if the page would be too large, since noise can hardly
// be packed.
//
// Largest values stay, so that a single slow process remains visible; means are rounded to a level
// each time. Columns do not change. Thread-safe for different reports.
#pragma once

#include "model/report/report.hpp"

#include <cstddef>

namespace tracefold {

// Merges pairs of rows in the maps with most rows. Rows of different groups are not merged, unless
// that would leave nearly as many as before. Returns false, without any change, if no map has at
// least this number of rows.
inline constexpr std::size_t least_coarse_rows = 64;
bool coarsen_maps(Report& report);

}  // namespace tracefold
