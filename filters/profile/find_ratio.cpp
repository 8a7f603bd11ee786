#include "filters/profile/find_ratio.hpp"

#include "base/error.hpp"
#include "base/spelling.hpp"
#include "base/text.hpp"
#include "filters/iterations/iteration_features.hpp"
#include "model/plan.hpp"
#include "model/profile/metric_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

using Entry = CondensedForm::Entry;
using Entries = std::vector<Entry>;

std::optional<Entry> look_up(const Entries& entries, const std::string& name) {
  return find_entry(entries, name == "time" ? "execution time" : name);
}

std::string name_in_ratio(const Entry& entry) {
  return entry.is_execution_time ? "time" : entry.name;
}

std::string name_ratio_unit(const Entry& entry, const Definitions& definitions) {
  if (entry.kind == MetricKind::time)
    return "s";
  return entry.kind == MetricKind::bytes ? "bytes"
                                         : find_recorded_unit(definitions, entry.kind, entry.name);
}

std::string divide_units(const std::string& above, const std::string& below) {
  if (above == below)
    return "";
  return below.empty() ? above : fmt::format("{}/{}", above.empty() ? "1" : above, below);
}

double count_steps(const Entry& entry, const Plan& plan) {
  return entry.kind == MetricKind::time ? 1 / to_seconds(plan, 1.0)
                                        : static_cast<double>(entry.steps_per_unit);
}

Error metric_is_missing(const std::string& words, const std::string& name, const Entries& entries,
                        const MetricColumns& columns, const Definitions& definitions) {
  const auto recorded = choose_metric_columns(definitions).counters;
  const bool is_left_out =
      std::any_of(recorded.begin(), recorded.end(),
                  [&](const Counter& counter) { return is_same_name(counter.name, name); });
  Error error(ErrorKind::usage,
              fmt::format("`ratio` '{}': {}: {}", make_printable(words), make_printable(name),
                          is_left_out ? "is not stored beside the reduced trace"
                                      : explain_absence(definitions, columns, name)));
  if (is_left_out)
    return error.hint("take the original");

  constexpr std::size_t most_listed = 20;
  std::vector<std::string> counters, others{"time"};
  for (const auto& entry : entries)
    if (!entry.is_execution_time)
      (entry.kind == MetricKind::counter ? counters : others).push_back(make_printable(entry.name));
  return error.hint(suggest_name(
      name, list_names(entries),
      fmt::format("{}; other metrics are {}",
                  counters.empty() ? "the trace has no counters"
                                   : "its counters are " + list_some(counters, most_listed),
                  list_some(others, most_listed))));
}

}  // namespace

MetricRatio find_ratio(const std::string& words, const MetricColumns& columns, const Plan& plan,
                       const Definitions& definitions) {
  const auto entries = CondensedForm(columns).entries();

  // Names of counters may have slashes themselves.
  for (auto slash = words.find('/'); slash != words.npos; slash = words.find('/', slash + 1)) {
    const auto above = look_up(entries, words.substr(0, slash));
    const auto below = look_up(entries, words.substr(slash + 1));
    if (above && below)
      return {.name = name_in_ratio(*above) + "/" + name_in_ratio(*below),
              .unit = divide_units(name_ratio_unit(*above, definitions),
                                   name_ratio_unit(*below, definitions)),
              .above = {above->columns, above->kind == MetricKind::counter},
              .below = {below->columns, below->kind == MetricKind::counter},
              .factor = count_steps(*below, plan) / count_steps(*above, plan)};
  }

  const auto slash = words.find('/');
  if (slash == words.npos || slash == 0 || slash + 1 == words.size())
    throw Error(ErrorKind::usage,
                fmt::format("`ratio` '{}': is no quotient of two metrics", make_printable(words)))
        .hint("as in PAPI_TOT_INS/PAPI_TOT_CYC, or NAME/time");
  const auto above = words.substr(0, slash);
  throw metric_is_missing(words, look_up(entries, above) ? words.substr(slash + 1) : above, entries,
                          columns, definitions);
}

}  // namespace tracefold
