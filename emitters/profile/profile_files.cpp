// Profiles as CSV and JSON.
#include "emitters/profile/profile_tables.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <utility>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

const char* name_of(ProfileReport::View view) {
  switch (view) {
    case ProfileReport::View::functions: return "functions";
    case ProfileReport::View::call_paths: return "call_paths";
    case ProfileReport::View::neighbours: return "neighbours";
  }

  return "";
}

const char* name_of(Relation relation) {
  switch (relation) {
    case Relation::self: return "self";
    case Relation::caller: return "caller";
    case Relation::callee: return "callee";
  }

  return "";
}

// What a file says of a function; nothing of the virtual root.
std::string function_columns(const Plan& plan, FunctionIndex index) {
  if (index == virtual_root)
    return ",,,";
  const auto& f = plan.functions[index];
  return fmt::format("{},{},{},{}", csv_field(f.name), csv_field(f.canonical), csv_field(f.file),
                     f.line);
}

std::string key_columns(const Plan& plan, const ProfileReport& report, const ProfileRow& row) {
  if (report.view == ProfileReport::View::call_paths) {
    const auto caller = report.paths[row.path].caller;
    return fmt::format("{},{},", row.path, caller == no_path ? "" : std::to_string(caller));
  }

  if (report.view == ProfileReport::View::neighbours)
    return fmt::format("{},{},", csv_field(plan.functions[row.subject].name),
                       name_of(row.relation));

  return "";
}

std::string time_columns(const Plan& plan, const Spread& spread) {
  const int digits = plan.trace.ticks_per_second > 1'000'000'000 ? 15 : 9;
  auto out = fmt::format("{:.{}f}", seconds_of(plan, spread.total), digits);
  for (auto ticks : spread.at)
    out += fmt::format(",{:.{}f}", seconds_of(plan, ticks), digits);
  return out;
}

std::string visit_columns(const Spread& spread) {
  auto out = fmt::format("{:.0f}", spread.total);
  for (auto n : spread.at)
    out += fmt::format(",{}", n);
  return out;
}

std::string outlier_columns(const Plan& plan, const Spread& spread) {
  std::string ids;
  for (auto p : spread.furthest)
    ids += fmt::format("{}{}", ids.empty() ? "" : " ", plan.processes[p].id);
  return fmt::format("{},{}", spread.outliers, ids);
}

std::string header_of(ProfileReport::View view) {
  std::string out = "group,processes,";
  if (view == ProfileReport::View::call_paths)
    out += "path,caller_path,";
  if (view == ProfileReport::View::neighbours)
    out += "of,relation,";

  out += "function,canonical,file,line";

  for (const auto& [name, unit] :
       {std::pair{"visits", ""}, {"exclusive", "_seconds"}, {"inclusive", "_seconds"}}) {
    out += fmt::format(",{}_total{}", name, unit);
    for (auto p : shown_percentiles)
      out += fmt::format(",{}_p{}{}", name, p, unit);
    out += fmt::format(",{}_outliers,{}_furthest_locations", name, name);
  }

  return out + ",exclusive_variation\r\n";
}

Json processes_json(const Plan& plan, const std::vector<std::size_t>& processes) {
  Json out = Json::array();
  for (auto p : processes) {
    const auto& process = plan.processes[p];
    Json one{{"id", std::to_string(process.id)}, {"name", process.name}};
    if (process.rank)
      one["rank"] = *process.rank;
    one["thread"] = process.thread;
    out.push_back(std::move(one));
  }

  return out;
}

Json spread_json(const Plan& plan, const Spread& spread, bool is_time) {
  Json percentiles = Json::array();
  for (auto n : spread.at)
    percentiles.push_back(is_time ? Json(seconds_of(plan, n)) : Json(n));

  return {{"percentiles", std::move(percentiles)},
          {"total", is_time ? Json(seconds_of(plan, spread.total))
                            : Json(static_cast<std::uint64_t>(spread.total))},
          {"outliers", spread.outliers},
          {"furthest", processes_json(plan, spread.furthest)}};
}

Json function_json(const Plan& plan, FunctionIndex index) {
  if (index == virtual_root)
    return nullptr;
  const auto& f = plan.functions[index];
  return {{"name", f.name}, {"canonical", f.canonical}, {"file", f.file}, {"line", f.line}};
}

Json row_json(const Plan& plan, const ProfileReport& report, const ProfileRow& row) {
  Json out = Json::object();
  if (report.view == ProfileReport::View::call_paths) {
    const auto caller = report.paths[row.path].caller;
    out["path"] = row.path;
    out["caller_path"] = caller == no_path ? Json(nullptr) : Json(caller);
  }

  if (report.view == ProfileReport::View::neighbours) {
    out["of"] = plan.functions[row.subject].name;
    out["relation"] = name_of(row.relation);
  }

  out["function"] = function_json(plan, row.function);
  out["visits"] = spread_json(plan, row.visits, false);
  out["exclusive_seconds"] = spread_json(plan, row.exclusive, true);
  out["inclusive_seconds"] = spread_json(plan, row.inclusive, true);
  out["exclusive_variation"] = row.variation;

  return out;
}

}  // namespace

std::string profile_csv(const Plan& plan, const ProfileReport& report) {
  auto out = header_of(report.view);
  for (const auto& group : report.groups)
    for (const auto& row : group.rows)
      out += fmt::format("{},{},{}{},{},{},{},{},{},{},{:.6g}\r\n", group.group, group.processes,
                         key_columns(plan, report, row), function_columns(plan, row.function),
                         visit_columns(row.visits), outlier_columns(plan, row.visits),
                         time_columns(plan, row.exclusive), outlier_columns(plan, row.exclusive),
                         time_columns(plan, row.inclusive), outlier_columns(plan, row.inclusive),
                         row.variation);

  return out;
}

std::string profile_json(const Plan& plan, const ProfileReport& report) {
  Json out{{"tracefold_profile", 1},
           {"anchor", plan.trace.anchor},
           {"view", name_of(report.view)},
           {"percentiles", shown_percentiles}};

  Json groups = Json::array();

  for (const auto& group : report.groups) {
    Json rows = Json::array();
    for (const auto& row : group.rows)
      rows.push_back(row_json(plan, report, row));

    groups.push_back({{"group", group.group},
                      {"processes", group.processes},
                      {"members", ids_of(plan, (*plan.groups)[group.group].members)},
                      {"left_out", group.left_out},
                      {"rows", std::move(rows)}});
  }

  out["groups"] = std::move(groups);

  return json_text(out);
}

}  // namespace tracefold
