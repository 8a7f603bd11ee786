// The sections `iterations` and `chosen` of a plan as JSON. Times are ticks: the begin of a
// process's iterations is a text, and their lengths and the gaps between them are numbers.
#pragma once

#include "model/chosen_iterations.hpp"
#include "model/iterations/iteration_section.hpp"

#include <nlohmann/json_fwd.hpp>

namespace tracefold {

class JsonFields;
struct Plan;

// The form of errors in plans and in all other JSON (base/json_fields.hpp).
void list_fields(JsonFields& fields, FoldingErrors& errors);
void list_fields(JsonFields& fields, IterationFidelity& errors);
// "strong", "weak" or "merged".
const char* to_text(CallTreeEquivalence equivalence);

// The plan must have the section.
nlohmann::ordered_json iteration_section_to_json(const Plan& plan);

// `plan` must have processes and representatives already. Throws Error(input), Error(usage) or what
// the JSON library throws.
IterationSection iteration_section_from_json(const nlohmann::ordered_json& in, const Plan& plan);

nlohmann::ordered_json chosen_iterations_to_json(const ChosenIterations& chosen);
// Throws as above.
ChosenIterations chosen_iterations_from_json(const nlohmann::ordered_json& in);

}  // namespace tracefold
