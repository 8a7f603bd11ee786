// The section `iterations` of a plan as JSON. Times are ticks: where a process's
// iterations begin as text, their lengths and what lies between them as numbers.
#pragma once

#include "model/iterations/iteration_section.hpp"

#include <nlohmann/json_fwd.hpp>

namespace tracefold {

struct Plan;

// Plans hold errors in this form, and so does all other JSON that tells of them.
nlohmann::ordered_json to_json(const FoldingErrors& errors);
nlohmann::ordered_json to_json(const IterationFidelity& fidelity);
// "strong", "weak" or "merged".
const char* to_text(CallTreeEquivalence equivalence);

// The plan has to have the section.
nlohmann::ordered_json iteration_section_to_json(const Plan& plan);

// The section of a plan whose processes and representatives are known. Throws Error(input),
// Error(usage) or what the JSON library throws.
IterationSection iteration_section_from_json(const nlohmann::ordered_json& in, const Plan& plan);

}  // namespace tracefold
