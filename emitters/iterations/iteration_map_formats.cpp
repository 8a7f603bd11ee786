#include "emitters/iterations/iteration_map_formats.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"
#include "emitters/iterations/map_rows.hpp"
#include "emitters/kept_processes.hpp"
#include "emitters/show_names.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/table.hpp"
#include "emitters/units.hpp"
#include "model/chosen_iterations.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

// In the unit that programs get.
double convert_unit(const Plan& plan, const IterationMap& map, double value) {
  return map.kind == MetricKind::time ? to_seconds(plan, value) : value;
}

std::string format_value(const Plan& plan, const IterationMap& map, double value) {
  switch (map.kind) {
    case MetricKind::time:
      return format_time(plan, static_cast<std::uint64_t>(std::llround(value)));
    case MetricKind::bytes: return format_bytes(static_cast<std::uint64_t>(std::llround(value)));
    default: return fmt::format("{:.6g}", value);
  }
}

// "7", or "8-15" where iterations share a column.
std::string name_columns(const Plan& plan, const IterationMap& map, std::size_t column,
                         std::size_t columns = 1) {
  const auto end = std::min((column + columns) * map.per_column, map.iterations);
  return name_iterations(plan, map.first + column * map.per_column, map.first + end - 1);
}

// Whole numbers with all of their digits, as far as a double has them.
std::string write_value(double value) {
  constexpr double largest_exact = 9007199254740992.0;  // 2^53
  const bool is_whole = std::trunc(value) == value && std::abs(value) <= largest_exact;
  return is_whole ? fmt::format("{:.0f}", value) : fmt::format("{:.12g}", value);
}

struct SpreadValue {
  const char* name;
  double MapSpread::*value;
};
constexpr SpreadValue spread_values[] = {{"minimum", &MapSpread::minimum},
                                         {"median", &MapSpread::median},
                                         {"mean", &MapSpread::mean},
                                         {"maximum", &MapSpread::maximum}};

// Adds the columns of a spread: "minimum_seconds,..." The unit of a counter may be any text, and
// only JSON has it.
void add_spread_columns(const IterationMap& map, Table& table) {
  const std::string unit = name_unit(map.kind, "");
  for (const std::string name : {"minimum", "median", "mean", "maximum"}) {
    table.columns.push_back(in_csv(unit.empty() ? name : name + "_" + unit, {name}));
    table.columns.push_back(in_text(name, {"shown_" + name}));
  }
}

void add_spread(const Plan& plan, const IterationMap& map, const MapSpread& s, Json& row) {
  for (const auto& [name, value] : spread_values) {
    row[name] = s.values == 0 ? "" : write_value(convert_unit(plan, map, s.*value));
    row[std::string("shown_") + name] = format_value(plan, map, s.*value);
  }
  row["values"] = s.values;
}

Json spread_json(const Plan& plan, const IterationMap& map, const std::vector<MapSpread>& spreads) {
  Json out;
  for (const auto& [name, value] : spread_values) {
    auto& list = out[name] = Json::array();
    for (const auto& s : spreads)
      list.push_back(s.values ? Json(convert_unit(plan, map, s.*value)) : Json());
  }
  return out;
}

std::vector<std::size_t> in_row(const IterationMap& map, const BinnedMap& bins, std::size_t row) {
  const auto first = row * bins.per_row,
             last = std::min(first + bins.per_row, map.processes.size());
  if (!map.shown.names.empty()) {
    std::vector<std::size_t> members;
    for (auto r = first; r < last; ++r)
      members.insert(members.end(), map.shown.members[r].begin(), map.shown.members[r].end());
    std::sort(members.begin(), members.end());
    return members;
  }
  return {map.processes.begin() + static_cast<std::ptrdiff_t>(first),
          map.processes.begin() + static_cast<std::ptrdiff_t>(last)};
}

// Spreads of so many iterations together; CSV has how many processes these are of.
Table tabulate_iterations(const Plan& plan, const IterationMap& map,
                          const std::vector<MapSpread>& spreads, std::size_t together) {
  Table table{{in_both("iterations", "iterations")}};
  add_spread_columns(map, table);
  table.columns.push_back(in_csv("processes", {"values"}));
  for (std::size_t r = 0; r < spreads.size(); ++r) {
    auto& row = table.rows.emplace_back(Json::object());
    row["iterations"] = name_columns(plan, map, r * together, together);
    add_spread(plan, map, spreads[r], row);
  }
  return table;
}

