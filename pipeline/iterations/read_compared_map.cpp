#include "pipeline/iterations/map_pass.hpp"

#include "base/team.hpp"
#include "model/iterations/iteration_section.hpp"
#include "model/plan.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

namespace tracefold {

namespace {

// In how many iterations of a column a kept iteration stands.
struct ColumnUse {
  std::size_t column = 0;
  std::uint64_t times = 0;
};

// By kept iteration where it stands, ascending by columns.
using IterationUses = std::vector<std::vector<ColumnUse>>;

IterationUses list_uses(const KeptIterations& choice, std::size_t per_column) {
  IterationUses uses(choice.kept.size());
  for (std::size_t i = 0; i < choice.kept_of.size(); ++i) {
    auto& of_kept = uses[choice.kept_of[i]];
    if (of_kept.empty() || of_kept.back().column != i / per_column)
      of_kept.push_back({i / per_column, 0});
    ++of_kept.back().times;
  }

  return uses;
}

// How one loop is folded: the choice, and where what stays stands in the map and in layers.
struct LoopUses {
  const KeptIterations* choice = nullptr;
  IterationUses in_map, in_layers;

  // The place of an iteration among those that stay.
  std::optional<std::size_t> find_kept(std::size_t iteration) const {
    const auto& kept = choice->kept;
    const auto found = std::lower_bound(kept.begin(), kept.end(), iteration);
    if (found == kept.end() || *found != iteration)
      return std::nullopt;
    return static_cast<std::size_t>(found - kept.begin());
  }
};

// Who stands for the rows of a map.
struct RowFold {
  std::optional<std::size_t> representative;  // row; none: it is not in the map
  std::uint64_t rows = 0;                     // that this one stands for
  const LoopUses* folded = nullptr;  // where it stands for others: how its iterations are folded
};

// The section's loop that begins where the map's does.
const FoldedLoop* find_folded_loop(const IterationSection& section, const AlignedProcess& aligned,
                                   const Loop& loop) {
  const auto& folded = aligned.loops.loops;
  for (std::size_t l = 0; l < folded.size(); ++l)
    if (folded[l].iterations == loop.iterations)
      return &section.loops[l];

  return nullptr;
}

class MapFolds {
 public:
  // The processes of the map have the loop.
  MapFolds(const Plan& plan, const SeriesLoop& shown, const IterationMap& map,
           std::size_t per_layer_column)
      : rows_(map.processes.size()) {
    std::vector<std::optional<std::size_t>> row_of(plan.processes.size());
    for (std::size_t r = 0; r < rows_.size(); ++r)
      row_of[map.processes[r]] = r;

    find_representative_rows(plan, map, row_of);
    if (!plan.iterations)
      return;

    for (const auto& aligned : plan.iterations->processes) {
      const auto row = row_of[aligned.process];
      if (!row || rows_[*row].rows == 0)
        continue;
      const auto* loop =
          find_folded_loop(*plan.iterations, aligned,
                           shown.loops[aligned.process].loops[*shown.find_place(aligned.process)]);
      if (loop && loop->choice.kept.size() < loop->choice.kept_of.size())
        rows_[*row].folded = add_uses(loop->choice, map.per_column, per_layer_column);
    }
  }

  const RowFold& row(std::size_t r) const { return rows_[r]; }
  bool is_kept(std::size_t r) const { return rows_[r].representative == r; }
  // None: all stay.
  const KeptIterations* choice() const { return uses_.empty() ? nullptr : uses_.begin()->first; }
  bool any() const {
    for (std::size_t r = 0; r < rows_.size(); ++r)
      if (!is_kept(r))
        return true;
    return !uses_.empty();
  }

 private:
  void find_representative_rows(const Plan& plan, const IterationMap& map,
                                const std::vector<std::optional<std::size_t>>& row_of) {
    for (std::size_t r = 0; r < rows_.size(); ++r)
      rows_[r].representative = r;

    if (plan.representatives)
      for (const auto& representative : *plan.representatives)
        for (auto m : representative.members)
          if (row_of[m])
            rows_[*row_of[m]].representative = row_of[representative.process];

    for (std::size_t r = 0; r < map.processes.size(); ++r)
      if (rows_[r].representative)
        ++rows_[*rows_[r].representative].rows;
  }

