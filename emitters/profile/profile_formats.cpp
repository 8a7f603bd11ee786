#include "emitters/profile/profile_formats.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "emitters/layout.hpp"
#include "emitters/profile/process_summary.hpp"
#include "emitters/profile/profile_rows.hpp"
#include "emitters/show_names.hpp"
#include "emitters/table.hpp"
#include "emitters/text_table.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t most_outliers = 3;

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
  const char* field;
  Spread ProfileRow::*spread;
  bool is_time;
};

// In the order of Quantity, and in that of the columns and fields for programs.
constexpr QuantityEntry quantities[] = {
    {"exclusive", "exclusive_seconds", &ProfileRow::exclusive, true},
    {"inclusive", "inclusive_seconds", &ProfileRow::inclusive, true},
    {"visits", "visits", &ProfileRow::visits, false}};
constexpr std::array written{quantities[2], quantities[0], quantities[1]};

constexpr std::size_t median = 2;  // in shown_percentiles

// The part of all time of its processes that a row has; none where that is not known.
std::optional<double> find_share(const Plan& plan, const GroupProfile& group, double total) {
  if (stands_for_others(plan, group) || group.time == 0)
    return std::nullopt;
  return total / group.time;
}

std::optional<double> find_seconds_per_visit(const Plan& plan, const GroupProfile& group,
                                             const ProfileRow& row, double total) {
  if (stands_for_others(plan, group) || row.visits.total == 0)
    return std::nullopt;
  return to_seconds(plan, total / row.visits.total);
}

std::optional<double> find_ratio(const Plan& plan, const GroupProfile& group,
                                 const std::optional<double>& ratio) {
  return stands_for_others(plan, group) ? std::nullopt : ratio;
}

double to_units(const RecordedCounter& counter, double value) {
  return value / static_cast<double>(counter.steps_per_unit);
}

const char* name_rows(ProfileReport::View view) {
  switch (view) {
    case ProfileReport::View::call_paths: return "call path";
    case ProfileReport::View::function_groups: return "functions";
    default: return "function";
  }
}

std::string end_table(const ProfileReport& report, const GroupProfile& group) {
  std::string out;
  if (group.rows.empty())
    out += report.view == ProfileReport::View::neighbours ? "no calls of these functions\n"
                                                          : "no calls\n";
  if (group.left_out)
    out += fmt::format("and {} more, which are not shown\n", group.left_out);
  return out;
}

// Makes names of rows as short as a table needs in which no list is cut. False where there is no
// room for that.
bool shorten_row_names(TableRows& rows) {
  constexpr std::size_t shortest = 24;
  auto shortened = rows;
  for (auto most = text_layout().columns; !fits_line(shortened); --most) {
    if (most < shortest)
      return false;
    for (std::size_t r = 1; r < rows.size(); ++r)
      shortened[r].back() = fit_name(rows[r].back(), most);
  }
  rows = std::move(shortened);
  return true;
}

// The same rows where a table has no room for the lists: a function in a line, and below it one for
// each quarter that somebody is in.
std::string list_quarters(const TableRows& rows, const char* quantity) {
  constexpr std::array quarters{"to 25 %", "to 50 %", "to 75 %", "above  "};
  auto out =
      apply_style(fmt::format("{}, {}", rows[0].back(), quantity), TextStyle::heading) + "\n";
  for (std::size_t r = 1; r < rows.size(); ++r) {
    out += fit_name(rows[r].back(), text_layout().columns) + "\n";
    for (std::size_t q = 0; q < quarters.size(); ++q)
      if (rows[r][q] != "-")
        out += wrap_lines(fmt::format("  {}  {}\n", quarters[q], rows[r][q]));
  }
  return out;
}

