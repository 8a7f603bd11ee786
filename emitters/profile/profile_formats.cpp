#include "emitters/profile/profile_formats.hpp"

#include "base/json_text.hpp"
#include "emitters/layout.hpp"
#include "emitters/profile/profile_rows.hpp"
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

constexpr std::size_t median = 2;  // in shown_percentiles

// Of the columns of a table, which are left out first where there is no room: the quartiles, then
// counters, the other quantities, the outliers, the time for each visit, and the extremes.
std::vector<std::string> rank_columns(const std::vector<std::string>& headings,
                                      std::size_t counters) {
  std::vector<std::string> ranked{headings[1], headings[3]};
  for (auto c = counters; c-- > 0;)
    ranked.push_back(headings[headings.size() - 3 - c]);
  ranked.insert(ranked.end(),
                {headings[5], headings[6], "outliers", "per visit", headings[0], headings[4]});
  return ranked;
}

// The part of all time of its processes that a row has; none where that is not known.
std::optional<double> find_share(const Plan& plan, const GroupProfile& group, double total) {
  if (stands_for_others(plan, group) || group.time == 0)
    return std::nullopt;
  return total / group.time;
}

// Ticks for each visit.
std::optional<double> find_time_per_visit(const Plan& plan, const GroupProfile& group,
                                          const ProfileRow& row, double total) {
  if (stands_for_others(plan, group) || row.visits.total == 0)
    return std::nullopt;
  return total / row.visits.total;
}

// Times are told by one of the two quantities that are times.
const Spread& get_time(const ProfileRow& row, Quantity shown) {
  return shown == Quantity::inclusive ? row.inclusive : row.exclusive;
}

double to_units(const RecordedCounter& counter, double value) {
  return value / static_cast<double>(counter.steps_per_unit);
}

std::string show_counter(const RecordedCounter& counter, std::uint64_t value) {
  return counter.steps_per_unit == 1
             ? show_count(value)
             : fmt::format("{:.6g}", to_units(counter, static_cast<double>(value)));
}