  const LoopUses* add_uses(const KeptIterations& choice, std::size_t per_column,
                           std::size_t per_layer_column) {
    auto& uses = uses_[&choice];
    if (!uses.choice)
      uses = {&choice, list_uses(choice, per_column), list_uses(choice, per_layer_column)};
    return &uses;
  }

  std::vector<RowFold> rows_;
  std::map<const KeptIterations*, LoopUses> uses_;
};

// The sums of all processes in each column of layers. Integers, so that they do not depend on the
// order in which processes are read. Thread-safe.
class LayerSums {
 public:
  LayerSums(std::size_t parts, std::size_t columns)
      : parts_(parts), sums_((parts + 1) * columns), columns_(columns) {}

  // Adds the values that the parts have in an iteration, this often.
  void add(std::size_t column, std::span<const std::uint64_t> values, std::uint64_t times) {
    for (std::size_t p = 0; p < parts_; ++p)
      sums_[p * columns_ + column].fetch_add(values[p] * times, std::memory_order_relaxed);
    sums_[parts_ * columns_ + column].fetch_add(times, std::memory_order_relaxed);
  }

  // What the members of a team have added is known to all of them then.
  void share(Team* team) {
    using Sums = std::vector<std::uint64_t>;
    const auto all =
        share_merged(team, Sums(sums_.begin(), sums_.end()), [](Sums lower, const Sums& higher) {
          std::transform(lower.begin(), lower.end(), higher.begin(), lower.begin(), std::plus<>());
          return lower;
        });
    std::copy(all.begin(), all.end(), sums_.begin());
  }

  // Takes back iterations of a process that recorded nothing in any of them.
  void remove_empty(std::size_t iterations, std::size_t per_column) {
    for (std::size_t i = 0; i < iterations; ++i)
      sums_[parts_ * columns_ + i / per_column].fetch_sub(1, std::memory_order_relaxed);
  }

  std::vector<double> list_means(std::size_t part) const {
    std::vector<double> means;
    for (std::size_t c = 0; c < columns_; ++c) {
      const auto times = sums_[parts_ * columns_ + c].load();
      // Computation time is a difference, which a damaged trace may bring below 0.
      const auto sum = static_cast<std::int64_t>(sums_[part * columns_ + c].load());
      means.push_back(times > 0 ? static_cast<double>(sum) / static_cast<double>(times)
                                : std::numeric_limits<double>::quiet_NaN());
    }

    return means;
  }

