#include "base/ranges.hpp"

#include "base/error.hpp"
#include "base/sort_and_unite.hpp"

#include <fmt/format.h>

#include <fnmatch.h>

#include <algorithm>
#include <charconv>

namespace tracefold {

std::string to_ranges(const std::vector<std::uint64_t>& ids) {
  std::string out;

  for (std::size_t i = 0; i < ids.size();) {
    std::size_t end = i + 1;

    if (end < ids.size()) {
      const auto stride = ids[end] - ids[i];
      while (end + 1 < ids.size() && ids[end + 1] - ids[end] == stride)
        ++end;

      const std::size_t length = end - i + 1;
      if (length >= 3 || (length == 2 && stride == 1)) {
        out += fmt::format("{}{}-{}", out.empty() ? "" : ",", ids[i], ids[end]);
        if (stride != 1)
          out += fmt::format(":{}", stride);
        i = end + 1;
        continue;
      }
    }

    out += fmt::format("{}{}", out.empty() ? "" : ",", ids[i]);
    ++i;
  }

  return out;
}

namespace {

std::uint64_t number(std::string_view text, std::string_view whole) {
  std::uint64_t n = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (code != std::errc{} || end != text.data() + text.size() || text.empty())
    throw Error(ErrorKind::usage, fmt::format("'{}' is not a list of ids", whole))
        .hint("as in 0-6:2,9");

  return n;
}

struct Range {
  std::uint64_t first = 0, last = 0, stride = 1;
};

// "first", "first-last" or "first-last:stride".
Range parse_range(std::string_view part, std::string_view whole) {
  const auto dash = part.find('-');
  Range range;
  range.first = range.last = number(part.substr(0, dash), whole);
  if (dash == std::string_view::npos)
    return range;

  const auto colon = part.find(':', dash);
  range.last = number(
      part.substr(dash + 1, colon == std::string_view::npos ? colon : colon - dash - 1), whole);
  if (colon != std::string_view::npos)
    range.stride = number(part.substr(colon + 1), whole);
  if (range.last < range.first || range.stride == 0)
    throw Error(ErrorKind::usage, fmt::format("'{}' is not an ascending range", part))
        .hint("as in 0-6:2,9");

  return range;
}

// In a glob.
bool is_special(char c) {
  return c == '*' || c == '?' || c == '[' || c == '\\';
}

}  // namespace

std::vector<std::uint64_t> parse_ranges(std::string_view text, std::size_t limit) {
  std::vector<std::uint64_t> ids;

  for (std::size_t begin = 0, comma = 0; !text.empty() && comma != std::string_view::npos;
       begin = comma + 1) {
    comma = text.find(',', begin);
    const auto [first, last, stride] = parse_range(
        text.substr(begin, comma == std::string_view::npos ? comma : comma - begin), text);
    if ((last - first) / stride >= limit - std::min(limit, ids.size()))
      throw Error(ErrorKind::usage, fmt::format("'{}' names too many ids", text));

    for (auto id = first;; id += stride) {
      ids.push_back(id);
      if (last - id < stride)
        break;
    }
  }

  sort_and_unite(ids);

  return ids;
}

bool matches_glob(std::string_view pattern, std::string_view name) {
  std::size_t same = 0;
  for (; same < pattern.size() && !is_special(pattern[same]); ++same)
    if (same == name.size() || pattern[same] != name[same])
      return false;
  if (same == pattern.size())
    return same == name.size();
  if (pattern.find('\0') != std::string_view::npos || name.find('\0') != std::string_view::npos)
    return pattern == name;  // only plans made by hand have it
  return ::fnmatch(std::string(pattern).c_str(), std::string(name).c_str(), 0) == 0;
}

bool matches_any(const std::vector<std::string>& patterns, std::string_view name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const auto& p) { return matches_glob(p, name); });
}

std::string quote_glob(std::string_view name) {
  std::string pattern;
  for (const char c : name) {
    if (is_special(c))
      pattern += '\\';
    pattern += c;
  }
  return pattern;
}

std::string_view strip_count(std::string_view name) {
  constexpr std::string_view sign = "× ";
  const auto digits = name.find_first_not_of("0123456789");
  if (digits == 0 || digits == std::string_view::npos || !name.substr(digits).starts_with(sign))
    return name;
  return name.substr(digits + sign.size());
}

}  // namespace tracefold