// Which processes have how much of each row.
std::string make_quarters_table(const Plan& plan, const ProfileReport& report,
                                const GroupProfile& group) {
  const auto& quantity = quantities[static_cast<std::size_t>(*report.quarters_of)];
  TableRows rows{{quantity.name + std::string(" to 25 %"), "to 50 %", "to 75 %", "above",
                  name_rows(report.view)}};
  RowDepths depths(report);

  for (const auto& row : group.rows) {
    auto& cells = rows.emplace_back();
    for (const auto& quarter : *row.quarters)
      cells.push_back(stands_for_others(plan, group) ? "n/a"
                      : quarter.empty()              ? "-"
                                                     : list_places(plan, quarter));
    cells.push_back(name_row(plan, report, row, depths.find(row)));
  }

  auto out = name_group(plan, group) + "\n";
  if (!group.rows.empty())
    out += shorten_row_names(rows) ? text_table(rows, {.left_columns = rows[0].size()})
                                   : list_quarters(rows, quantity.name);
  return out + end_table(report, group);
}

const char* name(ProfileReport::View view) {
  switch (view) {
    case ProfileReport::View::functions: return "functions";
    case ProfileReport::View::call_paths: return "call_paths";
    case ProfileReport::View::neighbours: return "neighbours";
    case ProfileReport::View::function_groups: return "function_groups";
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

// `convert` makes values of what the numbers of a spread are.
template <class Convert>
Json numbers_json(const Spread& spread, bool only_median, Convert convert) {
  Json percentiles = Json::array();
  for (std::size_t k = 0; k < spread.at.size(); ++k)
    percentiles.push_back(only_median && k != median ? Json() : convert(spread.at[k]));
  const auto extreme = [&](std::uint64_t value) { return only_median ? Json() : convert(value); };
  return {{"percentiles", std::move(percentiles)},
          {"total", only_median ? Json() : convert(spread.total)},
          {"minimum", extreme(spread.minimum)},
          {"maximum", extreme(spread.maximum)}};
}

Json spread_json(const Plan& plan, const Spread& spread, bool is_time, bool only_median) {
  auto out = numbers_json(spread, only_median, [&](auto value) {
    return is_time ? Json(to_seconds(plan, value)) : Json(static_cast<std::uint64_t>(value));
  });
  out["outliers"] = spread.outliers;
  out["furthest"] = processes_json(plan, spread.furthest);
  return out;
}

Json function_json(const Plan& plan, FunctionIndex index) {
  if (index == virtual_root)
    return nullptr;

  const auto& f = plan.functions[index];
  return {{"name", f.name}, {"canonical", f.canonical}, {"file", f.file}, {"line", f.line}};
}

Json counters_json(const ProfileReport& report, const ProfileRow& row, bool only_median) {
  Json out = Json::object();
  for (std::size_t c = 0; c < report.counters.size(); ++c) {
    const auto& counter = report.counters[c];
    out[counter.name] = numbers_json(row.counters[c], only_median, [&](auto steps) {
      if (counter.is_unknown_in_calls)
        return Json();
      const auto value = static_cast<double>(steps);
      return counter.steps_per_unit == 1 ? Json(static_cast<std::uint64_t>(value))
                                         : Json(to_units(counter, value));
    });
  }
  return out;
}

Json quarters_json(const Plan& plan, const Quarters& quarters) {
  Json out = Json::array();
  for (const auto& quarter : quarters)
    out.push_back({{"members", format_ids(plan, quarter)}, {"ranks", list_ranks(plan, quarter)}});
  return out;
}

// What CSV and text have of a row besides.
Json make_beside(const Plan& plan, const GroupProfile& group, const ProfileRow& row,
                 const std::string& shown_name, Quantity shown) {
  const bool is_all = group.group == all_groups;
  const auto& spread = row.*quantities[static_cast<std::size_t>(shown)].spread;
  return {{"group", is_all ? Json("all") : Json(group.group)},
          {"processes", group.processes},
          {"group_name", is_all ? "" : (*plan.groups)[group.group].name},
          {"cluster", name_cluster(plan, group)},
          {"shown_name", shown_name},
          {"not_known", "not known"},
          {"shown_ratio", show_ratio(find_ratio(plan, group, row.ratio))},
          {"group_ratio", make_json_value(find_ratio(plan, group, group.ratio))},
          {"shown_outliers", show_outliers(plan, spread)}};
}

Json make_row(const Plan& plan, const ProfileReport& report, const GroupProfile& group,
              const ProfileRow& row) {
  const bool only_median = stands_for_others(plan, group);
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

  if (report.view == ProfileReport::View::function_groups)
    out["function_group"] = report.function_groups[row.function];
  else
    out["function"] = function_json(plan, row.function);
  for (const auto& quantity : written)
    out[quantity.field] = spread_json(plan, row.*quantity.spread, quantity.is_time, only_median);
  out["exclusive_variation"] = row.variation;
  const auto exclusive = row.exclusive.total, inclusive = row.inclusive.total;
  out["exclusive_share"] = make_json_value(find_share(plan, group, exclusive));
  out["inclusive_share"] = make_json_value(find_share(plan, group, inclusive));
  out["exclusive_seconds_per_visit"] =
      make_json_value(find_seconds_per_visit(plan, group, row, exclusive));
  out["inclusive_seconds_per_visit"] =
      make_json_value(find_seconds_per_visit(plan, group, row, inclusive));
  if (!report.counters.empty())
    out["counters"] = counters_json(report, row, only_median);
  if (report.ratio)
    out["ratio"] = make_json_value(find_ratio(plan, group, row.ratio));
  if (row.quarters)
    out["quartiles"] = only_median ? Json(nullptr) : quarters_json(plan, *row.quarters);

  return out;
}

// Calls visit(row) with all rows of a group as Table has them.
template <class Visit>
void for_each_row(const Plan& plan, const ProfileReport& report, const GroupProfile& group,
                  Quantity shown, Visit&& visit) {
  RowDepths depths(report);
  for (const auto& row : group.rows) {
    auto one = make_row(plan, report, group, row);
    one[beside] =
        make_beside(plan, group, row, name_row(plan, report, row, depths.find(row)), shown);
    visit(std::move(one));
  }
}

std::vector<TableColumn> list_key_columns(const ProfileReport& report) {
  const auto group = in_csv("group"), processes = in_csv("processes");
  switch (report.view) {
    case ProfileReport::View::function_groups: return {group, processes, in_csv("function_group")};
    case ProfileReport::View::call_paths:
      return {group, processes, in_csv("path"), in_csv("caller_path")};
    case ProfileReport::View::neighbours:
      return {group, processes, in_csv("of"), in_csv("relation")};
    default: return {group, processes};
  }
}

// CSV has the total and all percentiles of the spread that is in that field.
void add_spread(const std::string& name, const char* unit, std::vector<std::string> field,
                const char* digits, std::vector<TableColumn>& columns) {
  field.emplace_back("total");
  columns.push_back(in_csv(name + "_total" + unit, field, digits));
  field.back() = "percentiles";
  field.emplace_back();
  for (std::size_t k = 0; k < shown_percentiles.size(); ++k) {
    field.back() = std::to_string(k);
    columns.push_back(
        in_csv(fmt::format("{}_p{}{}", name, shown_percentiles[k], unit), field, digits));
  }
  field.pop_back();
  for (const char* extreme : {"minimum", "maximum"}) {
    field.back() = extreme;
    columns.push_back(in_csv(fmt::format("{}_{}{}", name, extreme, unit), field, digits));
  }
}

void add_quantities(const Plan& plan, std::vector<TableColumn>& columns) {
  const char* digits = plan.trace.ticks_per_second > 1'000'000'000 ? "{:.15f}" : "{:.9f}";
  for (const auto& of : written) {
    const std::string name = of.name;
    add_spread(name, of.is_time ? "_seconds" : "", {of.field}, digits, columns);
    columns.push_back(in_csv(name + "_outliers", {of.field, "outliers"}));
    columns.push_back(in_csv(name + "_furthest_locations", {of.field, "furthest", "*", "id"}));
    columns.push_back(in_csv(name + "_furthest_ranks", {of.field, "furthest", "*", "rank"}));
  }
}

// Text leaves these columns out where it has no room for all, the first ones first.
struct LeftOut {
  static constexpr int lower_quartile = 1, upper_quartile = 2, counter = 3, other_medians = 4,
                       outliers = 5, per_visit = 6, minimum = 7, maximum = 8;
};

// Text has all percentiles of the quantity that is shown, and the medians of the others.
void add_shown_quantities(Quantity shown, std::vector<TableColumn>& columns) {
  const auto& first = quantities[static_cast<std::size_t>(shown)];
  const auto add = [&](const QuantityEntry& of, std::size_t k, bool is_named, int order) {
    columns.push_back(
        in_text(
            fmt::format("{}{} %", is_named ? of.name + std::string(" ") : "", shown_percentiles[k]),
            {of.field, "percentiles", std::to_string(k)}, of.is_time ? Show::seconds : Show::count)
            .left_out(order));
  };
  constexpr int orders[] = {LeftOut::minimum, LeftOut::lower_quartile, 0, LeftOut::upper_quartile,
                            LeftOut::maximum};
  for (std::size_t k = 0; k < shown_percentiles.size(); ++k)
    add(first, k, k == 0, orders[k]);
  for (const auto& other : quantities)
    if (&other != &first)
      add(other, median, true, LeftOut::other_medians);
}

void add_counters(const ProfileReport& report, std::vector<TableColumn>& columns) {
  for (const auto& counter : report.counters) {
    const auto unit = counter.unit.empty() ? "" : " [" + counter.unit + "]";
    add_spread(counter.name, "", {"counters", counter.name}, "{}", columns);
    const auto heading = make_printable(counter.name + unit) + " 50 %";
    if (counter.is_unknown_in_calls)
      columns.push_back(in_text(heading, {"not_known"}).left_out(LeftOut::counter));
    else
      columns.push_back(in_text(heading,
                                {"counters", counter.name, "percentiles", std::to_string(median)},
                                counter.steps_per_unit == 1 ? Show::count : Show::plain)
                            .left_out(LeftOut::counter));
  }
}

// Of CSV and of text; what of the text has most columns is `shown`.
std::vector<TableColumn> list_columns(const Plan& plan, const ProfileReport& report,
                                      Quantity shown = Quantity::exclusive) {
  const std::string time = shown == Quantity::inclusive ? "inclusive" : "exclusive";
  auto columns = list_key_columns(report);
  if (report.view != ProfileReport::View::function_groups)
    for (const auto& [name, part] : {std::pair{"function", "name"},
                                     {"canonical", "canonical"},
                                     {"file", "file"},
                                     {"line", "line"}})
      columns.push_back(in_csv(name, {"function", part}));
  add_quantities(plan, columns);
  add_shown_quantities(shown, columns);
  const std::vector<TableColumn> middle{
      in_csv("exclusive_variation", {}, "{:.6g}"),
      in_csv("group_name"),
      in_csv("cluster"),
      in_csv("exclusive_share", {}, "{:.9f}"),
      in_csv("inclusive_share", {}, "{:.9f}"),
      in_csv("exclusive_per_visit_seconds", {"exclusive_seconds_per_visit"}, "{:.15f}"),
      in_csv("inclusive_per_visit_seconds", {"inclusive_seconds_per_visit"}, "{:.15f}"),
      in_text("per visit", {time + "_seconds_per_visit"}, Show::seconds)
          .left_out(LeftOut::per_visit),
      in_text("share", {time + "_share"}, Show::percent_with_decimal)};
  columns.insert(columns.end(), middle.begin(), middle.end());
  if (report.ratio)
    for (const auto& column : {in_text(show_ratio_name(*report.ratio), {"shown_ratio"}),
                               in_csv("ratio"), in_csv("group_ratio")})
      columns.push_back(column);
  add_counters(report, columns);
  columns.push_back(in_text(name_rows(report.view), {"shown_name"}));
  columns.push_back(in_text("outliers", {"shown_outliers"}).left_out(LeftOut::outliers));
  if (report.quarters_of)
    for (const char* quarter : {"0", "1", "2", "3"}) {
      const auto name = fmt::format("quartile_{}", quarter[0] - '0' + 1);
      columns.push_back(in_csv(name + "_locations", {"quartiles", quarter, "members"}));
      columns.push_back(in_csv(name + "_ranks", {"quartiles", quarter, "ranks"}));
    }
  return columns;
}

std::string make_group_table(const Plan& plan, const ProfileReport& report,
                             const GroupProfile& group, Quantity shown) {
  auto out = name_group(plan, group) + "\n";
  if (report.ratio)
    out += fmt::format("{}: {}\n", show_ratio_name(*report.ratio),
                       show_ratio(find_ratio(plan, group, group.ratio)));
  if (!group.rows.empty()) {
    Table table{.columns = list_columns(plan, report, shown), .unknown = "n/a"};
    for_each_row(plan, report, group, shown,
                 [&](Json row) { table.rows.push_back(std::move(row)); });
    out += write_text(table, 2);
  }
  return out + end_table(report, group);
}

Json group_json(const Plan& plan, const ProfileReport& report, const GroupProfile& group) {
  Json rows = Json::array();
  for (const auto& row : group.rows)
    rows.push_back(make_row(plan, report, group, row));

  const auto members = list_members(plan, group);
  Json out = Json::object();
  if (group.group != all_groups)
    out["group"] = group.group;
  if (group.cluster)
    out["cluster"] = name_cluster(plan, group);
  out["processes"] = group.processes;
  out["members"] = format_ids(plan, members);
  out["ranks"] = list_ranks(plan, members);
  if (report.ratio)
    out["ratio"] = make_json_value(find_ratio(plan, group, group.ratio));
  out["left_out"] = group.left_out;
  out["rows"] = std::move(rows);
  return out;
}

}  // namespace

std::string to_table(const Plan& plan, const ProfileReport& report, Quantity shown) {
  auto out = report.quarters_of ? "" : process_summary_table(plan, report);
  for (const auto* group : list_groups(report))
    out += (out.empty() ? "" : "\n") + (report.quarters_of
                                            ? make_quarters_table(plan, report, *group)
                                            : make_group_table(plan, report, *group, shown));

  return out.empty() ? "no processes\n" : out;
}

std::string to_csv(const Plan& plan, const ProfileReport& report) {
  const Table table{list_columns(plan, report)};
  auto out = write_csv(table);
  for (const auto* group : list_groups(report))
    for_each_row(plan, report, *group, Quantity::exclusive,
                 [&](const Json& row) { out += write_csv_row(table.columns, row); });
  return out;
}

std::string to_json(const Plan& plan, const ProfileReport& report) {
  Json out{{"tracefold_profile", 1},
           {"anchor", plan.trace.anchor},
           {"view", name(report.view)},
           {"percentiles", shown_percentiles}};
  if (report.quarters_of)
    out["quartiles_of"] = quantities[static_cast<std::size_t>(*report.quarters_of)].name;
  if (report.ratio)
    out["ratio"] = {{"name", report.ratio->name}, {"unit", report.ratio->unit}};

  Json groups = Json::array();
  for (const auto& group : report.groups)
    groups.push_back(group_json(plan, report, group));

  if (report.all)
    out["all"] = group_json(plan, report, *report.all);
  out["groups"] = std::move(groups);

  return write_json_text(out);
}

}  // namespace tracefold
