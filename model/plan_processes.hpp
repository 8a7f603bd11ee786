// Processes without profiles, as they stand in a plan beside a written trace and in
// tracefold.profiles: ids, names, and what says how a trace is written. Plain data, thread-safe.
#pragma once

#include "model/plan.hpp"

#include <nlohmann/json_fwd.hpp>

#include <vector>

namespace tracefold {

// Neighbours are told together, so that many processes take little room.
nlohmann::ordered_json named_processes_to_json(const std::vector<Process>& processes);
// Throws Error(input) or what the JSON library throws.
std::vector<Process> named_processes_from_json(const nlohmann::ordered_json& in);

}  // namespace tracefold
