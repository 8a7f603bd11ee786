#include "pipeline/profile/idle_filters.hpp"

#include "base/ranges.hpp"
#include "base/spelling.hpp"
#include "model/plan.hpp"
#include "pipeline/events/function_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

using Names = std::vector<std::string>;

bool matches_none(const std::string& pattern, const Names& names) {
  return std::none_of(names.begin(), names.end(),
                      [&](const auto& name) { return matches_glob(pattern, name); });
}

std::string in_brackets(const std::string& hint) {
  return hint.empty() ? hint : " (" + hint + ")";
}

void warn_of_idle_patterns(const Names& patterns, const Names& names, const std::string& purpose,
                           Diagnostics& diagnostics) {
  for (const auto& pattern : patterns)
    if (matches_none(pattern, names))
      diagnostics.warn(fmt::format("no function matches '{}', which is to be {}{}", pattern,
                                   purpose, in_brackets(suggest_pattern(pattern, names))));
}

void warn_of_absent_locations(const Definitions& definitions, const std::string& ranges,
                              Diagnostics& diagnostics) {
  std::vector<std::uint64_t> absent;
  const auto wanted = parse_ranges(ranges);
  for (auto id : wanted)
    if (!definitions.find(Ref::location, id))
      absent.push_back(id);

  if (absent.empty() || wanted.empty())
    return;

  diagnostics.warn(fmt::format("the trace has no location {}, which is to be kept{}",
                               to_ranges(absent),
                               absent.size() == wanted.size() ? ": no process is left" : ""));
}

}  // namespace

void warn_of_idle_filters(const Definitions& definitions, const FilterSection& filter,
                          Diagnostics& diagnostics) {
  Names names;
  const FunctionTable table(definitions, {});
  for (const auto& function : table.functions())
    names.push_back(function.name);

  warn_of_idle_patterns(filter.drop, names, "dropped", diagnostics);
  warn_of_idle_patterns(filter.keep, names, "kept", diagnostics);

  const bool drops_all = std::all_of(names.begin(), names.end(),
                                     [&](const auto& name) { return is_dropped(name, {filter}); });
  if (drops_all && !names.empty())
    diagnostics.warn("no call is left: every function is dropped");

  warn_of_absent_locations(definitions, filter.locations, diagnostics);
}

}  // namespace tracefold
