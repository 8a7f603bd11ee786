#include "pipeline/correlation/correlate_pass.hpp"

#include "base/error.hpp"
#include "pipeline/correlation/batch_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace tracefold {

namespace {

using correlation::Correlator;
using correlation::Grid;
using correlation::Luck;

// Cells are held twice while they are put in order.
constexpr std::uint64_t cell_bytes = 2 * sizeof(ViewCell);

bool are_equal(const ViewColumn& a, const ViewColumn& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
    return x.place == y.place && x.value == y.value;
  });
}

// Which axes count. What all processes have in common from iteration to iteration would hide how
// they differ, so iterations do only where that is asked for.
void choose_axes(Grid& grid, std::size_t process_axes, bool has_iterations,
                 const std::vector<std::string>& names) {
  if (names.empty()) {
    if (has_iterations)
      grid.axes.back().chosen = false;
    return;
  }

  std::vector<std::string> known{"process"};
  for (auto& axis : grid.axes) {
    axis.chosen = false;
    if (axis.name != "process")
      known.push_back(axis.name);
  }

  for (const auto& name : names) {
    bool found = false;
    for (std::size_t a = 0; a < grid.axes.size(); ++a)
      if (grid.axes[a].name == name || (name == "process" && a < process_axes)) {
        grid.axes[a].chosen = true;
        found = true;
      }
    if (!found)
      throw Error(ErrorKind::usage, fmt::format("`axes` {}: there is no such axis", name))
          .hint(fmt::format("one of: {}", fmt::join(known, ", ")));
  }
}

// With the iterations as its last axis; processes that have fewer leave holes.
Grid add_iterations(const ProcessGrid& processes, const Views& views) {
  auto grid = processes.grid;
  const auto iterations = views.iterations();
  grid.axes.push_back({"iteration", iterations, false, true});
  check_size(grid);

  std::vector<bool> present(grid.count_points(), false);
  for (std::size_t m = 0; m < processes.points.size(); ++m)
    for (std::size_t i = 0; i < views.count_iterations(m); ++i)
      present[processes.points[m] * iterations + i] = true;

  grid.present.clear();
  if (std::find(present.begin(), present.end(), false) != present.end())
    grid.present = std::move(present);
  return grid;
}

// What all ways to correlate a trace begin with.
class TraceCorrelation {
 public:
  TraceCorrelation(const Archive& archive, const Plan& plan,
                   const std::vector<std::size_t>& members, std::optional<ViewLoop> loop,
                   const CorrelateOptions& options, const ReadOptions& reading,
                   Diagnostics& diagnostics)
      : memory_(reading.memory),
        views_(archive, plan, members, loop, options.views, reading, diagnostics),
        processes_(find_process_grid(archive.definitions(), plan, members, views_.list_neighbours(),
                                     options.grid)),
        correlator_(make_grid(loop.has_value(), options), {options.max_shift, options.wrap}),
        runner_(correlator_, memory_ / 2) {
    report_.processes = members.size();
    report_.grid = processes_.words;
    if (loop)
      report_.loop = loop->loop;
    for (const auto& axis : correlator_.grid().axes)
      report_.axes.push_back({axis.name, axis.size, axis.periodic, axis.chosen});
    for (std::size_t v = 0; v < views_.size(); ++v)
      report_.views.push_back(views_.view(v));
    report_.left_out = views_.left_out();
    report_.query = views_.query();
  }

  const Views& views() const { return views_; }
  const Correlator& correlator() const { return correlator_; }
  const BatchRunner& runner() const { return runner_; }
  CorrelationReport& report() { return report_; }

  // Values of views by point of the grid.
  std::vector<ViewColumn> read_columns(const std::vector<std::size_t>& wanted) const {
    auto columns = views_.read_cells(wanted);
    const auto iterations = views_.iterations();
    for (auto& column : columns) {
      for (auto& cell : column)
        cell.place =
            processes_.points[cell.place / iterations] * iterations + cell.place % iterations;
      std::sort(column.begin(), column.end(),
                [](const auto& a, const auto& b) { return a.place < b.place; });
    }
    return columns;
  }

  // Views in slices whose values fit. Views that may be identical are in one slice.
  std::vector<std::vector<std::size_t>> cut_into_slices(std::vector<std::size_t> views) const {
    const auto likeness = [&](std::size_t v) {
      return std::pair(views_.count_cells(v), views_.view(v).sum);
    };
    std::sort(views.begin(), views.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(likeness(a), a) < std::pair(likeness(b), b);
    });

