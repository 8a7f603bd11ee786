// Processes without profiles, as they stand in a plan beside a written trace and in
// tracefold.profiles: ids, names, and what says how a trace is written. Plain data, thread-safe.
#pragma once

#include "model/plan.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <vector>

namespace tracefold {

// Of the names of all processes, and as many of those of their location groups: a long one may be
// told once for many processes. Readers take no more.
inline constexpr std::size_t most_process_name_bytes = std::size_t{1} << 31;

// Neighbours are told together, so that many processes take little room.
nlohmann::ordered_json named_processes_to_json(const std::vector<Process>& processes);
// Throws what the JSON library throws, and Error(input), or Error(usage) of lists of ids that are
// none or name more than so many.
std::vector<Process> named_processes_from_json(const nlohmann::ordered_json& in,
                                               std::size_t most = std::size_t{1} << 24);

}  // namespace tracefold
