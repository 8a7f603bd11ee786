#include "filters/iterations/find_group_kinds.hpp"

#include "base/averages.hpp"
#include "model/plan.hpp"
#include "model/profile/group_profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace tracefold {

namespace {

std::vector<IterationKind> list_kinds(const ComparedMap& maps) {
  std::map<std::uint32_t, IterationKind> kinds;  // by place among the kept ones
  for (std::uint32_t i = 0; i < maps.original.iterations; ++i) {
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

// Values of some rows and iterations. Columns that several of the iterations share count once.
class CellReader {
 public:
  explicit CellReader(const ComparedMap& maps) : maps_(maps) {}

  KindCell read(const std::vector<std::size_t>& rows, const IterationKind& kind) const {
    std::vector<double> values;
    double sum = 0, differences = 0;
    for (const auto row : rows) {
      std::size_t last = maps_.original.columns;
      for (const auto iteration : kind.iterations) {
        const auto column = iteration / maps_.original.per_column;
        if (column == last)
          continue;
        last = column;
        const auto value = maps_.original.row(row)[column];
        if (std::isnan(value))
          continue;
        values.push_back(value);
        sum += std::abs(value);
        if (maps_.reconstruction)
          differences += std::abs(value - maps_.reconstruction->row(row)[column]);
      }
    }
    if (values.empty())
      return {};

    std::sort(values.begin(), values.end());
    KindCell cell;
    cell.values = values.size();
    for (std::size_t k = 0; k < shown_percentiles.size(); ++k)
      cell.at[k] = values[nearest_rank(shown_percentiles[k], values.size()) - 1];
    const bool is_known = maps_.reconstruction || !maps_.kept_iterations;
    cell.error = !is_known  ? std::numeric_limits<double>::quiet_NaN()
                 : sum == 0 ? 0
                            : differences / sum;
    return cell;
  }

 private:
  const ComparedMap& maps_;
};

}  // namespace

GroupKinds find_group_kinds(const Plan& plan, const ComparedMap& maps) {
  GroupKinds out;
  out.kinds = list_kinds(maps);
  std::map<std::size_t, std::size_t> row_of;  // by process
  for (std::size_t r = 0; r < maps.original.processes.size(); ++r)
    row_of[maps.original.processes[r]] = r;

  const CellReader reader(maps);
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
