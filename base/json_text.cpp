#include "base/json_text.hpp"

#include "base/utf8.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

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

// Whether no list in it holds more than numbers and names, as no written list does.
bool is_flat(const Json& value) {
  return value.is_binary() || std::all_of(value.begin(), value.end(), [&](const auto& v) {
           const bool is_list_or_object = v.is_structured() || v.is_binary();
           return !is_list_or_object || (value.is_object() && is_flat(v));
         });
}

// The bytes that DEL and C1 begin with.
bool may_begin_control(char c) {
  return c == '\x7f' || c == '\xc2';
}

// The text, but that all control characters are escaped.
std::string escape_controls(std::string text) {
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

class Writer {
 public:
  using Put = std::function<void(std::string text)>;

  Writer(const JsonLists& lists, const Put& put) : lists_(lists), put_(put) {}

  void write(const Json& document, JsonLines lines) {
    if (lines == JsonLines::one)
      put_in_one_line(document);
    else
      put_in_lines(document, 0);
    out_ += '\n';
    pass_on();
  }

 private:
  static constexpr std::size_t piece = 1 << 20;

  void put_in_one_line(const Json& value) {
    if (value.is_binary()) {
      put_written_list(value, out_);
      return;
    }
    if (!has_written_list(value)) {
      out_ += in_one_line(value);
      return;
    }

    char separator = value.is_object() ? '{' : '[';
    for (auto at = value.begin(); at != value.end(); ++at) {
      out_ += separator;
      if (value.is_object())
        (out_ += in_one_line(at.key())) += ':';
      put_in_one_line(*at);
      separator = ',';
    }
    out_ += value.is_object() ? '}' : ']';
  }

  void put_in_lines(const Json& value, std::size_t depth) {
    if (value.is_binary()) {
      put_written_list(value, out_);
      return;
    }
    if (!value.is_structured() || value.empty() || (depth > 0 && is_flat(value))) {
      put_in_one_line(value);
      return;
    }

    char separator = value.is_object() ? '{' : '[';
    for (auto at = value.begin(); at != value.end(); ++at) {
      begin_line(separator, depth + 1);
      if (value.is_object())
        out_ += in_one_line(at.key()) + ": ";
      if (depth == 0 && value.is_object() && lists_.contains(at.key()))
        put_elements(lists_.at(at.key()), depth + 1);
      else
        put_in_lines(*at, depth + 1);
      separator = ',';
    }

    out_.append("\n").append(depth, ' ') += value.is_object() ? '}' : ']';
  }

  void put_elements(const JsonElements& list, std::size_t depth) {
    if (list.count == 0) {
      out_ += "[]";
      return;
    }
    for (std::size_t k = 0; k < list.count; ++k) {
      begin_line(k == 0 ? '[' : ',', depth + 1);
      put_in_lines(list.make(k), depth + 1);
      if (out_.size() > piece)
        pass_on();
    }
    out_.append("\n").append(depth, ' ') += ']';
  }

  void begin_line(char separator, std::size_t depth) {
    (out_ += separator).append("\n").append(depth, ' ');
  }

  void pass_on() { put_(escape_controls(std::exchange(out_, {}))); }

  const JsonLists& lists_;
  const Put& put_;
  std::string out_;  // what was not handed on yet
};

}  // namespace

Json make_written_list(std::string text) {
  return Json::binary({text.begin(), text.end()});
}

std::string write_json_text(const Json& document, JsonLines lines) {
  std::string text;
  const JsonLists no_lists;
  const Writer::Put put = [&](std::string piece) { text = std::move(piece); };
  Writer(no_lists, put).write(document, lines);
  return text;
}

void write_json(const Json& document, const JsonLists& lists,
                const std::function<void(std::string text)>& put) {
  Writer(lists, put).write(document, JsonLines::many);
}

}  // namespace tracefold
