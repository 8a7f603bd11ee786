#include "base/spelling.hpp"

#include "base/ranges.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tracefold {

namespace {

// How many characters have to be added, removed or replaced to make one word of the
// other (Levenshtein distance).
std::size_t count_edits(const std::string& from, const std::string& to) {
  std::vector<std::size_t> row(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j)
    row[j] = j;

  for (std::size_t i = 1; i <= from.size(); ++i) {
    auto diagonal = std::exchange(row[0], i);
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const auto replaced = diagonal + (from[i - 1] != to[j - 1]);
      diagonal = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
    }
  }

  return row.back();
}

}  // namespace

std::string suggest_name(const std::string& word, const std::vector<std::string>& known,
                         const std::string& otherwise) {
  constexpr std::size_t most_edits = 2;
  std::string best;
  std::size_t least = most_edits + 1;

  for (const auto& name : known)
    if (const auto edits = count_edits(word, name); edits < least) {
      least = edits;
      best = name;
    }

  return best.empty() ? otherwise : fmt::format("did you mean '{}'?", best);
}

std::string list_some(const std::vector<std::string>& names, std::size_t most) {
  const auto shown = names.size() <= most + 1 ? names.size() : most;  // one more is no shorter
  auto out = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < names.size())
    out += fmt::format(" and {} more", names.size() - shown);
  return out;
}

std::string suggest_pattern(const std::string& pattern, const std::vector<std::string>& names) {
  const auto lower = to_lower(pattern);
  for (const auto& name : names) {
    if (!matches_glob(lower, to_lower(name)))
      continue;

    // A pattern that matches more than this one name is the better suggestion.
    const auto upper = to_upper(pattern);
    const auto& meant = matches_glob(upper, name)   ? upper
                        : matches_glob(lower, name) ? lower
                                                    : name;
    return fmt::format("names are case-sensitive: did you mean '{}'?", meant);
  }

  return suggest_name(pattern, names, "");
}

}  // namespace tracefold
