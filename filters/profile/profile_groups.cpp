#include "filters/profile/profile_groups.hpp"

#include "filters/profile/spread.hpp"
#include "model/plan.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

// Paths come depth first: when a path comes, those that lead to it are on the stack.
void mark_outermost(const std::vector<CallPath>& paths, Breakdown& breakdown) {
  std::vector<std::uint32_t> open(breakdown.rows.size());  // paths on the stack, for each row
  std::vector<PathIndex> stack;
  breakdown.is_outermost.resize(paths.size());

  for (PathIndex p = 0; p < paths.size(); ++p) {
    for (; !stack.empty() && stack.back() != paths[p].caller; stack.pop_back())
      --open[breakdown.get_row[stack.back()]];

    breakdown.is_outermost[p] = open[breakdown.get_row[p]]++ == 0;
    stack.push_back(p);
  }
}

// The sums of a ratio over the processes of a group, by row and of all rows.
class RatioSums {
 public:
  RatioSums(const MetricRatio& ratio, std::size_t rows) : ratio_(ratio), sums_(rows + 1) {}

  // A process that stands for so many.
  void add(const CallPathProfiles& profile, std::size_t process, const Breakdown& breakdown,
           std::uint64_t weight) {
    if (ratio_.is_unknown_in_calls || !ratio_.is_recorded(profile, process))
      return;
    const auto& paths = profile.shape(process).paths;
    const auto times = static_cast<double>(weight);
    for (std::size_t k = 0; k < paths.size(); ++k) {
      const auto above = times * static_cast<double>(ratio_.above.sum(profile, process, k));
      const auto below = times * static_cast<double>(ratio_.below.sum(profile, process, k));
      for (auto* sums : {&sums_[breakdown.get_row[paths[k]]], &sums_.back()}) {
        sums->above += above;
        sums->below += below;
      }
    }
  }

  std::optional<double> divide(std::size_t row) const {
    return ratio_.divide(sums_[row].above, sums_[row].below);
  }
  std::optional<double> divide_all() const { return divide(sums_.size() - 1); }

 private:
  struct Sums {
    double above = 0, below = 0;
  };
  const MetricRatio& ratio_;
  std::vector<Sums> sums_;
};

// The numbers of some consecutive rows for all processes of a group. A whole table would take too
// much memory where there are many of both.
class RowBlock {
 public:
  static constexpr std::size_t most_bytes = std::size_t{64} << 20;

  static std::size_t count_rows(const CallPathProfiles& profile, std::size_t processes) {
    const auto quantities = 3 + profile.columns.counters.size();
    return std::max<std::size_t>(
        1, most_bytes / (quantities * sizeof(std::uint64_t)) / std::max<std::size_t>(processes, 1));
  }

  RowBlock(std::size_t first_row, std::size_t rows, std::size_t processes,
           std::size_t counter_count)
      : counters(counter_count), first_row_(first_row), rows_(rows), processes_(processes) {
    for (auto* values : {&visits, &inclusive, &exclusive})
      values->resize(rows * processes);
    for (auto& values : counters)
      values.resize(rows * processes);
  }

  // Adds what a process of the profile has in these rows, as column `column`.
  void add(const CallPathProfiles& profile, std::size_t process, const Breakdown& breakdown,
           std::size_t column) {
    const auto time_column = *profile.columns.find(Metric::execution_time);
    const auto visits_column = *profile.columns.find(Metric::visits);
    const auto first_counter = profile.columns.measured.size();
    const auto& paths = profile.shape(process).paths;
    const auto times = sum_with_callees(profile, process, time_column);

    for (std::size_t k = 0; k < paths.size(); ++k) {
      const auto row = breakdown.get_row[paths[k]];
      if (row < first_row_ || row >= first_row_ + rows_)
        continue;

      const auto at = (row - first_row_) * processes_ + column;
      visits[at] += profile.value(process, k, visits_column);
      exclusive[at] += profile.value(process, k, time_column);
      if (breakdown.is_outermost[paths[k]])
        inclusive[at] += times[k];
      for (std::size_t c = 0; c < counters.size(); ++c)
        counters[c][at] += profile.value(process, k, first_counter + c);
    }
  }

  const std::vector<std::uint64_t>& get(Quantity quantity) const {
    return quantity == Quantity::visits      ? visits
           : quantity == Quantity::inclusive ? inclusive
                                             : exclusive;
  }

  // Row after row, in each one value for each process. Times are ticks.
  std::vector<std::uint64_t> visits, inclusive, exclusive;
  std::vector<std::vector<std::uint64_t>> counters;

 private:
  std::size_t first_row_, rows_, processes_;
};

// `row` holds one value for each member of a group, which stand for so many processes.
Spread measure_spread(const Plan& plan, const std::vector<std::size_t>& members,
                      const std::uint64_t* row, std::uint64_t processes) {
  std::vector<WeightedValue> values;
  values.reserve(members.size());
  for (std::size_t m = 0; m < members.size(); ++m)
    values.push_back({row[m], plan.processes[members[m]].weight, members[m]});

  return measure_spread(values, processes);
}

// The ends of quarters are the percentiles that the spread has of the same values.
Quarters find_quarters(const std::vector<std::size_t>& members, const std::uint64_t* row,
                       const Spread& spread) {
  constexpr std::size_t first_end = 1;  // 25 % in shown_percentiles
  Quarters quarters;
  for (std::size_t m = 0; m < members.size(); ++m) {
    std::size_t quarter = 0;
    while (quarter < 3 && row[m] > spread.at[first_end + quarter])
      ++quarter;
    quarters[quarter].push_back(members[m]);
  }

  return quarters;
}

