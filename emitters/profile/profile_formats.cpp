#include "emitters/profile/profile_formats.hpp"

#include "base/json_text.hpp"
#include "model/describe_group.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace tracefold {

namespace {

constexpr std::size_t deepest_indent = 30;
constexpr std::size_t most_outliers = 3;

std::string show_name(const Plan& plan, FunctionIndex function) {
  return function == virtual_root ? "(nobody)"
                                  : make_printable(plan.functions[function].shown_name());
}

std::string show_outliers(const Plan& plan, const Spread& spread) {
  if (spread.outliers == 0)
    return "";

  std::string names;
  for (std::size_t k = 0; k < std::min(most_outliers, spread.furthest.size()); ++k)
    names += (k ? ", " : "") + name_process(plan.processes[spread.furthest[k]]);

  return fmt::format("{}: {}{}", spread.outliers, names,
                     spread.furthest.size() > most_outliers ? ", ..." : "");
}

struct QuantityEntry {
  const char* name;
  Spread ProfileRow::*spread;
  bool is_time;
};

// In the order of Quantity, and in that of the columns and fields for programs.
constexpr QuantityEntry quantities[] = {{"exclusive", &ProfileRow::exclusive, true},
                                        {"inclusive", &ProfileRow::inclusive, true},
                                        {"visits", &ProfileRow::visits, false}};
constexpr std::array written{quantities[2], quantities[0], quantities[1]};

std::string show_value(const Plan& plan, std::uint64_t value, const QuantityEntry& quantity) {
  return quantity.is_time ? format_time(plan, value) : show_count(value);
}

// The function of a row, indented by its depth in the call tree, or with its relation to another
// function.
std::string make_label(const Plan& plan, const ProfileReport& report, const ProfileRow& row,
                       std::size_t depth) {
  auto name = show_name(plan, row.function);
  if (report.view == ProfileReport::View::call_paths)
    return std::string(2 * std::min(depth, deepest_indent), ' ') +
           (depth > deepest_indent ? fmt::format("[{}] ", depth) : "") + name;

  switch (row.relation) {
    case Relation::caller: return "  called by " + name;
    case Relation::callee: return "  calls " + name;
    case Relation::self: break;
  }

  return name;
}

// Where kept processes stand for others, what these did is not known: there is the median of the
// kept ones, and neither other percentiles nor totals.
bool stands_for_others(const Plan& plan, const GroupProfile& group) {
  return group.processes > (*plan.groups)[group.group].members.size();
}
constexpr std::size_t median = 2;  // in shown_percentiles

std::string make_title(const Plan& plan, const GroupProfile& group) {
  const auto& members = (*plan.groups)[group.group].members;
  const auto kept = stands_for_others(plan, group)
                        ? fmt::format(" (of the {} kept process{} only)", members.size(),
                                      members.size() == 1 ? "" : "es")
                        : "";
  return fmt::format("group {}: {} process{}{}, {}, {}\n", group.group, group.processes,
                     group.processes == 1 ? "" : "es", kept, describe_group(plan, group.group),
                     list_places(plan, members));
}

// Of the columns of a table, which are left out first where there is no room: the quartiles, then
// the other quantities, the outliers, and the extremes.
std::vector<std::string> rank_columns(const std::vector<std::string>& headings) {
  return {headings[1], headings[3], headings[5], headings[6], "outliers", headings[0], headings[4]};
}

std::string make_group_table(const Plan& plan, const ProfileReport& report,
                             const GroupProfile& group, Quantity shown) {
  const bool is_tree = report.view == ProfileReport::View::call_paths;
  const auto& first = quantities[static_cast<std::size_t>(shown)];

  TableRows rows(1);
  for (auto p : shown_percentiles)
    rows[0].push_back(
        fmt::format("{}{} %", rows[0].empty() ? first.name + std::string(" ") : "", p));
  for (const auto& other : quantities)
    if (&other != &first)
      rows[0].push_back(other.name + std::string(" 50 %"));
  rows[0].insert(rows[0].end(), {is_tree ? "call path" : "function", "outliers"});

  const bool only_median = stands_for_others(plan, group);
  // Rows of call paths come with each path before its callees.
  std::vector<std::size_t> depths(is_tree ? report.paths.size() : 0);

  for (const auto& row : group.rows) {
    std::size_t depth = 0;
    if (is_tree && report.paths[row.path].caller != no_path) {
      depth = depths[report.paths[row.path].caller] + 1;
      depths[row.path] = depth;
    }

    auto& cells = rows.emplace_back();
    const auto& values = (row.*first.spread).at;
    for (std::size_t k = 0; k < values.size(); ++k)
      cells.push_back(only_median && k != median ? "n/a" : show_value(plan, values[k], first));
    for (const auto& other : quantities)
      if (&other != &first)
        cells.push_back(show_value(plan, (row.*other.spread).at[2], other));

    cells.push_back(make_label(plan, report, row, depth));
    cells.push_back(show_outliers(plan, row.*first.spread));
  }

  auto out = make_title(plan, group);
  if (!group.rows.empty())
    out += text_table(rows, {.left_columns = 2, .less_important = rank_columns(rows[0])});
  else if (report.view == ProfileReport::View::neighbours)
    out += "no calls of these functions\n";
  else
    out += "no calls\n";

  if (group.left_out)
    out += fmt::format("and {} more, which are not shown\n", group.left_out);

  return out;
}

const char* name(ProfileReport::View view) {
  switch (view) {
    case ProfileReport::View::functions: return "functions";
    case ProfileReport::View::call_paths: return "call_paths";
    case ProfileReport::View::neighbours: return "neighbours";
  }

  return "";
}

const char* name(Relation relation) {
  switch (relation) {
    case Relation::self: return "self";
    case Relation::caller: return "caller";
    case Relation::callee: return "callee";
  }

  return "";
}

// Empty fields for the virtual root.
std::string function_columns(const Plan& plan, FunctionIndex index) {
  if (index == virtual_root)
    return ",,,";

  const auto& f = plan.functions[index];
  return fmt::format("{},{},{},{}", quote_csv(f.name), quote_csv(f.canonical), quote_csv(f.file),
                     f.line);
}

std::string key_columns(const Plan& plan, const ProfileReport& report, const ProfileRow& row) {
  if (report.view == ProfileReport::View::call_paths) {
    const auto caller = report.paths[row.path].caller;
    return fmt::format("{},{},", row.path, caller == no_path ? "" : std::to_string(caller));
  }

  if (report.view == ProfileReport::View::neighbours)
    return fmt::format("{},{},", quote_csv(plan.functions[row.subject].shown_name()),
                       name(row.relation));

  return "";
}

std::string value_columns(const Plan& plan, const Spread& spread, bool is_time, bool only_median) {
  const int digits = plan.trace.ticks_per_second > 1'000'000'000 ? 15 : 9;
  std::string out;
  if (!only_median)
    out = is_time ? fmt::format("{:.{}f}", to_seconds(plan, spread.total), digits)
                  : fmt::format("{:.0f}", spread.total);
  for (std::size_t k = 0; k < spread.at.size(); ++k) {
    out += ',';
    if (!only_median || k == median)
      out += is_time ? fmt::format("{:.{}f}", to_seconds(plan, spread.at[k]), digits)
                     : fmt::format("{}", spread.at[k]);
  }

  return out;
}

std::string outlier_columns(const Plan& plan, const Spread& spread) {
  std::string ids, ranks;
  for (auto p : spread.furthest) {
    const auto& process = plan.processes[p];
    const char* separator = ids.empty() ? "" : " ";
    ids += fmt::format("{}{}", separator, process.id);
    if (process.rank)
      ranks += fmt::format("{}{}", separator, *process.rank);
  }

  return fmt::format("{},{},{}", spread.outliers, ids, ranks);
}

std::string make_heading(ProfileReport::View view) {
  std::string out = "group,processes,";
  if (view == ProfileReport::View::call_paths)
    out += "path,caller_path,";
  if (view == ProfileReport::View::neighbours)
    out += "of,relation,";

  out += "function,canonical,file,line";

  for (const auto& quantity : written) {
    const auto unit = quantity.is_time ? "_seconds" : "";
    out += fmt::format(",{}_total{}", quantity.name, unit);
    for (auto p : shown_percentiles)
      out += fmt::format(",{}_p{}{}", quantity.name, p, unit);
    out += fmt::format(",{0}_outliers,{0}_furthest_locations,{0}_furthest_ranks", quantity.name);
  }

  return out + ",exclusive_variation,group_name\r\n";
}

using Json = nlohmann::ordered_json;

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

Json spread_json(const Plan& plan, const Spread& spread, bool is_time, bool only_median) {
  Json percentiles = Json::array();
  for (std::size_t k = 0; k < spread.at.size(); ++k)
    if (only_median && k != median)
      percentiles.push_back(nullptr);
    else
      percentiles.push_back(is_time ? Json(to_seconds(plan, spread.at[k])) : Json(spread.at[k]));
  const auto total = is_time ? Json(to_seconds(plan, spread.total))
                             : Json(static_cast<std::uint64_t>(spread.total));

  return {{"percentiles", std::move(percentiles)},
          {"total", only_median ? Json(nullptr) : total},
          {"outliers", spread.outliers},
          {"furthest", processes_json(plan, spread.furthest)}};
}

Json function_json(const Plan& plan, FunctionIndex index) {
  if (index == virtual_root)
    return nullptr;

  const auto& f = plan.functions[index];
  return {{"name", f.name}, {"canonical", f.canonical}, {"file", f.file}, {"line", f.line}};
}

Json row_json(const Plan& plan, const ProfileReport& report, const ProfileRow& row,
              bool only_median) {
  Json out = Json::object();
  if (report.view == ProfileReport::View::call_paths) {
    const auto caller = report.paths[row.path].caller;
    out["path"] = row.path;
    out["caller_path"] = caller == no_path ? Json(nullptr) : Json(caller);
  }

  if (report.view == ProfileReport::View::neighbours) {
    out["of"] = plan.functions[row.subject].shown_name();
    out["relation"] = name(row.relation);
  }

  out["function"] = function_json(plan, row.function);
  for (const auto& [name, spread, is_time] : written)
    out[name + std::string(is_time ? "_seconds" : "")] =
        spread_json(plan, row.*spread, is_time, only_median);
  out["exclusive_variation"] = row.variation;

  return out;
}

}  // namespace

