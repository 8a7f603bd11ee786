#include "emitters/profile/process_profile_formats.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "emitters/kept_processes.hpp"
#include "emitters/profile/profile_rows.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/table.hpp"
#include "emitters/text_table.hpp"
#include "emitters/units.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t execution_time = 0;  // its place among the metrics

std::string name_path(const Plan& plan, const CallPathProfiles& calls, PathIndex path) {
  std::vector<std::string_view> names;
  for (; path != no_path; path = calls.paths[path].caller)
    names.emplace_back(plan.functions[calls.paths[path].function].shown_name());
  return fmt::format("{}", fmt::join(names.rbegin(), names.rend(), " > "));
}

// The execution time of each call path of a member, with all that it calls.
std::vector<std::uint64_t> sum_inclusive(const ProcessProfiles& profiles, std::size_t member) {
  const auto& callers = profiles.calls.shape(member).callers;
  std::vector<std::uint64_t> sums(callers.size());
  for (auto place = sums.size(); place-- > 0;) {
    sums[place] += profiles.value(member, place, execution_time);
    if (callers[place] != no_path)
      sums[callers[place]] += sums[place];
  }
  return sums;
}

// By metric, what a member recorded outside of calls; empty where that is nothing.
std::vector<std::uint64_t> sum_outside(const ProcessProfiles& profiles, std::size_t member) {
  const auto& by_column = profiles.calls.processes[member].outside;
  std::vector<std::uint64_t> sums;
  if (!by_column.empty())
    for (const auto& metric : profiles.metrics) {
      auto& sum = sums.emplace_back();
      for (auto column : metric.columns)
        sum += by_column[column];
    }
  return sums;
}

std::string show_time(const Plan& plan, std::uint64_t ticks) {
  const int digits = plan.trace.ticks_per_second > 1'000'000'000 ? 15 : 9;
  return fmt::format("{:.{}f}", to_seconds(plan, static_cast<double>(ticks)), digits);
}

double to_units(const ProcessMetric& metric, std::uint64_t value) {
  return static_cast<double>(value) / static_cast<double>(metric.steps_per_unit);
}

// None: not known.
std::optional<std::uint64_t> find_value_in_call(const ProcessProfiles& profiles, std::size_t member,
                                                std::size_t place, std::size_t metric) {
  if (profiles.metrics[metric].is_unknown_in_calls)
    return std::nullopt;
  return profiles.value(member, place, metric);
}

std::string show_value(const Plan& plan, const ProcessMetric& metric,
                       const std::optional<std::uint64_t>& known) {
  if (!known)
    return {};
  const auto value = *known;
  if (metric.kind == MetricKind::time)
    return show_time(plan, value);
  return metric.steps_per_unit == 1 ? std::to_string(value)
                                    : fmt::format("{}", to_units(metric, value));
}

Json value_to_json(const Plan& plan, const ProcessMetric& metric,
                   const std::optional<std::uint64_t>& known) {
  if (!known)
    return nullptr;
  const auto value = *known;
  if (metric.kind == MetricKind::time)
    return to_seconds(plan, static_cast<double>(value));
  return metric.steps_per_unit == 1 ? Json(value) : Json(to_units(metric, value));
}

// What a process does in one call path, or outside of calls.
std::optional<double> find_ratio(const ProcessProfiles& profiles, std::size_t member,
                                 std::optional<std::size_t> place) {
  const auto& ratio = *profiles.ratio;
  const auto& calls = profiles.calls;
  if ((place && ratio.is_unknown_in_calls) || !ratio.is_recorded(calls, member))
    return std::nullopt;
  const auto sum = [&](const MetricRatio::Part& part) {
    return static_cast<double>(place ? part.sum(calls, member, *place)
                                     : part.sum_outside(calls, member));
  };
  return ratio.divide(sum(ratio.above), sum(ratio.below));
}

// The heading of a metric that the trace does not name.
std::string make_column_name(const ProcessMetric& metric) {
  auto name = metric.name + (metric.kind == MetricKind::time ? "_seconds" : "");
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == ' ' || c == '-'; }, '_');
  return name;
}

// A counter is called as the trace calls it, unless another column has that name.
std::string make_csv_heading(const ProcessProfiles& profiles) {
  std::vector<std::string> names{
      "location", "rank", "thread", "path", "caller_path", "call_path", "inclusive_time_seconds"};
  std::set<std::string> known(names.begin(), names.end());
  if (profiles.ratio)
    known.insert("ratio");
  for (const auto& metric : profiles.metrics)
    if (metric.kind != MetricKind::counter)
      known.insert(make_column_name(metric));

  for (const auto& metric : profiles.metrics) {
    auto name = metric.kind == MetricKind::counter ? metric.name : make_column_name(metric);
    if (metric.kind == MetricKind::counter)
      while (!known.insert(name).second)
        name.insert(0, "counter_");
    names.push_back(quote_csv(name));
  }
  if (profiles.ratio)
    names.emplace_back("ratio");
  return fmt::format("{}\r\n", fmt::join(names, ","));
}

}  // namespace