std::string processes_csv(const Plan& plan, const MapReport& report) {
  const auto& shown = report.map.shown;
  Table table{{in_csv("location"), in_csv("rank"), in_csv("thread"), in_csv("name")}};
  if (!shown.names.empty())
    table.columns = {in_csv(to_text(shown.rows), {"name"}), in_csv("processes"), in_csv("ranks")};
  add_spread_columns(report.map, table);
  table.columns.push_back(in_csv("values"));
  for (std::size_t r = 0; r < report.per_process.size(); ++r) {
    auto& row = table.rows.emplace_back();
    if (shown.names.empty()) {
      const auto& process = plan.processes[report.map.processes[r]];
      row = {{"location", process.id},
             {"rank", make_json_value(process.rank)},
             {"thread", process.thread},
             {"name", process.name}};
    } else {
      row = {{"name", shown.names[r]},
             {"processes", format_ids(plan, shown.members[r])},
             {"ranks", list_ranks(plan, shown.members[r])}};
    }
    add_spread(plan, report.map, report.per_process[r], row);
  }
  return write_csv(table);
}

std::string bins_csv(const Plan& plan, const MapReport& report) {
  const auto& [map, per_iteration, per_process, bins] = report;
  std::string out = "processes,ranks";
  for (std::size_t c = 0; c < bins.columns; ++c)
    out += "," + quote_csv(name_columns(plan, map, c * bins.per_column, bins.per_column));

  out += "\r\n";

  for (std::size_t r = 0; r < bins.rows; ++r) {
    const auto processes = in_row(map, bins, r);
    out += quote_csv(format_ids(plan, processes)) + "," + quote_csv(list_ranks(plan, processes));
    for (std::size_t c = 0; c < bins.columns; ++c) {
      const auto value = bins.values[r * bins.columns + c];
      out += std::isnan(value) ? "," : "," + write_value(convert_unit(plan, map, value));
    }
    out += "\r\n";
  }

  return out;
}

}  // namespace

std::string map_table(const Plan& plan, const IterationMap& map, const MapRows& of) {
  const auto kept = describe_kept_only(plan);
  return fmt::format("{} per iteration, over {} {}, loop {}{}\n{}", make_printable(map.metric),
                     show_count(map.processes.size()), name_rows(map).many, map.loop + 1,
                     kept.empty() ? kept : ", " + kept,
                     write_text(tabulate_iterations(plan, map, of.spreads, of.together)));
}

std::string map_csv(const Plan& plan, const MapReport& report, CsvRows rows) {
  switch (rows) {
    case CsvRows::processes: return processes_csv(plan, report);
    case CsvRows::map: return bins_csv(plan, report);
    default: return write_csv(tabulate_iterations(plan, report.map, report.per_iteration, 1));
  }
}

std::string map_json(const Plan& plan, const MapReport& report) {
  const auto& [map, of_iterations, of_processes, bins] = report;
  Json columns = Json::array(), rows = Json::array(), processes = Json::array(),
       ranks = Json::array(), row_ranks = Json::array(), values = Json::array();
  for (std::size_t c = 0; c < map.columns; ++c)
    columns.push_back(name_columns(plan, map, c));
  const auto& shown = map.shown;
  for (std::size_t r = 0; r < map.processes.size(); ++r) {
    const auto& process = plan.processes[map.processes[r]];
    if (shown.names.empty()) {
      processes.push_back(std::to_string(process.id));
      ranks.push_back(process.rank ? Json(*process.rank) : Json(nullptr));
    } else {
      processes.push_back(format_ids(plan, shown.members[r]));
      ranks.push_back(list_ranks(plan, shown.members[r]));
    }
  }

  for (std::size_t r = 0; r < bins.rows; ++r) {
    const auto row_processes = in_row(map, bins, r);
    rows.push_back(format_ids(plan, row_processes));
    row_ranks.push_back(list_ranks(plan, row_processes));
    Json row = Json::array();
    for (std::size_t c = 0; c < bins.columns; ++c) {
      const auto value = bins.values[r * bins.columns + c];
      row.push_back(std::isnan(value) ? Json() : Json(convert_unit(plan, map, value)));
    }

    values.push_back(std::move(row));
  }

  Json of_bins = Json::array();
  for (std::size_t c = 0; c < bins.columns; ++c)
    of_bins.push_back(name_columns(plan, map, c * bins.per_column, bins.per_column));

  Json out{{"tracefold_map", 1},
           {"trace", plan.trace.anchor},
           {"metric", make_printable(map.metric)},
           {"unit", make_printable(name_unit(map.kind, map.recorded_unit))},
           {"call_path", make_printable(map.call_path)},
           {"loop", map.loop + 1},
           {"iterations", map.iterations}};

  auto per_iteration = spread_json(plan, map, of_iterations);
  per_iteration["iterations"] = std::move(columns);
  auto per_process = spread_json(plan, map, of_processes);
  per_process["processes"] = std::move(processes);
  per_process["ranks"] = std::move(ranks);
  if (!shown.names.empty()) {
    out["rows"] = to_text(shown.rows);
    per_process["names"] = shown.names;
  }
  out["per_iteration"] = std::move(per_iteration);
  out["per_process"] = std::move(per_process);
  out["map"] = {{"processes", std::move(rows)},
                {"ranks", std::move(row_ranks)},
                {"iterations", std::move(of_bins)},
                {"means", std::move(values)}};

  return write_json_text(out, JsonLines::one);
}

}  // namespace tracefold
