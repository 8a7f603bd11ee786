#include "emitters/tables.hpp"

#include "base/ranges.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::size_t longest_cell = 60;

std::string cell_of(const std::string& text) {
  return shortened(text, longest_cell);
}

bool is_number(const std::string& cell) {
  return !cell.empty() && cell.find_first_not_of("0123456789. %") == std::string::npos;
}

}  // namespace

std::string with_spaces(std::uint64_t n) {
  auto digits = std::to_string(n);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ' ');
  return digits;
}

std::string as_bytes(std::uint64_t n) {
  const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(n);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit)
    value /= 1024;

  return unit == 0 ? fmt::format("{} bytes", n) : fmt::format("{:.1f} {}", value, units[unit]);
}

std::string shown_process(const Process& process) {
  if (!process.rank)
    return fmt::format("location {}", process.id);
  return fmt::format("rank {}", *process.rank) +
         (process.thread ? fmt::format(" thread {}", process.thread) : "");
}

std::string as_time(const Plan& plan, std::uint64_t ticks) {
  if (ticks == 0)
    return "0";

  auto value = seconds_of(plan, ticks);
  const char* units[] = {"s", "ms", "us", "ns"};
  std::size_t unit = 0;
  for (; value < 0.9995 && unit + 1 < std::size(units); ++unit)
    value *= 1000;

  return fmt::format("{:.{}f} {}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, units[unit]);
}

std::string text_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;

  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (widths.size() <= c)
        widths.push_back(0);
      widths[c] = std::max(widths[c], text_width(row[c]));
    }

  std::string out;

  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::string pad(widths[c] - text_width(rows[r][c]), ' ');
      const bool right =
          is_number(r == 0 && rows.size() > 1 && c < rows[1].size() ? rows[1][c] : rows[r][c]);
      line += (c ? "  " : "") + (right ? pad + rows[r][c] : rows[r][c] + pad);
    }

    while (!line.empty() && line.back() == ' ')
      line.pop_back();

    out += line + "\n";
  }

  return out;
}

namespace {

std::string shortened_ids(const Plan& plan, const std::vector<std::size_t>& processes) {
  return cell_of(ids_of(plan, processes));
}

std::string name_of(const Plan& plan, std::size_t process) {
  return cell_of(printable(plan.processes[process].name));
}

// Per group the processes that are kept, ascending.
std::vector<std::vector<std::size_t>> kept_of(const Plan& plan) {
  std::vector<std::vector<std::size_t>> kept(plan.groups->size());
  for (const auto& r : *plan.representatives)
    if (r.group < kept.size())
      kept[r.group].push_back(r.process);

  for (auto& processes : kept)
    std::sort(processes.begin(), processes.end());

  return kept;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& name : names)
    out += (out.empty() ? "'" : ", '") + cell_of(printable(name)) + "'";
  return out;
}

// One line on how processes were compared, or nothing where nothing was asked for.
std::string comparison_line(const Plan& plan) {
  constexpr std::size_t most_names = 5;
  const auto& c = plan.comparison;
  std::string out = c.by == CompareBy::functions ? "compared by functions" : "";

  if (!plan.ignored.empty()) {
    std::vector<std::string> names;
    for (std::size_t k = 0; k < std::min(most_names, plan.ignored.size()); ++k)
      names.push_back(plan.functions[plan.ignored[k]].name);
    out += (out.empty() ? "compared without " : ", without ") + joined(names);
    if (plan.ignored.size() > most_names)
      out += fmt::format(" and {} more", plan.ignored.size() - most_names);
  } else if (c.ignore_root) {
    out += out.empty() ? "compared with all functions: there is no artificial root"
                       : ", there is no artificial root";
  }

  if (!c.combine.empty())
    out += (out.empty() ? "compared with " : ", with ") + joined(c.combine) + " combined";

  return out.empty() ? out : out + "\n";
}

// Whom each kept process stands for, where groups keep more than one.
std::string representatives_table(const Plan& plan) {
  std::vector<std::vector<std::string>> rows{
      {"kept", "group", "stands for", "why", "name", "members"}};
  for (const auto& r : *plan.representatives)
    rows.push_back({std::to_string(plan.processes[r.process].id), std::to_string(r.group),
                    std::to_string(count_of(plan, r.members)), printable(r.why),
                    name_of(plan, r.process), shortened_ids(plan, r.members)});

  return text_table(rows);
}

std::string similarity_table(const std::vector<Group>& groups) {
  std::vector<std::vector<std::string>> matrix{{"similarity"}};
  for (std::size_t g = 0; g < groups.size(); ++g)
    matrix[0].push_back(std::to_string(g));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    matrix.push_back({std::to_string(g)});
    for (auto s : groups[g].similarity)
      matrix.back().push_back(fmt::format("{:.2f}", s));
  }

  return text_table(matrix);
}

}  // namespace

std::string groups_table(const Plan& plan) {
  const auto& groups = *plan.groups;
  std::vector<std::vector<std::string>> rows{{"group", "processes", "pairs"}};
  if (plan.representatives)
    rows[0].push_back("kept");

  rows[0].insert(rows[0].end(), {"name", "members"});
  const auto kept =
      plan.representatives ? kept_of(plan) : std::vector<std::vector<std::size_t>>(groups.size());
  bool keeps_several = false;

  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::size_t pairs = 0;
    for (auto intent : groups[g].intents)
      pairs = std::max(pairs, plan.intents[intent].set.pairs.size());

    rows.push_back({std::to_string(g), std::to_string(count_of(plan, groups[g].members)),
                    std::to_string(pairs)});
    if (plan.representatives)
      rows.back().push_back(shortened_ids(plan, kept[g]));

    rows.back().push_back(
        name_of(plan, kept[g].empty() ? groups[g].members.front() : kept[g].front()));
    rows.back().push_back(shortened_ids(plan, groups[g].members));
    keeps_several |= kept[g].size() > 1;
  }

  auto out = text_table(rows) + comparison_line(plan);
  if (keeps_several)
    out += "\n" + representatives_table(plan);

  return groups.size() < 2 || groups.size() > largest_matrix
             ? out
             : out + "\n" + similarity_table(groups);
}

}  // namespace tracefold
