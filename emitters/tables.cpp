#include "emitters/tables.hpp"

#include "model/ranges.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::size_t longest_cell = 60;
constexpr std::size_t largest_matrix = 20;

// Characters of UTF-8 text.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string shortened(const std::string& text) { return text.size() <= longest_cell ? text : text.substr(0, longest_cell - 3) + "..."; }

bool is_number(const std::string& cell) { return !cell.empty() && cell.find_first_not_of("0123456789. %") == std::string::npos; }

}  // namespace

std::string printable(std::string_view text) {
  std::string out(text);
  for (auto& c : out)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  for (auto at = out.find('\xc2'); at != std::string::npos; at = out.find('\xc2', at + 1))  // C1 controls in UTF-8
    if (at + 1 < out.size() && static_cast<unsigned char>(out[at + 1]) < 0xa0) out.replace(at, 2, "?");
  return out;
}

std::string with_spaces(std::uint64_t n) {
  auto digits = std::to_string(n);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > 0; at -= 3) digits.insert(static_cast<std::size_t>(at), 1, ' ');
  return digits;
}

std::string as_bytes(std::uint64_t n) {
  const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  auto value = static_cast<double>(n);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit) value /= 1024;
  return unit == 0 ? fmt::format("{} bytes", n) : fmt::format("{:.1f} {}", value, units[unit]);
}

std::string text_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows)
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (widths.size() <= c) widths.push_back(0);
      widths[c] = std::max(widths[c], width(row[c]));
    }
  std::string out;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::string pad(widths[c] - width(rows[r][c]), ' ');
      const bool right = is_number(r == 0 && rows.size() > 1 && c < rows[1].size() ? rows[1][c] : rows[r][c]);
      line += (c ? "  " : "") + (right ? pad + rows[r][c] : rows[r][c] + pad);
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out += line + "\n";
  }
  return out;
}

std::string groups_table(const Plan& plan) {
  const auto& groups = *plan.groups;
  std::vector<std::vector<std::string>> rows{{"group", "processes", "pairs"}};
  if (plan.representatives) rows[0].push_back("kept");
  rows[0].insert(rows[0].end(), {"name", "members"});
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::uint64_t count = 0;
    std::vector<std::uint64_t> ids;
    for (auto m : groups[g].members) count += plan.processes[m].weight, ids.push_back(plan.processes[m].id);
    std::size_t pairs = 0;
    for (auto intent : groups[g].intents) pairs = std::max(pairs, plan.intents[intent].set.pairs.size());
    std::vector<std::string> row{std::to_string(g), std::to_string(count), std::to_string(pairs)};
    auto shown = groups[g].members.front();
    if (plan.representatives)
      for (const auto& r : *plan.representatives)
        if (r.group == g) shown = r.process, row.push_back(std::to_string(plan.processes[r.process].id));
    row.insert(row.end(), {shortened(printable(plan.processes[shown].name)), shortened(to_ranges(ids))});
    rows.push_back(std::move(row));
  }
  auto out = text_table(rows);
  if (groups.size() < 2 || groups.size() > largest_matrix) return out;
  std::vector<std::vector<std::string>> matrix{{"similarity"}};
  for (std::size_t g = 0; g < groups.size(); ++g) matrix[0].push_back(std::to_string(g));
  for (std::size_t g = 0; g < groups.size(); ++g) {
    matrix.push_back({std::to_string(g)});
    for (auto s : groups[g].similarity) matrix.back().push_back(fmt::format("{:.2f}", s));
  }
  return out + "\n" + text_table(matrix);
}

}  // namespace tracefold
