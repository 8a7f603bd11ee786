#include "model/profile/function_groups.hpp"

#include "base/error.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::string_view blanks = " \t";

[[noreturn]] void refuse_line(std::size_t line, const std::string& what, const std::string& hint) {
  throw Error(ErrorKind::input, fmt::format("line {}: {}", line, what)).hint(hint);
}

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(blanks);
  if (first == text.npos)
    return {};
  return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

void require_patterns(const std::vector<ListedFunctions>& groups) {
  if (!groups.empty() && groups.back().patterns.empty())
    refuse_line(groups.back().line,
                fmt::format("the group '{}' has no patterns", make_printable(groups.back().name)),
                "put them on lines of their own below it, each after a blank");
}

void add_group(std::vector<ListedFunctions>& groups, std::string_view name, std::size_t line) {
  require_patterns(groups);
  const auto known = std::find_if(groups.begin(), groups.end(),
                                  [&](const auto& group) { return group.name == name; });
  if (known != groups.end())
    refuse_line(
        line,
        fmt::format("the group '{}' is in line {} already", make_printable(name), known->line),
        "put all of its patterns there");
  groups.push_back({std::string(name), {}, line});
}

}  // namespace

std::vector<ListedFunctions> parse_function_groups(std::string_view text) {
  std::vector<ListedFunctions> groups;
  std::size_t number = 0;

  for (std::size_t begin = 0; begin < text.size();) {
    const auto end = std::min(text.find('\n', begin), text.size());
    auto line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.ends_with('\r'))
      line.remove_suffix(1);

    const auto words = trim(line);
    if (words.empty() || line.front() == '#')
      continue;
    if (words.find('\0') != words.npos)
      refuse_line(number, "this is no text", "a list of groups of functions is needed");

    const bool is_pattern = blanks.find(line.front()) != blanks.npos;
    if (!is_pattern)
      add_group(groups, words, number);
    else if (groups.empty())
      refuse_line(number, fmt::format("the pattern '{}' is in no group", make_printable(words)),
                  "the name of its group goes above it, on a line that begins with no blank");
    else
      groups.back().patterns.emplace_back(words);
  }

  require_patterns(groups);
  if (groups.empty())
    throw Error(ErrorKind::input, "there are no groups of functions in it")
        .hint("a name on a line of its own, and below it patterns, each after a blank");

  return groups;
}

}  // namespace tracefold
