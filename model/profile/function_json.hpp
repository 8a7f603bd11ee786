// Reads a function of a plan or of stored profiles from JSON. Thread-safe.
#pragma once

#include "model/profile/intent.hpp"

#include <nlohmann/json_fwd.hpp>

namespace tracefold {

// What is empty or 0 may be missing. Throws Error(input), or nlohmann's exceptions.
Function function_from_json(const nlohmann::ordered_json& in);

}  // namespace tracefold
