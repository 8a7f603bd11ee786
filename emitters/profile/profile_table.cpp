// Profiles as tables for people.
#include "emitters/profile/profile_tables.hpp"

#include "base/text.hpp"
#include "emitters/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t longest_name = 60, longest_members = 50, deepest = 30, most_outliers = 3;

std::string shown_name(const Plan& plan, FunctionIndex function) {
  return function == virtual_root
             ? "(nobody)"
             : shortened(printable(plan.functions[function].name), longest_name);
}

std::string shown_outliers(const Plan& plan, const Spread& spread) {
  if (spread.outliers == 0)
    return "";
  std::string names;
  for (std::size_t k = 0; k < std::min(most_outliers, spread.furthest.size()); ++k)
    names += (k ? ", " : "") + shown_process(plan.processes[spread.furthest[k]]);

  return fmt::format("{}: {}{}", spread.outliers, names,
                     spread.furthest.size() > most_outliers ? ", ..." : "");
}

const Spread& spread_of(const ProfileRow& row, Quantity quantity) {
  return quantity == Quantity::visits      ? row.visits
         : quantity == Quantity::inclusive ? row.inclusive
                                           : row.exclusive;
}

std::string cell(const Plan& plan, std::uint64_t value, Quantity quantity) {
  return quantity == Quantity::visits ? with_spaces(value) : as_time(plan, value);
}

// Columns that are numbers, all but the last two, to the right.
std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c)
      widths[c] = std::max(widths[c], text_width(row[c]));

  std::string out;

  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string pad(widths[c] - text_width(row[c]), ' ');
      line += (c ? "  " : "") + (c + 2 < row.size() ? pad + row[c] : row[c] + pad);
    }

    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }

  return out;
}

// The three quantities, the shown one first.
std::array<Quantity, 3> columns(Quantity shown) {
  using enum Quantity;
  if (shown == visits)
    return {visits, exclusive, inclusive};
  if (shown == inclusive)
    return {inclusive, exclusive, visits};

  return {exclusive, inclusive, visits};
}

std::string word(Quantity quantity) {
  return quantity == Quantity::visits      ? "visits"
         : quantity == Quantity::inclusive ? "inclusive"
                                           : "exclusive";
}

std::string label(const Plan& plan, const ProfileReport& report, const ProfileRow& row,
                  std::size_t depth) {
  auto name = shown_name(plan, row.function);
  if (report.view == ProfileReport::View::call_paths)
    return std::string(2 * std::min(depth, deepest), ' ') +
           (depth > deepest ? fmt::format("[{}] ", depth) : "") + name;

  switch (row.relation) {
    case Relation::caller: return "  called by " + name;
    case Relation::callee: return "  calls " + name;
    case Relation::self: break;
  }

  return name;
}

std::string title(const Plan& plan, const GroupProfile& group) {
  const auto& members = (*plan.groups)[group.group].members;
  return fmt::format("group {}: {} process{}, {}, {}\n", group.group, group.processes,
                     group.processes == 1 ? "" : "es",
                     shortened(printable(plan.processes[members.front()].name), longest_name),
                     shortened(ids_of(plan, members), longest_members));
}

std::string group_table(const Plan& plan, const ProfileReport& report, const GroupProfile& group,
                        Quantity shown) {
  const auto [first, second, third] = columns(shown);
  std::vector<std::vector<std::string>> rows(1);
  for (auto p : shown_percentiles)
    rows[0].push_back(fmt::format("{}{} %", rows[0].empty() ? word(first) + " " : "", p));

  rows[0].insert(
      rows[0].end(),
      {word(second) + " 50 %", word(third) + " 50 %",
       report.view == ProfileReport::View::call_paths ? "call path" : "function", "outliers"});

  std::vector<std::size_t> depths(
      report.view == ProfileReport::View::call_paths ? report.paths.size() : 0);

  for (const auto& row : group.rows) {
    std::size_t depth = 0;
    if (!depths.empty() && report.paths[row.path].caller != no_path)
      depth = depths[row.path] = depths[report.paths[row.path].caller] + 1;

    std::vector<std::string> cells;
    for (auto value : spread_of(row, first).at)
      cells.push_back(cell(plan, value, first));
    for (auto other : {second, third})
      cells.push_back(cell(plan, spread_of(row, other).at[2], other));

    cells.push_back(label(plan, report, row, depth));
    cells.push_back(shown_outliers(plan, spread_of(row, first)));
    rows.push_back(std::move(cells));
  }

  auto out =
      title(plan, group) +
      (group.rows.empty()
           ? std::string("no calls") +
                 (report.view == ProfileReport::View::neighbours ? " of these functions\n" : "\n")
           : aligned(rows));

  if (group.left_out)
    out += fmt::format("and {} more (--top 0 shows all)\n", group.left_out);

  return out;
}

}  // namespace

std::string profile_table(const Plan& plan, const ProfileReport& report, Quantity shown) {
  std::string out;
  for (const auto& group : report.groups)
    out += (out.empty() ? "" : "\n") + group_table(plan, report, group, shown);
  return out.empty() ? "no processes\n" : out;
}

}  // namespace tracefold
