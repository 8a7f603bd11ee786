#include "filters/iterations/find_group_kinds.hpp"

#include "base/averages.hpp"
#include "model/plan.hpp"
#include "model/profile/group_profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace tracefold {

namespace {

std::vector<IterationKind> list_kinds(const ComparedMap& maps) {
  std::map<std::uint32_t, IterationKind> kinds;  // by place among the kept ones
  const auto folded = maps.kept_of.empty() ? maps.original.iterations : maps.kept_of.size();
  for (std::uint32_t i = 0; i < std::min(maps.original.iterations, folded); ++i) {
    const auto place = maps.kept_of.empty() ? 0 : maps.kept_of[i];
    auto& kind = kinds[place];
    kind.kept = maps.kept_of.empty() ? 0 : (*maps.kept_iterations)[place];
    kind.iterations.push_back(i);
  }
  std::vector<IterationKind> out;
  for (auto& [place, kind] : kinds)
    out.push_back(std::move(kind));
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return a.iterations.front() < b.iterations.front();
  });
  return out;
}

// Values of some rows and iterations; each counts as often as the processes that its row stands
// for. Columns that several of the iterations share count once.
class CellReader {
 public:
  CellReader(const Plan& plan, const ComparedMap& maps) : plan_(plan), maps_(maps) {}

  KindCell read(const std::vector<std::size_t>& rows, const IterationKind& kind) const {
    const auto& map = maps_.original;
    std::vector<std::pair<double, std::uint64_t>> values;
    std::uint64_t weights = 0;
    double sum = 0, differences = 0;
    for (const auto row : rows) {
      const auto weight = plan_.processes[map.processes[row]].weight;
      auto last = map.columns;
      for (const auto iteration : kind.iterations) {
        const auto column = iteration / map.per_column;
        const auto value = map.row(row)[column];
        if (std::exchange(last, column) == column || std::isnan(value))
          continue;
        values.emplace_back(value, weight);
        weights += weight;
        sum += static_cast<double>(weight) * std::abs(value);
        if (maps_.reconstruction)
          differences += static_cast<double>(weight) *
                         std::abs(value - maps_.reconstruction->row(row)[column]);
      }
    }
    if (values.empty())
      return {};

    std::sort(values.begin(), values.end());
    KindCell cell;
    cell.values = values.size();
    std::size_t at = 0;
    auto reached = values[0].second;
    for (std::size_t k = 0; k < shown_percentiles.size(); ++k) {
      while (reached < nearest_rank(shown_percentiles[k], weights))
        reached += values[++at].second;
      cell.at[k] = values[at].first;
    }
    const bool is_known = maps_.reconstruction || !maps_.kept_iterations;
    cell.error = !is_known  ? std::numeric_limits<double>::quiet_NaN()
                 : sum == 0 ? 0
                            : differences / sum;
    return cell;
  }

 private:
  const Plan& plan_;
  const ComparedMap& maps_;
};

}  // namespace

GroupKinds find_group_kinds(const Plan& plan, const ComparedMap& maps) {
  GroupKinds out;
  out.kinds = list_kinds(maps);
  std::map<std::size_t, std::size_t> row_of;  // by process
  for (std::size_t r = 0; r < maps.original.processes.size(); ++r)
    row_of[maps.original.processes[r]] = r;

  const CellReader reader(plan, maps);
  for (std::size_t g = 0; g < plan.groups->size(); ++g) {
    std::vector<std::size_t> rows;
    for (const auto member : (*plan.groups)[g].members)
      if (const auto at = row_of.find(member); at != row_of.end())
        rows.push_back(at->second);
    if (rows.empty())
      continue;
    out.groups.push_back(g);
    auto& cells = out.cells.emplace_back();
    for (const auto& kind : out.kinds)
      cells.push_back(reader.read(rows, kind));
  }
  return out;
}

}  // namespace tracefold
