// JSON as text.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tracefold {

// many: one for each part that holds no list of lists or objects.
enum class JsonLines { one, many };

// A list of numbers and names that is JSON text already. It may stand in documents that are only
// written, so that long lists need no value of their own for each number.
nlohmann::ordered_json make_written_list(std::string text);

// UTF-8: U+FFFD for what is none, and all control characters escaped, those
// that JSON would allow as well, so that no name can steer a terminal.
std::string write_json_text(const nlohmann::ordered_json& document,
                            JsonLines lines = JsonLines::many);

}  // namespace tracefold
