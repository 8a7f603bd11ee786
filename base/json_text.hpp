// JSON as text.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace tracefold {

// many: one for each part that holds no list of lists or objects.
enum class JsonLines { one, many };

// A list of numbers and names that is JSON text already. It may stand in documents that are only
// written, so that long lists need no value of their own for each number.
nlohmann::ordered_json make_written_list(std::string text);

// A list whose elements are made one after the other while it is written, so that they are never
// there all at once.
struct JsonElements {
  std::size_t count = 0;
  std::function<nlohmann::ordered_json(std::size_t k)> make;
};
// Stands in a document for number `number` of the lists that write_json() gets. Each element has
// lines of its own.
nlohmann::ordered_json make_place_of_list(std::size_t number);

// UTF-8: U+FFFD for what is none, and all control characters escaped, those
// that JSON would allow as well, so that no name can steer a terminal.
std::string write_json_text(const nlohmann::ordered_json& document,
                            JsonLines lines = JsonLines::many);

// The same, in pieces: put(text) gets one after the other. Such lists are cut at about each million
// bytes.
void write_json(const nlohmann::ordered_json& document, const std::vector<JsonElements>& lists,
                const std::function<void(std::string text)>& put);

}  // namespace tracefold
