// JSON as text.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tracefold {

// In lines, or with an indentation of -1 in one, UTF-8: U+FFFD for what is none, and all control characters escaped, those
// that JSON would allow as well, so that no name can steer a terminal.
std::string json_text(const nlohmann::ordered_json& document, int indentation = 1);

}  // namespace tracefold
