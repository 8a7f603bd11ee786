// What the tables of tracefold.profiles are called.
#pragma once

#include "model/profile/metric.hpp"

#include <cstddef>
#include <string>

namespace tracefold {

inline std::string name_stored_column(const MetricColumns& columns, std::size_t column) {
  if (const auto* counter = columns.counter(column))
    return "counter " + counter->name;
  return std::string(get_entry(columns.measured[column]).name);
}

// In series of iterations, the parts of execution time and the rest, which is computation, have
// tables each.
inline std::string name_series_column(const MetricColumns& columns, std::size_t column) {
  if (column < columns.measured.size() && columns.measured[column] == Metric::execution_time)
    return "computation time";
  return name_stored_column(columns, column);
}

inline std::string name_topology_table(std::size_t topology) {
  return "process/topology " + std::to_string(topology);
}

}  // namespace tracefold
