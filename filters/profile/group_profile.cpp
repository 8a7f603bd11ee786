#include "filters/profile/group_profile.hpp"

#include "filters/profile/spread.hpp"

#include <algorithm>
#include <unordered_map>

namespace tracefold {

namespace {

constexpr std::size_t most_values = (std::size_t{64} << 20) / (3 * sizeof(std::uint64_t));

// Paths come depth first, so that those that lead to one are open when it comes.
void find_outermost(const std::vector<CallPath>& paths, Breakdown& breakdown) {
  std::vector<std::uint32_t> open(breakdown.rows.size());  // paths that lead to this one, by row
  std::vector<PathIndex> stack;
  breakdown.outermost.resize(paths.size());
  for (PathIndex p = 0; p < paths.size(); ++p) {
    for (; !stack.empty() && stack.back() != paths[p].caller; stack.pop_back())
      --open[breakdown.row_of[stack.back()]];
    breakdown.outermost[p] = open[breakdown.row_of[p]]++ == 0;
    stack.push_back(p);
  }
}

// Rows of the breakdown by process: visits, inclusive and exclusive time.
class Block {
 public:
  Block(std::size_t first, std::size_t rows, std::size_t processes)
      : first_(first), processes_(processes) {
    for (auto* values : {&visits, &inclusive, &exclusive})
      values->resize(rows * processes);
  }

  void add(const CallProfile& profile, std::size_t process, const Breakdown& breakdown,
           std::size_t column) {
    const auto& one = profile.processes[process];
    const auto& paths = profile.shape_of(process).paths;
    const auto times = inclusive_times(profile, process);
    for (std::size_t k = 0; k < paths.size(); ++k) {
      const auto row = breakdown.row_of[paths[k]];
      if (row < first_ || (row - first_ + 1) * processes_ > visits.size())
        continue;

      const auto at = (row - first_) * processes_ + column;
      visits[at] += one.visits[k];
      exclusive[at] += one.exclusive[k];
      if (breakdown.outermost[paths[k]])
        inclusive[at] += times[k];
    }
  }

  std::vector<std::uint64_t> visits, inclusive, exclusive;  // rows after one another

 private:
  std::size_t first_, processes_;
};

// The spread of one row of values over the members of a group.
Spread spread_over(const Plan& plan, const std::vector<std::size_t>& members,
                   const std::uint64_t* row, std::uint64_t processes) {
  std::vector<WeightedValue> values;
  values.reserve(members.size());
  for (std::size_t m = 0; m < members.size(); ++m)
    values.push_back({row[m], plan.processes[members[m]].weight, members[m]});
  return spread_of(values, processes);
}

void fill(ProfileRow& row, const Plan& plan, const std::vector<std::size_t>& members,
          const Block& block, std::size_t first_value, std::uint64_t processes) {
  row.visits = spread_over(plan, members, &block.visits[first_value], processes);
  row.inclusive = spread_over(plan, members, &block.inclusive[first_value], processes);
  row.exclusive = spread_over(plan, members, &block.exclusive[first_value], processes);
  const auto width = static_cast<double>(row.exclusive.at.back() - row.exclusive.at.front());
  if (row.exclusive.total > 0)
    row.variation = width * static_cast<double>(processes) / row.exclusive.total;
}

}  // namespace

Breakdown by_function(const CallProfile& profile) {
  Breakdown out;
  std::unordered_map<FunctionIndex, std::uint32_t> known;
  for (const auto& path : profile.paths) {
    const auto [at, fresh] =
        known.try_emplace(path.function, static_cast<std::uint32_t>(out.rows.size()));
    if (fresh)
      out.rows.emplace_back().function = path.function;
    out.row_of.push_back(at->second);
  }

  find_outermost(profile.paths, out);

  return out;
}

Breakdown by_call_path(const CallProfile& profile) {
  Breakdown out;
  out.rows.resize(profile.paths.size());
  for (PathIndex p = 0; p < profile.paths.size(); ++p) {
    out.rows[p].path = p;
    out.rows[p].function = profile.paths[p].function;
    out.row_of.push_back(p);
  }

  out.outermost.assign(profile.paths.size(), true);

  return out;
}

Breakdown by_call_pair(const CallProfile& profile) {
  Breakdown out;
  std::unordered_map<std::uint64_t, std::uint32_t> known;

  for (const auto& path : profile.paths) {
    const auto caller = path.caller == no_path ? virtual_root : profile.paths[path.caller].function;
    const auto [at, fresh] = known.try_emplace(std::uint64_t{caller} << 32 | path.function,
                                               static_cast<std::uint32_t>(out.rows.size()));
    if (fresh) {
      auto& row = out.rows.emplace_back();
      row.function = path.function;
      row.relation = Relation::callee;
      row.subject = caller;
    }

    out.row_of.push_back(at->second);
  }

  find_outermost(profile.paths, out);

  return out;
}

GroupProfile profile_group(const Plan& plan, std::size_t group, const CallProfile& profile,
                           const Breakdown& breakdown) {
  const auto& members = (*plan.groups)[group].members;
  GroupProfile out;
  out.group = group;
  out.processes = count_of(plan, members);
  const auto height = std::max<std::size_t>(1, most_values / members.size());

  for (std::size_t first = 0; first < breakdown.rows.size(); first += height) {
    const auto rows = std::min(height, breakdown.rows.size() - first);
    Block block(first, rows, members.size());
    for (std::size_t m = 0; m < members.size(); ++m)
      block.add(profile, members[m], breakdown, m);

    for (std::size_t r = 0; r < rows; ++r) {
      const auto from = block.visits.begin() + static_cast<std::ptrdiff_t>(r * members.size());
      if (std::all_of(from, from + static_cast<std::ptrdiff_t>(members.size()),
                      [](auto n) { return n == 0; }))
        continue;
      fill(out.rows.emplace_back(breakdown.rows[first + r]), plan, members, block,
           r * members.size(), out.processes);
    }
  }

  return out;
}

}  // namespace tracefold