 private:
  std::size_t parts_;
  std::vector<std::atomic<std::uint64_t>> sums_;  // part by part, and then numbers of iterations
  std::size_t columns_;
};

// Sums of the values of one process's iterations, for the reconstruction of its row.
void put_kept_value(IterationMap& map, std::size_t row, std::span<const ColumnUse> uses,
                    double value) {
  for (const auto& use : uses) {
    auto& cell = map.values[row * map.columns + use.column];
    cell = (std::isnan(cell) ? 0 : cell) + value * static_cast<double>(use.times);
  }
}

void divide_by_iterations(IterationMap& map, std::size_t row, std::size_t iterations) {
  for (std::size_t c = 0; c < map.columns; ++c) {
    const auto first = c * map.per_column;
    if (first < iterations)
      map.values[row * map.columns + c] /=
          static_cast<double>(std::min(map.per_column, iterations - first));
  }
}

void copy_row(const IterationMap& from, std::size_t from_row, IterationMap& to,
              std::size_t to_row) {
  const auto values = from.row(from_row);
  std::copy(values.begin(), values.end(),
            to.values.begin() + static_cast<std::ptrdiff_t>(to_row * to.columns));
}

}  // namespace

ComparedMap read_compared_map(const Archive& archive, const Plan& plan,
                              const std::vector<ProcessLoops>& loops, const MapOptions& options,
                              const ReadOptions& reading, Diagnostics& diagnostics) {
  std::vector<std::size_t> members(plan.processes.size());
  std::iota(members.begin(), members.end(), std::size_t{0});
  ComparedMap out;
  auto& map = out.original;
  const auto loop = choose_map_loop(members, loops, options);
  map = list_map_rows(members, loop, options);

  MapPass shown(archive, plan, loops, map, options, reading, diagnostics);
  make_cells(map, options.most_cells / 2);

  const auto whole = divide_whole(shown.pass.columns(), shown.metric);
  out.layers.whole = whole.name;
  out.layers.kind = whole.kind;
  out.layers.per_column = (map.iterations + most_layer_columns - 1) / most_layer_columns;
  const auto layer_columns = (map.iterations + out.layers.per_column - 1) / out.layers.per_column;

  const MapFolds folds(plan, loop, map, out.layers.per_column);
  if (folds.any())
    out.reconstruction = map;

  LayerSums original_layers(whole.parts.size(), layer_columns);
  LayerSums kept_layers(whole.parts.size(), layer_columns);
  auto rows = shown.list_rows(map);
  RecordedRows recorded(rows.size());

  const auto own = read_own_series(shown.pass, loop, [&](const SeriesProfile& of) {
    recorded.add(of);
    const auto value = add_values(of, shown.metric, shown.filters[of.member]);
    rows[of.member].add(of.iteration, value);
    std::vector<std::uint64_t> parts;
    for (const auto& part : whole.parts)
      parts.push_back(static_cast<std::uint64_t>(
          static_cast<std::int64_t>(add_values(of, part, shown.filters[of.member]))));
    original_layers.add(of.iteration / out.layers.per_column, parts, 1);

    const auto& fold = folds.row(of.member);
    if (!out.reconstruction || fold.rows == 0)
      return;
    if (!fold.folded) {
      kept_layers.add(of.iteration / out.layers.per_column, parts, fold.rows);
      return;
    }
    if (const auto kept = fold.folded->find_kept(of.iteration)) {
      put_kept_value(*out.reconstruction, of.member, fold.folded->in_map[*kept], value);
      for (const auto& use : fold.folded->in_layers[*kept])
        kept_layers.add(use.column, parts, use.times * fold.rows);
    }
  });
  for (auto& row : rows)
    row.finish();
  share_rows(shown.team(), own, map);
  if (out.reconstruction)
    share_rows(shown.team(), own, *out.reconstruction);
  recorded.share(shown.team(), own);
  original_layers.share(shown.team());
  kept_layers.share(shown.team());

  check_path_was_met(map, shown.filters, shown.team());
  const auto is_empty = recorded.list_empty();
  for (std::size_t r = 0; r < is_empty.size(); ++r)
    if (is_empty[r]) {
      original_layers.remove_empty(loop.count_iterations(map.processes[r]), out.layers.per_column);
      if (const auto representative = folds.row(r).representative;
          representative && out.reconstruction)
        kept_layers.remove_empty(loop.count_iterations(map.processes[*representative]),
                                 out.layers.per_column);
    }
  for (std::size_t p = 0; p < whole.parts.size(); ++p)
    out.layers.layers.push_back(
        {whole.parts[p].entry.name, original_layers.list_means(p),
         out.reconstruction ? kept_layers.list_means(p) : std::vector<double>()});

  for (std::size_t r = 0; r < map.processes.size(); ++r)
    if (folds.is_kept(r))
      out.kept_rows.push_back(r);
  if (const auto* choice = folds.choice())
    out.kept_iterations = choice->kept;
  if (!out.reconstruction) {
    leave_out_rows(is_empty, out);
    return out;
  }

  // The rows that stay, and then those that they stand for.
  for (auto r : out.kept_rows)
    if (const auto* folded = folds.row(r).folded)
      divide_by_iterations(*out.reconstruction, r, folded->choice->kept_of.size());
    else
      copy_row(map, r, *out.reconstruction, r);
  for (std::size_t r = 0; r < map.processes.size(); ++r)
    if (const auto representative = folds.row(r).representative;
        representative && *representative != r)
      copy_row(*out.reconstruction, *representative, *out.reconstruction, r);
  leave_out_rows(is_empty, out);

  return out;
}

}  // namespace tracefold
