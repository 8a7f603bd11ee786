// Writes JSON as text.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <string>

namespace tracefold {

// one: all in one line. many: one line for each part that holds no list of lists or objects.
enum class JsonLines { one, many };

// Makes a JSON value of a list that is text already. It may only be written, not read: a long list
// then needs no value of its own for each number.
nlohmann::ordered_json make_written_list(std::string text);

// A list whose elements are made one by one while it is written, so that they are never all in
// memory.
struct JsonElements {
  std::size_t count = 0;
  std::function<nlohmann::ordered_json(std::size_t k)> make;
};
// By the keys of the document that they stand for, whatever it has there.
using JsonLists = std::map<std::string, JsonElements>;

// Bytes that are not UTF-8 become U+FFFD. All control characters are escaped, also those that JSON
// allows, so that a name cannot steer a terminal.
std::string write_json_text(const nlohmann::ordered_json& document,
                            JsonLines lines = JsonLines::many);

// The same in pieces: put(text) is called with one after the other. A piece of a list ends after
// about a million bytes. Each element begins a line.
void write_json(const nlohmann::ordered_json& document, const JsonLists& lists,
                const std::function<void(std::string text)>& put);

}  // namespace tracefold
