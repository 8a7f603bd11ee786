// Processes without profiles, as plans beside written traces and tracefold.profiles have them: ids,
// names, and what is needed to write a trace. Plain data, thread-safe.
#pragma once

#include "model/plan.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <vector>

namespace tracefold {

// The largest size of the names of all processes, and of those of all location groups, since one
// long name may be stored once for many processes. Readers refuse more.
inline constexpr std::size_t most_process_name_bytes = std::size_t{1} << 31;

// Similar neighbours share an entry, so that many processes take little room.
nlohmann::ordered_json named_processes_to_json(const std::vector<Process>& processes);
// Throws what the JSON library throws, Error(input), or Error(usage) for wrong or too long lists of
// ids.
std::vector<Process> named_processes_from_json(const nlohmann::ordered_json& in,
                                               std::size_t most = std::size_t{1} << 24);

}  // namespace tracefold
