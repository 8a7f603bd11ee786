// A map of iterations and processes with so few cells that a page can hold and show it: in rows by
// rank, and in rows by group.
//
// Rows by rank show equally many processes each, but the last one. Rows by group begin anew with
// each group, so that no row is of two groups; where there are more groups than rows, rows show
// equally many processes and several groups.
//
// One pass over the values. Memory: 20 bytes for each cell. Pure. Thread-safe.
//
// Source: dynamics 4.2.2 (maps of process and iteration).
#pragma once

#include "model/iterations/iteration_map.hpp"
#include "model/report/pooled_map.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

struct PoolLimits {
  std::size_t rows = 1000, columns = 1000;
  std::size_t values = 10'000;  // cells of a map that keeps their values besides their levels
};

// Who the rows of a map are, row by row.
struct RowOwners {
  std::vector<std::uint32_t> process;  // their number in the order of ranks: all different
  std::vector<std::uint32_t> group;
};

// Values are multiplied by `unit`, such as the seconds of a tick. Values that are not finite count
// as not known.
PooledMap pool_map(const IterationMap& map, const RowOwners& owners, double unit,
                   const PoolLimits& most = {});

}  // namespace tracefold
