// Maps of one metric by process and iteration: a table for people, CSV and JSON for
// programs. Times are in seconds; a trace without a clock counts as one of 10^9 ticks a
// second.
#pragma once

#include "model/iterations/iteration_map.hpp"

#include <string>

namespace tracefold {

struct Plan;

enum class CsvRows { iterations, processes, map };

// Minimum, median and maximum over the processes, of some iterations in each row.
std::string map_table(const Plan& plan, const IterationMap& map, const MapRows& rows);
// One header, and one line per iteration, per process, or per row of bins of the map. A
// field is empty where no process has an iteration.
std::string map_csv(const Plan& plan, const MapReport& report, CsvRows rows);
// All three.
std::string map_json(const Plan& plan, const MapReport& report);

}  // namespace tracefold
