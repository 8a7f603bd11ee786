#include "model/json_text.hpp"

#include "model/utf8.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tracefold {

namespace {

// The bytes that DEL and C1 begin with.
bool may_begin_control(char c) { return c == '\x7f' || c == '\xc2'; }

}  // namespace

std::string json_text(const nlohmann::ordered_json& document, int indentation) {
  auto text = document.dump(indentation, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
  if (std::none_of(text.begin(), text.end(), may_begin_control)) return text;
  std::string out;
  for (auto rest = text.begin(); rest != text.end();) {
    const auto next = std::find_if(rest, text.end(), may_begin_control);
    out.append(rest, next);
    rest = next;
    if (rest == text.end()) break;
    const auto character = character_at(text, static_cast<std::size_t>(rest - text.begin())).value();
    if (is_control(character.code)) out += fmt::format("\\u{:04x}", character.code);
    else out.append(rest, rest + static_cast<std::ptrdiff_t>(character.bytes));
    rest += static_cast<std::ptrdiff_t>(character.bytes);
  }
  return out;
}

}  // namespace tracefold
