// Pools a map of iterations and processes to few enough cells for a page: in rows by rank, and in
// rows by group.
//
// Rows by rank have equal numbers of processes, except the last one. Rows by group do not mix
// groups, unless there are more groups than rows; then rows have equal numbers of processes and
// several groups.
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
  std::size_t values = 10'000;  // a map with at most so many cells also keeps their values
};

// The process and group of each row of the map.
struct RowOwners {
  std::vector<std::uint32_t> process;  // number in the order of ranks; all different
  std::vector<std::uint32_t> group;
};

// Values are multiplied by `unit`, such as the seconds in a tick. Values that are not finite count
// as unknown.
PooledMap pool_map(const IterationMap& map, const RowOwners& owners, double unit,
                   const PoolLimits& most = {});

}  // namespace tracefold