void fill(ProfileRow& row, const Plan& plan, const std::vector<std::size_t>& members,
          const RowBlock& block, std::size_t first_value, std::uint64_t processes) {
  row.visits = measure_spread(plan, members, &block.visits[first_value], processes);
  row.inclusive = measure_spread(plan, members, &block.inclusive[first_value], processes);
  row.exclusive = measure_spread(plan, members, &block.exclusive[first_value], processes);
  for (const auto& counter : block.counters)
    row.counters.push_back(measure_spread(plan, members, &counter[first_value], processes));

  const auto width = static_cast<double>(row.exclusive.at.back() - row.exclusive.at.front());
  if (row.exclusive.total > 0)
    row.variation = width * static_cast<double>(processes) / row.exclusive.total;
}

const Spread& get_spread(const ProfileRow& row, Quantity quantity) {
  return quantity == Quantity::visits      ? row.visits
         : quantity == Quantity::inclusive ? row.inclusive
                                           : row.exclusive;
}

GroupProfile profile_members(const Plan& plan, std::size_t group,
                             const std::vector<std::size_t>& members,
                             const CallPathProfiles& profile, const Breakdown& breakdown,
                             std::optional<Quantity> quarters_of, const MetricRatio* ratio) {
  GroupProfile out;
  out.group = group;
  out.processes = count_processes(plan, members);
  std::optional<RatioSums> ratios;
  if (ratio) {
    ratios.emplace(*ratio, breakdown.rows.size());
    for (auto m : members)
      ratios->add(profile, m, breakdown, plan.processes[m].weight);
    out.ratio = ratios->divide_all();
  }
  const auto rows_at_once = RowBlock::count_rows(profile, members.size());

  for (std::size_t first = 0; first < breakdown.rows.size(); first += rows_at_once) {
    const auto rows = std::min(rows_at_once, breakdown.rows.size() - first);
    RowBlock block(first, rows, members.size(), profile.columns.counters.size());
    for (std::size_t m = 0; m < members.size(); ++m)
      block.add(profile, members[m], breakdown, m);

    for (std::size_t r = 0; r < rows; ++r) {
      const auto first_value = r * members.size();
      const auto visits = block.visits.begin() + static_cast<std::ptrdiff_t>(first_value);
      const bool is_visited =
          std::any_of(visits, visits + static_cast<std::ptrdiff_t>(members.size()),
                      [](auto n) { return n > 0; });
      if (!is_visited)
        continue;

      auto& row = out.rows.emplace_back(breakdown.rows[first + r]);
      fill(row, plan, members, block, first_value, out.processes);
      out.time += row.exclusive.total;
      if (ratios)
        row.ratio = ratios->divide(first + r);
      if (quarters_of)
        row.quarters = find_quarters(members, &block.get(*quarters_of)[first_value],
                                     get_spread(row, *quarters_of));
    }
  }

  return out;
}

}  // namespace

Breakdown break_down(const CallPathProfiles& profile, BreakDownBy by) {
  Breakdown breakdown;
  std::unordered_map<std::uint64_t, std::uint32_t> known;

  for (PathIndex p = 0; p < profile.paths.size(); ++p) {
    const auto& path = profile.paths[p];
    ProfileRow row;
    row.function = path.function;
    std::uint64_t key = path.function;

    if (by == BreakDownBy::call_path)
      key = row.path = p;
    if (by == BreakDownBy::call_pair) {
      row.relation = Relation::callee;
      row.subject = path.caller == no_path ? virtual_root : profile.paths[path.caller].function;
      key |= std::uint64_t{row.subject} << 32;
    }

    const auto next = static_cast<std::uint32_t>(breakdown.rows.size());
    const auto [at, is_new] = known.try_emplace(key, next);
    if (is_new)
      breakdown.rows.push_back(std::move(row));
    breakdown.get_row.push_back(at->second);
  }

  mark_outermost(profile.paths, breakdown);

  return breakdown;
}

Breakdown break_down(const CallPathProfiles& profile, const std::vector<std::uint32_t>& group_of) {
  Breakdown breakdown;
  std::unordered_map<std::uint32_t, std::uint32_t> known;

  for (const auto& path : profile.paths) {
    const auto group = group_of[path.function];
    const auto next = static_cast<std::uint32_t>(breakdown.rows.size());
    const auto [at, is_new] = known.try_emplace(group, next);
    if (is_new)
      breakdown.rows.emplace_back().function = group;
    breakdown.get_row.push_back(at->second);
  }

  mark_outermost(profile.paths, breakdown);

  return breakdown;
}

GroupProfile profile_group(const Plan& plan, std::size_t group, const CallPathProfiles& profile,
                           const Breakdown& breakdown, std::optional<Quantity> quarters_of,
                           const MetricRatio* ratio, std::optional<std::size_t> cluster) {
  const auto& members =
      cluster ? (*plan.representatives)[*cluster].members : (*plan.groups)[group].members;
  auto out = profile_members(plan, group, members, profile, breakdown, quarters_of, ratio);
  out.cluster = cluster;
  return out;
}

GroupProfile profile_all(const Plan& plan, const CallPathProfiles& profile,
                         const Breakdown& breakdown, std::optional<Quantity> quarters_of,
                         const MetricRatio* ratio) {
  return profile_members(plan, all_groups, list_processes(plan), profile, breakdown, quarters_of,
                         ratio);
}

}  // namespace tracefold
