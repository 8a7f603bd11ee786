#include "base/json_text.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

// Written lists are kept as bytes, which no other document has.
void put_written_list(const Json& value, std::string& out) {
  const auto& bytes = value.get_binary();
  out.append(bytes.begin(), bytes.end());
}

bool has_written_list(const Json& value) {
  return value.is_binary() ||
         (value.is_structured() && std::any_of(value.begin(), value.end(), has_written_list));
}

std::string in_one_line(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void put_in_one_line(const Json& value, std::string& out) {
  if (value.is_binary()) {
    put_written_list(value, out);
    return;
  }
  if (!has_written_list(value)) {
    out += in_one_line(value);
    return;
  }

  char separator = value.is_object() ? '{' : '[';
  for (auto at = value.begin(); at != value.end(); ++at) {
    out += separator;
    if (value.is_object())
      (out += in_one_line(at.key())) += ':';
    put_in_one_line(*at, out);
    separator = ',';
  }
  out += value.is_object() ? '}' : ']';
}

// Whether no list in it holds more than numbers and names, as no written list does.
bool is_flat(const Json& value) {
  return value.is_binary() || std::all_of(value.begin(), value.end(), [&](const auto& v) {
           const bool is_list_or_object = v.is_structured() || v.is_binary();
           return !is_list_or_object || (value.is_object() && is_flat(v));
         });
}

void put_in_lines(const Json& value, std::size_t depth, std::string& out) {
  if (value.is_binary()) {
    put_written_list(value, out);
    return;
  }
  if (!value.is_structured() || value.empty() || (depth > 0 && is_flat(value))) {
    put_in_one_line(value, out);
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

Json make_written_list(std::string text) {
  return Json::binary({text.begin(), text.end()});
}

std::string write_json_text(const nlohmann::ordered_json& document, JsonLines lines) {
  std::string text;
  if (lines == JsonLines::one)
    put_in_one_line(document, text);
  else
    put_in_lines(document, 0, text);

  text += '\n';
  if (std::none_of(text.begin(), text.end(), may_begin_control))
    return text;

  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const auto [code, bytes] = read_character(text, at).value();
    if (may_begin_control(text[at]) && is_control(code))
      out += fmt::format("\\u{:04x}", code);
    else
      out.append(text, at, bytes);
    at += bytes;
  }

  return out;
}

}  // namespace tracefold