std::string name_counter_column(const RecordedCounter& counter) {
  const auto unit = counter.unit.empty() ? "" : " [" + counter.unit + "]";
  return make_printable(counter.name + unit) + " 50 %";
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

std::string make_group_table(const Plan& plan, const ProfileReport& report,
                             const GroupProfile& group, Quantity shown) {
  const auto& first = quantities[static_cast<std::size_t>(shown)];

  TableRows rows(1);
  for (auto p : shown_percentiles)
    rows[0].push_back(
        fmt::format("{}{} %", rows[0].empty() ? first.name + std::string(" ") : "", p));
  for (const auto& other : quantities)
    if (&other != &first)
      rows[0].push_back(other.name + std::string(" 50 %"));
  rows[0].insert(rows[0].end(), {"per visit", "share"});
  for (const auto& counter : report.counters)
    rows[0].push_back(name_counter_column(counter));
  rows[0].insert(rows[0].end(), {name_rows(report.view), "outliers"});

  const bool only_median = stands_for_others(plan, group);
  RowDepths depths(report);

  for (const auto& row : group.rows) {
    auto& cells = rows.emplace_back();
    const auto& values = (row.*first.spread).at;
    for (std::size_t k = 0; k < values.size(); ++k)
      cells.push_back(only_median && k != median ? "n/a" : show_value(plan, values[k], first));
    for (const auto& other : quantities)
      if (&other != &first)
        cells.push_back(show_value(plan, (row.*other.spread).at[2], other));
    const auto& time = get_time(row, shown);
    const auto per_visit = find_time_per_visit(plan, group, row, time.total);
    const auto share = find_share(plan, group, time.total);
    cells.push_back(per_visit ? format_seconds(to_seconds(plan, *per_visit)) : "n/a");
    cells.push_back(share ? fmt::format("{:.1f} %", 100 * *share) : "n/a");
    for (std::size_t c = 0; c < report.counters.size(); ++c)
      cells.push_back(show_counter(report.counters[c], row.counters[c].at[median]));

    cells.push_back(name_row(plan, report, row, depths.find(row)));
    cells.push_back(show_outliers(plan, row.*first.spread));
  }

  auto out = name_group(plan, group) + "\n";
  if (!group.rows.empty())
    out += text_table(
        rows, {.left_columns = 2, .less_important = rank_columns(rows[0], report.counters.size())});
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

// Empty fields for the virtual root.
std::string function_columns(const Plan& plan, const ProfileReport& report, FunctionIndex index) {
  if (report.view == ProfileReport::View::function_groups)
    return quote_csv(report.function_groups[index]);
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

std::string make_heading(const ProfileReport& report) {
  const auto view = report.view;
  std::string out = "group,processes,";
  if (view == ProfileReport::View::call_paths)
    out += "path,caller_path,";
  if (view == ProfileReport::View::neighbours)
    out += "of,relation,";

  out += view == ProfileReport::View::function_groups ? "function_group"
                                                      : "function,canonical,file,line";

  for (const auto& quantity : written) {
    const auto unit = quantity.is_time ? "_seconds" : "";
    out += fmt::format(",{}_total{}", quantity.name, unit);
    for (auto p : shown_percentiles)
      out += fmt::format(",{}_p{}{}", quantity.name, p, unit);
    out += fmt::format(",{0}_outliers,{0}_furthest_locations,{0}_furthest_ranks", quantity.name);
  }

  out +=
      ",exclusive_variation,group_name,exclusive_share,inclusive_share,"
      "exclusive_per_visit_seconds,inclusive_per_visit_seconds";
  for (const auto& counter : report.counters) {
    out += "," + quote_csv(counter.name + "_total");
    for (auto p : shown_percentiles)
      out += "," + quote_csv(fmt::format("{}_p{}", counter.name, p));
  }
  if (report.quarters_of)
    for (int quarter = 1; quarter <= 4; ++quarter)
      out += fmt::format(",quartile_{0}_locations,quartile_{0}_ranks", quarter);

  return out + "\r\n";
}

std::string share_columns(const Plan& plan, const GroupProfile& group, const ProfileRow& row) {
  std::string out;
  for (const auto* spread : {&row.exclusive, &row.inclusive}) {
    const auto share = find_share(plan, group, spread->total);
    out += share ? fmt::format(",{:.9f}", *share) : ",";
  }
  for (const auto* spread : {&row.exclusive, &row.inclusive}) {
    const auto time = find_time_per_visit(plan, group, row, spread->total);
    out += time ? fmt::format(",{:.15f}", to_seconds(plan, *time)) : ",";
  }
  return out;
}

std::string write_counter(const RecordedCounter& counter, double value) {
  return counter.steps_per_unit == 1 ? fmt::format("{:.0f}", value)
                                     : fmt::format("{}", to_units(counter, value));
}

std::string counter_columns(const ProfileReport& report, const ProfileRow& row, bool only_median) {
  std::string out;
  for (std::size_t c = 0; c < report.counters.size(); ++c) {
    const auto& spread = row.counters[c];
    out += only_median ? "," : "," + write_counter(report.counters[c], spread.total);
    for (std::size_t k = 0; k < spread.at.size(); ++k)
      out += only_median && k != median
                 ? ","
                 : "," + write_counter(report.counters[c], static_cast<double>(spread.at[k]));
  }
  return out;
}

std::string quarter_columns(const Plan& plan, const ProfileReport& report, const ProfileRow& row,
                            bool is_known) {
  std::string out;
  if (report.quarters_of)
    for (const auto& quarter : *row.quarters)
      out += is_known ? fmt::format(",{},{}", quote_csv(format_ids(plan, quarter)),
                                    quote_csv(list_ranks(plan, quarter)))
                      : ",,";
  return out;
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

// Without a value: null.
template <class Value>
Json optional_json(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json counters_json(const ProfileReport& report, const ProfileRow& row, bool only_median) {
  Json out = Json::object();
  for (std::size_t c = 0; c < report.counters.size(); ++c) {
    const auto& spread = row.counters[c];
    const auto write = [&, c](double value) {
      return report.counters[c].steps_per_unit == 1 ? Json(static_cast<std::uint64_t>(value))
                                                    : Json(to_units(report.counters[c], value));
    };
    Json percentiles = Json::array();
    for (std::size_t k = 0; k < spread.at.size(); ++k)
      percentiles.push_back(only_median && k != median ? Json(nullptr)
                                                       : write(static_cast<double>(spread.at[k])));
    out[report.counters[c].name] = {{"percentiles", std::move(percentiles)},
                                    {"total", only_median ? Json(nullptr) : write(spread.total)}};
  }
  return out;
}

Json quarters_json(const Plan& plan, const Quarters& quarters) {
  Json out = Json::array();
  for (const auto& quarter : quarters)
    out.push_back({{"members", format_ids(plan, quarter)}, {"ranks", list_ranks(plan, quarter)}});
  return out;
}

void add_shares(const Plan& plan, const GroupProfile& group, const ProfileRow& row, Json& out) {
  const auto seconds = [&](std::optional<double> ticks) {
    return ticks ? std::optional(to_seconds(plan, *ticks)) : std::nullopt;
  };
  out["exclusive_share"] = optional_json(find_share(plan, group, row.exclusive.total));
  out["inclusive_share"] = optional_json(find_share(plan, group, row.inclusive.total));
  out["exclusive_seconds_per_visit"] =
      optional_json(seconds(find_time_per_visit(plan, group, row, row.exclusive.total)));
  out["inclusive_seconds_per_visit"] =
      optional_json(seconds(find_time_per_visit(plan, group, row, row.inclusive.total)));
}

Json row_json(const Plan& plan, const ProfileReport& report, const GroupProfile& group,
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
  for (const auto& [name, spread, is_time] : written)
    out[name + std::string(is_time ? "_seconds" : "")] =
        spread_json(plan, row.*spread, is_time, only_median);
  out["exclusive_variation"] = row.variation;
  add_shares(plan, group, row, out);
  if (!report.counters.empty())
    out["counters"] = counters_json(report, row, only_median);
  if (row.quarters)
    out["quartiles"] = only_median ? Json(nullptr) : quarters_json(plan, *row.quarters);

  return out;
}

Json group_json(const Plan& plan, const ProfileReport& report, const GroupProfile& group) {
  Json rows = Json::array();
  for (const auto& row : group.rows)
    rows.push_back(row_json(plan, report, group, row));

  const auto members = list_members(plan, group);
  Json out = Json::object();
  if (group.group != all_groups)
    out["group"] = group.group;
  out["processes"] = group.processes;
  out["members"] = format_ids(plan, members);
  out["ranks"] = list_ranks(plan, members);
  out["left_out"] = group.left_out;
  out["rows"] = std::move(rows);
  return out;
}

}  // namespace

std::string to_table(const Plan& plan, const ProfileReport& report, Quantity shown) {
  std::string out;
  for (const auto* group : list_groups(report))
    out += (out.empty() ? "" : "\n") + (report.quarters_of
                                            ? make_quarters_table(plan, report, *group)
                                            : make_group_table(plan, report, *group, shown));

  return out.empty() ? "no processes\n" : out;
}

std::string to_csv(const Plan& plan, const ProfileReport& report) {
  auto out = make_heading(report);
  for (const auto* group : list_groups(report)) {
    const bool is_all = group->group == all_groups;
    const bool only_median = stands_for_others(plan, *group);
    for (const auto& row : group->rows) {
      out +=
          fmt::format("{},{},{}{}", is_all ? "all" : std::to_string(group->group), group->processes,
                      key_columns(plan, report, row), function_columns(plan, report, row.function));
      for (const auto& [name, spread, is_time] : written)
        out += fmt::format(",{},{}", value_columns(plan, row.*spread, is_time, only_median),
                           outlier_columns(plan, row.*spread));
      out +=
          fmt::format(",{:.6g},{}{}{}{}\r\n", row.variation,
                      is_all ? "" : quote_csv((*plan.groups)[group->group].name),
                      share_columns(plan, *group, row), counter_columns(report, row, only_median),
                      quarter_columns(plan, report, row, !only_median));
    }
  }

  return out;
}

std::string to_json(const Plan& plan, const ProfileReport& report) {
  Json out{{"tracefold_profile", 1},
           {"anchor", plan.trace.anchor},
           {"view", name(report.view)},
           {"percentiles", shown_percentiles}};
  if (report.quarters_of)
    out["quartiles_of"] = quantities[static_cast<std::size_t>(*report.quarters_of)].name;

  Json groups = Json::array();
  for (const auto& group : report.groups)
    groups.push_back(group_json(plan, report, group));

  if (report.all)
    out["all"] = group_json(plan, report, *report.all);
  out["groups"] = std::move(groups);

  return write_json_text(out);
}

}  // namespace tracefold
