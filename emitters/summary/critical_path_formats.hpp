// The critical path of a run (pipeline/replay/critical_path.hpp): the calls on it, and on whom it
// is over time. Of runs that have one. Pure.
#pragma once

#include "emitters/table.hpp"
#include "model/summary/summary.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

// Where the path stays on one process, or on the network: `place` as CriticalPath::over_time, from
// when and until when as shares of its length.
struct CriticalStay {
  std::uint32_t place = 0;
  double from = 0, until = 0;
};
std::vector<CriticalStay> list_stays(const CriticalTimes& path);

// The calls on it; no rows without a path.
Table tabulate_critical(const Summary& run);
// "critical path: what the end waits for, 5 % of it network"
std::string name_critical(const Summary& run);
// "rank 3: 62 %, rank 5: 21 %, 4 more": who has most of it; empty: not known.
std::string describe_critical_processes(const Summary& run);
nlohmann::ordered_json make_critical(const Summary& run);

// `most_rows`: 0 for all.
std::string critical_path_to_table(const Summary& run, std::size_t most_rows);
std::string critical_path_to_csv(const Summary& run);
std::string critical_path_to_json(const Summary& run);

}  // namespace tracefold
