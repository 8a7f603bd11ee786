#include "pipeline/profile/idle_filters.hpp"

#include "base/ranges.hpp"
#include "model/plan.hpp"
#include "model/profile/function_names.hpp"
#include "pipeline/events/function_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

void warn_of_idle_patterns(const std::vector<std::string>& patterns,
                           const std::vector<Function>& functions, const std::string& purpose,
                           Diagnostics& diagnostics) {
  for (const auto& words : describe_idle_patterns(patterns, functions, purpose))
    diagnostics.warn(words);
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
                          const std::vector<std::string>& inside, Diagnostics& diagnostics) {
  const FunctionTable table(definitions, {});
  const auto& functions = table.functions();
  warn_of_idle_patterns(filter.drop, functions, "dropped", diagnostics);
  warn_of_idle_patterns(filter.keep, functions, "kept", diagnostics);
  warn_of_idle_patterns(inside, functions, "kept with all inside", diagnostics);

  const bool drops_all = std::all_of(functions.begin(), functions.end(), [&](const auto& function) {
    return is_dropped(function, {filter});
  });
  if (drops_all && !functions.empty())
    diagnostics.warn("no call is left: every function is dropped");

  warn_of_absent_locations(definitions, filter.locations, diagnostics);
}

}  // namespace tracefold
