#include "model/aggregates/aggregates.hpp"

#include "base/error.hpp"
#include "base/json_fields.hpp"
#include "base/ranges.hpp"
#include "base/whole_number.hpp"
#include "model/profile/function_json.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace tracefold {

using Json = nlohmann::ordered_json;

namespace {

[[noreturn]] void throw_unfit(const std::string& what) {
  throw Error(ErrorKind::input, "its call paths " + what);
}

Json function_to_json(const Function& f, Metric time) {
  Json out = f;
  for (const auto* name : {"canonical", "file", "line", "paradigm"})
    if (out[name] == "" || out[name] == 0)
      out.erase(name);
  if (time != Metric::execution_time)
    out["time"] = get_entry(time).name;

  return out;
}

Metric find_measured(const std::string& name) {
  for (std::size_t m = 0; m < measured_metric_count; ++m)
    if (metric_table[m].name == name)
      return static_cast<Metric>(m);
  throw_unfit(fmt::format("name a metric '{}', which is not known", name));
}

Metric find_time_metric(const Json& function) {
  if (!function.contains("time"))
    return Metric::execution_time;

  const auto metric = find_measured(function["time"]);
  if (!is_part_of_execution_time(metric))
    throw_unfit("have time of a function that is no time");
  return metric;
}

// Pairs as one flat list: caller, function, caller, function, …; without a caller -1.
Json paths_to_json(const std::vector<CallPath>& paths) {
  Json out = Json::array();
  for (const auto& [caller, function] : paths) {
    out.push_back(caller == no_path ? Json(-1) : Json(caller));
    out.push_back(function);
  }

  return out;
}

std::vector<CallPath> paths_from(const Json& in, std::size_t functions) {
  if (in.size() % 2)
    throw_unfit("have half a call path");

  std::vector<CallPath> paths;
  std::set<std::pair<PathIndex, FunctionIndex>> known;
  for (std::size_t k = 0; k + 1 < in.size(); k += 2) {
    const auto caller = in[k] == Json(-1) ? no_path : read_whole<PathIndex>(in[k]);
    const auto function = read_whole<FunctionIndex>(in[k + 1]);
    if (function >= functions)
      throw_unfit(fmt::format("name function {} of {}", function, functions));
    if (caller != no_path && caller >= paths.size())
      throw_unfit("have a call path before its caller");
    if (!known.emplace(caller, function).second)
      throw_unfit("have a call path twice");
    paths.push_back({caller, function});
  }

  return paths;
}

CallShape shape_from(const Json& in, const std::vector<CallPath>& paths) {
  CallShape shape;
  const auto& text = in.get_ref<const std::string&>();
  for (auto path : text.empty() ? std::vector<std::uint64_t>() : parse_ranges(text, paths.size())) {
    if (path >= paths.size())
      throw_unfit(fmt::format("name call path {} of {}", path, paths.size()));

    const auto caller = paths[path].caller;
    const auto at = std::lower_bound(shape.paths.begin(), shape.paths.end(), caller);
    if (caller != no_path && (at == shape.paths.end() || *at != caller))
      throw_unfit("have a call path without its caller");
    shape.callers.push_back(caller == no_path ? no_path
                                              : static_cast<PathIndex>(at - shape.paths.begin()));
    shape.paths.push_back(static_cast<PathIndex>(path));
  }

  return shape;
}

Json metrics_to_json(const std::vector<Metric>& metrics) {
  Json out = Json::array();
  for (auto metric : metrics)
    out.push_back(get_entry(metric).name);
  return out;
}

// Ascending; none where there is no such list.
std::vector<Metric> metrics_from(const Json& in, const char* name) {
  std::vector<Metric> metrics;
  if (in.contains(name))
    for (const auto& metric : in[name])
      metrics.push_back(find_measured(metric));
  if (std::adjacent_find(metrics.begin(), metrics.end(), std::greater_equal()) != metrics.end())
    throw_unfit("have metrics in another order than they are known in");

  return metrics;
}

void read_steps(const Json& in, std::vector<Counter>& counters) {
  if (in.size() != counters.size())
    throw_unfit("have steps of other counters than they name");
  for (std::size_t k = 0; k < counters.size(); ++k) {
    counters[k].steps_per_unit = read_whole<std::uint64_t>(in.at(k));
    if (counters[k].steps_per_unit == 0)
      throw_unfit("have a counter without steps");
  }
}

MetricColumns columns_from(const Json& in) {
  MetricColumns columns;
  in.at("metrics");
  columns.measured = metrics_from(in, "metrics");
  columns.cut = metrics_from(in, "cut_metrics");
  for (auto metric : columns.cut)
    if (columns.find(metric))
      throw_unfit(
          fmt::format("have the metric '{}', whose records were cut", get_entry(metric).name));
  for (auto& name : in.at("counters").get<std::vector<std::string>>())
    columns.counters.push_back({std::move(name), 1});
  if (in.contains("steps_per_unit"))
    read_steps(in["steps_per_unit"], columns.counters);

  std::set<std::string_view> names;
  for (const auto& counter : columns.counters)
    if (!names.insert(counter.name).second)
      throw_unfit("name a counter twice");

  if (!columns.find(Metric::execution_time) || !columns.find(Metric::visits))
    throw_unfit("lack execution time or visits");

  return columns;
}

}  // namespace

Json frame_to_json(const Aggregates& aggregates) {
  const auto& profiles = aggregates.profiles;
  Json functions = Json::array(), counters = Json::array(), steps = Json::array(),
       shapes = Json::array();
  for (std::size_t f = 0; f < aggregates.functions.size(); ++f)
    functions.push_back(function_to_json(aggregates.functions[f], aggregates.time_metrics[f]));
  for (const auto& counter : profiles.columns.counters) {
    counters.push_back(counter.name);
    steps.push_back(counter.steps_per_unit);
  }
  for (const auto& shape : profiles.shapes)
    shapes.push_back(to_ranges({shape.paths.begin(), shape.paths.end()}));

  Json out{{"functions", std::move(functions)},
           {"metrics", metrics_to_json(profiles.columns.measured)},
           {"counters", std::move(counters)},
           {"steps_per_unit", std::move(steps)},
           {"paths", paths_to_json(profiles.paths)},
           {"shapes", std::move(shapes)}};
  if (!profiles.columns.cut.empty())
    out["cut_metrics"] = metrics_to_json(profiles.columns.cut);
  out["processes"] = Json::array();

  return out;
}

std::size_t count_listed_paths(const Aggregates& aggregates) {
  std::size_t listed = 0;
  for (const auto& shape : aggregates.profiles.shapes)
    listed += shape.paths.size();
  return listed;
}

Aggregates frame_from_json(const Json& in, std::size_t most_listed) {
  Aggregates out;
  for (const auto& f : in.at("functions")) {
    out.functions.push_back(f.get<Function>());
    out.time_metrics.push_back(find_time_metric(f));
  }

  auto& profiles = out.profiles;
  profiles.columns = columns_from(in);
  for (auto metric : out.time_metrics)
    if (!profiles.columns.find(metric))
      throw_unfit(fmt::format("lack the metric '{}'", get_entry(metric).name));
  profiles.paths = paths_from(in.at("paths"), out.functions.size());
  std::size_t listed = 0;
  for (const auto& shape : in.at("shapes")) {
    profiles.shapes.push_back(shape_from(shape, profiles.paths));
    listed += profiles.shapes.back().paths.size();
    if (listed > most_listed)
      throw_unfit("are too large");
  }
  if (!in.at("processes").empty())
    throw_unfit("have values of processes, which are tables");

  return out;
}

}  // namespace tracefold
