// Reads a function of a plan or of stored profiles from JSON. Thread-safe.
#pragma once

#include "model/profile/intent.hpp"

namespace tracefold {

class JsonFields;

// What is empty or 0 may be missing. Throws Error(input), or nlohmann's exceptions.
void list_fields(JsonFields& fields, Function& function);

}  // namespace tracefold