std::string to_table(const Plan& plan, const ProfileReport& report, Quantity shown) {
  std::string out;
  for (const auto& group : report.groups)
    out += (out.empty() ? "" : "\n") + make_group_table(plan, report, group, shown);

  return out.empty() ? "no processes\n" : out;
}

std::string to_csv(const Plan& plan, const ProfileReport& report) {
  auto out = make_heading(report.view);
  for (const auto& group : report.groups)
    for (const auto& row : group.rows) {
      out += fmt::format("{},{},{}{}", group.group, group.processes, key_columns(plan, report, row),
                         function_columns(plan, row.function));
      for (const auto& [name, spread, is_time] : written)
        out += fmt::format(
            ",{},{}", value_columns(plan, row.*spread, is_time, stands_for_others(plan, group)),
            outlier_columns(plan, row.*spread));
      out +=
          fmt::format(",{:.6g},{}\r\n", row.variation, quote_csv((*plan.groups)[group.group].name));
    }

  return out;
}

std::string to_json(const Plan& plan, const ProfileReport& report) {
  Json out{{"tracefold_profile", 1},
           {"anchor", plan.trace.anchor},
           {"view", name(report.view)},
           {"percentiles", shown_percentiles}};

  Json groups = Json::array();

  for (const auto& group : report.groups) {
    Json rows = Json::array();
    for (const auto& row : group.rows)
      rows.push_back(row_json(plan, report, row, stands_for_others(plan, group)));

    groups.push_back({{"group", group.group},
                      {"processes", group.processes},
                      {"members", format_ids(plan, (*plan.groups)[group.group].members)},
                      {"ranks", list_ranks(plan, (*plan.groups)[group.group].members)},
                      {"left_out", group.left_out},
                      {"rows", std::move(rows)}});
  }

  out["groups"] = std::move(groups);

  return write_json_text(out);
}

}  // namespace tracefold