    std::vector<std::vector<std::size_t>> slices;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < views.size(); ++i) {
      const bool alike = i > 0 && likeness(views[i - 1]) == likeness(views[i]);
      const auto more = views_.count_cells(views[i]) * cell_bytes;
      if (slices.empty() || (!alike && bytes + more > memory_ / 4)) {
        slices.emplace_back();
        bytes = 0;
      }
      slices.back().push_back(views[i]);
      bytes += more;
    }
    return slices;
  }

 private:
  Grid make_grid(bool has_iterations, const CorrelateOptions& options) const {
    auto grid = has_iterations ? add_iterations(processes_, views_) : processes_.grid;
    choose_axes(grid, processes_.process_axes, has_iterations, options.axes);
    return grid;
  }

  std::uint64_t memory_;
  Views views_;
  ProcessGrid processes_;
  Correlator correlator_;
  BatchRunner runner_;
  CorrelationReport report_;
};

// Views with the same values everywhere: the first of them, with all.
struct Distinct {
  std::vector<std::vector<std::size_t>> views;  // ascending, by the first
  std::vector<const ViewColumn*> columns;
};

Distinct find_distinct(const std::vector<std::size_t>& views,
                       const std::vector<ViewColumn>& columns) {
  std::map<std::size_t, std::size_t> order;  // places by view
  for (std::size_t i = 0; i < views.size(); ++i)
    order[views[i]] = i;

  Distinct out;
  std::map<std::size_t, std::vector<std::size_t>> by_hash;
  for (const auto& [view, place] : order) {
    std::size_t hash = columns[place].size();
    for (const auto& cell : columns[place])
      hash = (hash ^ cell.place ^ std::bit_cast<std::uint64_t>(cell.value)) * 0x9e3779b97f4a7c15u;

    auto& candidates = by_hash[hash];
    const auto same = std::find_if(candidates.begin(), candidates.end(), [&](std::size_t d) {
      return are_equal(*out.columns[d], columns[place]);
    });
    if (same != candidates.end()) {
      out.views[*same].push_back(view);
      continue;
    }
    candidates.push_back(out.views.size());
    out.views.push_back({view});
    out.columns.push_back(&columns[place]);
  }
  return out;
}

CorrelationFinding make_finding(const std::vector<std::size_t>& views, const ViewMatch& found,
                                std::size_t axes) {
  CorrelationFinding finding;
  finding.view = views.front();
  finding.same.assign(views.begin() + 1, views.end());
  finding.r = static_cast<double>(found.match.r);
  finding.shift.assign(found.match.shift.begin(),
                       found.match.shift.begin() + static_cast<std::ptrdiff_t>(axes));
  finding.unshifted = static_cast<double>(found.match.unshifted);
  finding.plain = found.plain;
  return finding;
}

// By |r|; what differs only in rounding, by the order of views.
void sort_findings(std::vector<CorrelationFinding>& findings) {
  const auto rounded = [](const CorrelationFinding& f) {
    return std::llround(std::abs(f.r) * 1e5);
  };
  std::sort(findings.begin(), findings.end(), [&](const auto& a, const auto& b) {
    return std::tuple(-rounded(a), a.view) < std::tuple(-rounded(b), b.view);
  });
}

// Tells the chance of each finding, and leaves out those that luck explains.
void judge_findings(CorrelationReport& report, const Luck& luck, double most_chance) {
  for (auto& finding : report.findings)
    finding.chance = luck.find_chance(static_cast<float>(finding.r));

  const auto before = report.findings.size();
  std::erase_if(report.findings, [&](const auto& f) { return *f.chance > most_chance; });
  report.by_luck = before - report.findings.size();
  report.most_chance = most_chance;
}

}  // namespace

CorrelationReport correlate_view(const Archive& archive, const Plan& plan,
                                 const std::vector<std::size_t>& members,
                                 std::optional<ViewLoop> loop, const CorrelateOptions& options,
                                 const ReadOptions& reading, Diagnostics& diagnostics) {
  TraceCorrelation trace(archive, plan, members, loop, options, reading, diagnostics);
  auto& report = trace.report();
  const auto queried = report.query;
  const auto axes = report.axes.size();

  std::vector<std::size_t> others(trace.views().size());
  std::iota(others.begin(), others.end(), std::size_t{0});
  std::erase(others, queried);

  std::optional<BatchRunner::Query> query;
  Luck luck(correlation::surrogates_of_a_kind);
  for (const auto& slice : trace.cut_into_slices(others)) {
    auto wanted = slice;
    if (!query)
      wanted.push_back(queried);
    auto columns = trace.read_columns(wanted);
    if (!query) {
      query = trace.runner().make_query(columns.back());
      columns.pop_back();
    }

    const auto distinct = find_distinct(slice, columns);
    const auto matches = trace.runner().correlate(*query, distinct.columns);
    for (std::size_t d = 0; d < matches.size(); ++d)
      if (matches[d].match.r != 0)
        report.findings.push_back(make_finding(distinct.views[d], matches[d], axes));
    if (options.most_chance)
      luck.raise(trace.runner().try_luck(*query, distinct.columns, luck.phases.size()));
  }

  sort_findings(report.findings);
  if (options.most_chance)
    judge_findings(report, luck, *options.most_chance);
  return std::move(report);
}

}  // namespace tracefold
