#include "base/json_text.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

std::string in_one_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

// Whether no list in it holds more than numbers and names.
bool is_flat(const Json& value) {
  return std::all_of(value.begin(), value.end(), [&](const auto& v) {
    return !v.is_structured() || (value.is_object() && is_flat(v));
  });
}

void put_in_lines(const Json& value, std::size_t depth, std::string& out) {
  if (!value.is_structured() || value.empty() || (depth > 0 && is_flat(value))) {
    out += in_one_line(value);
    return;
  }

  char separator = value.is_object() ? '{' : '[';
  for (auto at = value.begin(); at != value.end(); ++at) {
    (out += separator).append("\n").append(depth + 1, ' ');
    if (value.is_object())
      out += in_one_line(at.key()) + ": ";
    put_in_lines(*at, depth + 1, out);
    separator = ',';
  }

  out.append("\n").append(depth, ' ') += value.is_object() ? '}' : ']';
}

// The bytes that DEL and C1 begin with.
bool may_begin_control(char c) {
  return c == '\x7f' || c == '\xc2';
}

}  // namespace

std::string write_json_text(const nlohmann::ordered_json& document, JsonLines lines) {
  std::string text;
  if (lines == JsonLines::one)
    text = in_one_line(document);
  else
    put_in_lines(document, 0, text);

  text += '\n';
  if (std::none_of(text.begin(), text.end(), may_begin_control))
    return text;

  std::string out;

  for (auto rest = text.begin(); rest != text.end();) {
    const auto next = std::find_if(rest, text.end(), may_begin_control);
    out.append(rest, next);
    rest = next;
    if (rest == text.end())
      break;

    const auto character =
        read_character(text, static_cast<std::size_t>(rest - text.begin())).value();
    if (is_control(character.code))
      out += fmt::format("\\u{:04x}", character.code);
    else
      out.append(rest, rest + static_cast<std::ptrdiff_t>(character.bytes));

    rest += static_cast<std::ptrdiff_t>(character.bytes);
  }

  return out;
}

}  // namespace tracefold
