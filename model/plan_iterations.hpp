// The section `iterations` of a plan as JSON. Times are ticks: where a process's
// iterations begin as text, their lengths and what lies between them as numbers.
#pragma once

#include "model/plan.hpp"

#include <nlohmann/json_fwd.hpp>

namespace tracefold {

// As in plans and wherever else they are told.
nlohmann::ordered_json to_json(const FoldingErrors& errors);
nlohmann::ordered_json to_json(const IterationFidelity& fidelity);
// "strong" or "weak".
const char* to_text(CallTreeEquivalence equivalence);

// Of a plan that has the section.
nlohmann::ordered_json iteration_section_to_json(const Plan& plan);

// Fills the section of a plan whose processes and representatives are known. Throws
// Error(input), Error(usage) or what the JSON library throws.
void iteration_section_from_json(const nlohmann::ordered_json& in, Plan& plan);

}  // namespace tracefold
