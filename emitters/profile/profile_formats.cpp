#include "emitters/profile/profile_formats.hpp"

#include "base/json_text.hpp"
#include "emitters/tables.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t longest_profile_name = 60;
constexpr std::size_t longest_members = 50;
constexpr std::size_t deepest_indent = 30;
constexpr std::size_t most_outliers = 3;

std::string show_name(const Plan& plan, FunctionIndex function, LongCells long_cells) {
  return function == virtual_root ? "(nobody)"
                                  : fit_cell(make_printable(plan.functions[function].name),
                                             longest_profile_name, long_cells);
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

const Spread& get_spread(const ProfileRow& row, Quantity quantity) {
  switch (quantity) {
    case Quantity::visits: return row.visits;
    case Quantity::inclusive: return row.inclusive;
    case Quantity::exclusive: break;
  }

  return row.exclusive;
}

std::string show_value(const Plan& plan, std::uint64_t value, Quantity quantity) {
  return quantity == Quantity::visits ? group_digits(value) : format_time(plan, value);
}

// The three quantities in the order of their columns.
std::array<Quantity, 3> order_quantities(Quantity first) {
  using enum Quantity;
  switch (first) {
    case visits: return {visits, exclusive, inclusive};
    case inclusive: return {inclusive, exclusive, visits};
    case exclusive: break;
  }

  return {exclusive, inclusive, visits};
}

std::string name(Quantity quantity) {
  switch (quantity) {
    case Quantity::visits: return "visits";
    case Quantity::inclusive: return "inclusive";
    case Quantity::exclusive: break;
  }

  return "exclusive";
}

// The function of a row, indented by its depth in the call tree, or with its relation to another
// function.
std::string make_label(const Plan& plan, const ProfileReport& report, const ProfileRow& row,
                       std::size_t depth, LongCells long_cells) {
  auto name = show_name(plan, row.function, long_cells);
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

std::string make_title(const Plan& plan, const GroupProfile& group, LongCells long_cells) {
  const auto& members = (*plan.groups)[group.group].members;
  const auto who =
      ids_are_ranks(plan) ? format_ids(plan, members) : "ranks " + list_ranks(plan, members);
  return fmt::format("group {}: {} process{}, {}, {}\n", group.group, group.processes,
                     group.processes == 1 ? "" : "es",
                     fit_cell(make_printable(plan.processes[members.front()].name),
                              longest_profile_name, long_cells),
                     fit_cell(who, longest_members, long_cells));
}

std::string make_group_table(const Plan& plan, const ProfileReport& report,
                             const GroupProfile& group, Quantity shown, LongCells long_cells) {
  const bool is_tree = report.view == ProfileReport::View::call_paths;
  const auto [first, second, third] = order_quantities(shown);

  TableRows rows(1);
  for (auto p : shown_percentiles)
    rows[0].push_back(fmt::format("{}{} %", rows[0].empty() ? name(first) + " " : "", p));

  rows[0].insert(rows[0].end(), {name(second) + " 50 %", name(third) + " 50 %",
                                 is_tree ? "call path" : "function", "outliers"});

  // Rows of call paths come with each path before its callees.
  std::vector<std::size_t> depths(is_tree ? report.paths.size() : 0);

  for (const auto& row : group.rows) {
    std::size_t depth = 0;
    if (is_tree && report.paths[row.path].caller != no_path) {
      depth = depths[report.paths[row.path].caller] + 1;
      depths[row.path] = depth;
    }

    auto& cells = rows.emplace_back();
    for (auto value : get_spread(row, first).at)
      cells.push_back(show_value(plan, value, first));
    for (auto other : {second, third})
      cells.push_back(show_value(plan, get_spread(row, other).at[2], other));

    cells.push_back(make_label(plan, report, row, depth, long_cells));
    cells.push_back(show_outliers(plan, get_spread(row, first)));
  }

  auto out = make_title(plan, group, long_cells);
  if (!group.rows.empty())
    out += text_table(rows, 2);
  else if (report.view == ProfileReport::View::neighbours)
    out += "no calls of these functions\n";
  else
    out += "no calls\n";

  if (group.left_out)
    out += fmt::format("and {} more, which are not shown\n", group.left_out);

  return out;
}

}  // namespace

std::string to_table(const Plan& plan, const ProfileReport& report, Quantity shown,
                     LongCells long_cells) {
  std::string out;
  for (const auto& group : report.groups)
    out += (out.empty() ? "" : "\n") + make_group_table(plan, report, group, shown, long_cells);

  return out.empty() ? "no processes\n" : out;
}

namespace {

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
    return fmt::format("{},{},", quote_csv(plan.functions[row.subject].name), name(row.relation));

  return "";
}

std::string time_columns(const Plan& plan, const Spread& spread) {
  const int digits = plan.trace.ticks_per_second > 1'000'000'000 ? 15 : 9;
  auto out = fmt::format("{:.{}f}", to_seconds(plan, spread.total), digits);
  for (auto ticks : spread.at)
    out += fmt::format(",{:.{}f}", to_seconds(plan, ticks), digits);

  return out;
}

std::string visit_columns(const Spread& spread) {
  auto out = fmt::format("{:.0f}", spread.total);
  for (auto n : spread.at)
    out += fmt::format(",{}", n);

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

  for (const auto& [name, unit] :
       {std::pair{"visits", ""}, {"exclusive", "_seconds"}, {"inclusive", "_seconds"}}) {
    out += fmt::format(",{}_total{}", name, unit);
    for (auto p : shown_percentiles)
      out += fmt::format(",{}_p{}{}", name, p, unit);
    out += fmt::format(",{0}_outliers,{0}_furthest_locations,{0}_furthest_ranks", name);
  }

  return out + ",exclusive_variation\r\n";
}

}  // namespace

std::string to_csv(const Plan& plan, const ProfileReport& report) {
  auto out = make_heading(report.view);
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

namespace {

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

Json spread_json(const Plan& plan, const Spread& spread, bool is_time) {
  Json percentiles = Json::array();
  for (auto n : spread.at)
    percentiles.push_back(is_time ? Json(to_seconds(plan, n)) : Json(n));

  return {{"percentiles", std::move(percentiles)},
          {"total", is_time ? Json(to_seconds(plan, spread.total))
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
    out["relation"] = name(row.relation);
  }

  out["function"] = function_json(plan, row.function);
  out["visits"] = spread_json(plan, row.visits, false);
  out["exclusive_seconds"] = spread_json(plan, row.exclusive, true);
  out["inclusive_seconds"] = spread_json(plan, row.inclusive, true);
  out["exclusive_variation"] = row.variation;

  return out;
}

}  // namespace

std::string to_json(const Plan& plan, const ProfileReport& report) {
  Json out{{"tracefold_profile", 1},
           {"anchor", plan.trace.anchor},
           {"view", name(report.view)},
           {"percentiles", shown_percentiles}};

  Json groups = Json::array();

  for (const auto& group : report.groups) {
    Json rows = Json::array();
    for (const auto& row : group.rows)
      rows.push_back(row_json(plan, report, row));

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