std::string to_table(const Plan& plan, const ProcessProfiles& profiles, std::size_t most) {
  struct Place {
    std::uint64_t time;
    std::size_t member, place;
  };
  std::vector<Place> places;
  for (std::size_t m = 0; m < profiles.members.size(); ++m)
    for (std::size_t p = 0; p < profiles.calls.shape(m).paths.size(); ++p)
      places.push_back({profiles.value(m, p, execution_time), m, p});

  const auto shown = most == 0 ? places.size() : std::min(most, places.size());
  std::partial_sort(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(shown),
                    places.end(), [](const Place& a, const Place& b) {
                      return std::tuple(b.time, a.member, a.place) <
                             std::tuple(a.time, b.member, b.place);
                    });

  TableRows rows{{"exclusive", "inclusive", "visits", "process", "call path"}};
  if (profiles.ratio)
    rows[0].insert(rows[0].begin() + 3, show_ratio_name(*profiles.ratio));
  const auto visits = static_cast<std::size_t>(
      std::find_if(profiles.metrics.begin(), profiles.metrics.end(),
                   [](const auto& metric) { return metric.name == "visits"; }) -
      profiles.metrics.begin());
  std::vector<std::vector<std::uint64_t>> inclusive(profiles.members.size());

  for (std::size_t i = 0; i < shown; ++i) {
    const auto& [time, m, p] = places[i];
    if (inclusive[m].empty())
      inclusive[m] = sum_inclusive(profiles, m);
    const auto path = name_path(plan, profiles.calls, profiles.calls.shape(m).paths[p]);
    rows.push_back({format_time(plan, time), format_time(plan, inclusive[m][p]),
                    show_count(profiles.value(m, p, visits)),
                    name_process(plan.processes[profiles.members[m]]), make_printable(path)});
    if (profiles.ratio)
      rows.back().insert(rows.back().begin() + 3, show_ratio(find_ratio(profiles, m, p)));
  }

  auto out = write_kept_only_line(plan) +
             (places.empty() ? std::string("no calls\n") : text_table(rows, {.left_columns = 2}));
  if (shown < places.size())
    out += fmt::format("and {} more, which are not shown\n", show_count(places.size() - shown));
  return out;
}

std::string to_csv(const Plan& plan, const ProcessProfiles& profiles) {
  auto out = make_csv_heading(profiles);

  std::vector<std::string> names;
  for (std::size_t path = 0; path < profiles.calls.paths.size(); ++path)
    names.push_back(quote_csv(name_path(plan, profiles.calls, static_cast<PathIndex>(path))));

  for (std::size_t m = 0; m < profiles.members.size(); ++m) {
    const auto& process = plan.processes[profiles.members[m]];
    const auto& paths = profiles.calls.shape(m).paths;
    const auto inclusive = sum_inclusive(profiles, m);

    const auto add_row = [&](const std::string& path, std::uint64_t ticks,
                             std::optional<std::size_t> place, auto&& find_value) {
      out += fmt::format("{},{},{},{},{}", process.id,
                         process.rank ? std::to_string(*process.rank) : "", process.thread, path,
                         show_time(plan, ticks));
      for (std::size_t k = 0; k < profiles.metrics.size(); ++k)
        out += "," + show_value(plan, profiles.metrics[k], find_value(k));
      if (profiles.ratio) {
        const auto ratio = find_ratio(profiles, m, place);
        out += ratio ? fmt::format(",{}", *ratio) : ",";
      }
      out += "\r\n";
    };

    for (std::size_t p = 0; p < paths.size(); ++p) {
      const auto caller = profiles.calls.paths[paths[p]].caller;
      add_row(fmt::format("{},{},{}", paths[p], caller == no_path ? "" : std::to_string(caller),
                          names[paths[p]]),
              inclusive[p], p,
              [&](std::size_t k) { return find_value_in_call(profiles, m, p, k); });
    }

    if (const auto outside = sum_outside(profiles, m); !outside.empty())
      add_row(",,", 0, std::nullopt, [&](std::size_t k) { return std::optional(outside[k]); });
  }

  return out;
}

std::string to_json(const Plan& plan, const ProcessProfiles& profiles) {
  Json metrics = Json::array();
  for (const auto& metric : profiles.metrics)
    metrics.push_back({{"name", make_printable(metric.name)},
                       {"unit", make_printable(name_unit(metric.kind, metric.recorded_unit))}});

  Json paths = Json::array();
  for (const auto& path : profiles.calls.paths)
    paths.push_back({{"caller_path", path.caller == no_path ? Json() : Json(path.caller)},
                     {"function", make_printable(plan.functions[path.function].shown_name())}});

  Json processes = Json::array();
  for (std::size_t m = 0; m < profiles.members.size(); ++m) {
    const auto& process = plan.processes[profiles.members[m]];
    const auto& shape = profiles.calls.shape(m);
    Json rows = Json::array();
    for (std::size_t p = 0; p < shape.paths.size(); ++p) {
      Json values = Json::array();
      for (std::size_t k = 0; k < profiles.metrics.size(); ++k)
        values.push_back(
            value_to_json(plan, profiles.metrics[k], find_value_in_call(profiles, m, p, k)));
      rows.push_back({{"path", shape.paths[p]}, {"values", std::move(values)}});
      if (profiles.ratio)
        rows.back()["ratio"] = make_json_value(find_ratio(profiles, m, p));
    }

    Json one{{"id", std::to_string(process.id)}, {"name", make_printable(process.name)}};
    one["rank"] = process.rank ? Json(*process.rank) : Json();
    one["thread"] = process.thread;
    one["rows"] = std::move(rows);
    const auto outside = sum_outside(profiles, m);
    for (std::size_t k = 0; k < outside.size(); ++k)
      one["outside_calls"].push_back(value_to_json(plan, profiles.metrics[k], outside[k]));
    processes.push_back(std::move(one));
  }

  Json out{{"tracefold_process_profiles", 1},
           {"anchor", plan.trace.anchor},
           {"metrics", std::move(metrics)},
           {"paths", std::move(paths)},
           {"processes", std::move(processes)}};
  if (profiles.ratio)
    out["ratio"] = {{"name", profiles.ratio->name}, {"unit", profiles.ratio->unit}};
  return write_json_text(out);
}

}  // namespace tracefold
