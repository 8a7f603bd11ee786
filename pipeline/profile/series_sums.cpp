#include "pipeline/profile/series_sums.hpp"

#include "filters/iterations/iteration_features.hpp"
#include "pipeline/profile/merge_call_paths.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

namespace {

std::uint64_t make_key(PathIndex caller, FunctionIndex function) {
  return std::uint64_t{caller} << 32 | function;
}

MetricColumns take_columns(const MetricColumns& all, const std::vector<std::size_t>& wanted) {
  MetricColumns out;
  for (auto column : wanted)
    if (column < all.measured.size())
      out.measured.push_back(all.measured[column]);
    else
      out.counters.push_back(all.counters[column - all.measured.size()]);
  return out;
}

// The sums of one process, by path.
struct Sums {
  std::vector<CallPath> paths;
  std::vector<std::uint64_t> values;
  std::vector<bool> has;  // the process was there

  void add(const CallPathProfile& profile, const std::vector<std::size_t>& columns);
  CallPathPart make_part(std::size_t process, std::size_t columns);
};

void Sums::add(const CallPathProfile& profile, const std::vector<std::size_t>& columns) {
  if (profile.rows.empty())
    return;

  const auto paths_now = std::size_t{profile.rows.back().path} + 1;
  if (has.size() < paths_now) {
    has.resize(paths_now);
    values.resize(paths_now * columns.size());
  }

  for (std::size_t r = 0; r < profile.rows.size(); ++r) {
    const auto path = std::size_t{profile.rows[r].path};
    has[path] = true;
    for (std::size_t c = 0; c < columns.size(); ++c)
      values[path * columns.size() + c] += profile.row(r)[columns[c]];
  }
}

// Paths that lead to one that the process has are its own, too.
CallPathPart Sums::make_part(std::size_t process, std::size_t columns) {
  has.resize(paths.size());
  values.resize(paths.size() * columns);
  for (auto path = paths.size(); path-- > 1;)
    if (has[path] && paths[path].caller != 0)
      has[paths[path].caller] = true;

  CallPathProfile profile;
  for (std::size_t path = 1; path < paths.size(); ++path) {
    if (!has[path])
      continue;
    profile.rows.push_back({static_cast<PathIndex>(path), PathKind::usr});
    const auto row = values.begin() + static_cast<std::ptrdiff_t>(path * columns);
    profile.values.insert(profile.values.end(), row, row + static_cast<std::ptrdiff_t>(columns));
  }

  CallPathPart part;
  part.set_tree(paths);
  part.add(process, std::move(profile));
  return part;
}

}  // namespace

std::size_t SeriesLoop::count_iterations(std::size_t process) const {
  const auto& here = loops[process].loops;
  return loop < here.size() ? here[loop].iterations.size() : 0;
}

std::size_t SeriesLoop::count_iterations_before(std::size_t process) const {
  const auto& here = loops[process].loops;
  std::size_t first = 0;
  for (std::size_t l = 0; l < loop && l < here.size(); ++l)
    first += here[l].iterations.size();
  return first;
}

void read_series(const SeriesPass& pass, const std::optional<SeriesLoop>& loop,
                 const std::function<void(const SeriesProfile&)>& body) {
  const auto& members = pass.members();
  const auto find_member = [&](std::size_t process) {
    return static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), process) -
                                    members.begin());
  };

  SeriesCallbacks callbacks;
  if (loop)
    callbacks.iteration = [&](const SeriesIteration& it) {
      const auto first = loop->count_iterations_before(it.process);
      if (it.iteration >= first && it.iteration - first < loop->count_iterations(it.process))
        body({find_member(it.process), it.iteration - first, it.profile, it.paths});
    };
  else
    callbacks.end = [&](std::size_t process, std::span<const CallPath> paths,
                        const CallPathProfile& all) {
      body({find_member(process), 0, all, paths});
    };
  pass.read(callbacks);
}

CallPathProfiles sum_series(const SeriesPass& pass, const std::optional<SeriesLoop>& loop,
                            const std::vector<std::size_t>& columns) {
  std::vector<Sums> sums(pass.members().size());
  read_series(pass, loop, [&](const SeriesProfile& of) {
    auto& mine = sums[of.member];
    mine.add(of.profile, columns);
    if (mine.paths.size() < of.paths.size())
      mine.paths.assign(of.paths.begin(), of.paths.end());
  });

  std::vector<CallPathPart> parts;
  for (std::size_t member = 0; member < sums.size(); ++member) {
    if (sums[member].paths.empty())
      sums[member].paths.resize(1);
    parts.push_back(sums[member].make_part(member, columns.size()));
    sums[member] = {};
  }
  return merge_call_paths(std::move(parts), take_columns(pass.columns(), columns), sums.size());
}

ProcessProfiles profile_processes(const Archive& archive, const Plan& plan,
                                  std::vector<std::size_t> members, const ReadOptions& options,
                                  Diagnostics& diagnostics) {
  const std::vector<ProcessLoops> no_loops(plan.processes.size());
  const SeriesPass pass(archive, plan, no_loops, members, options, diagnostics);
  std::vector<std::size_t> columns(pass.columns().size());
  std::iota(columns.begin(), columns.end(), std::size_t{0});

  ProcessProfiles out{std::move(members), {}, sum_series(pass, std::nullopt, columns)};
  const CondensedForm condensed(pass.columns());
  for (const auto& entry : condensed.entries())
    out.metrics.push_back({entry.name, entry.kind, entry.columns});
  return out;
}

PathNumbers::Tree PathNumbers::make_tree(const std::vector<CallPath>& paths) {
  Tree tree;
  for (std::size_t p = 0; p < paths.size(); ++p)
    tree.emplace(make_key(paths[p].caller, paths[p].function), static_cast<PathIndex>(p));
  return tree;
}

PathIndex PathNumbers::find(const Tree& tree, PathIndex path, std::span<const CallPath> paths) {
  // Callers stand before their callees.
  for (auto next = known_.size(); next <= path; ++next) {
    const auto caller = paths[next].caller == 0 ? no_path : known_[paths[next].caller];
    const bool unknown = paths[next].caller != 0 && caller == no_path;
    const auto found = tree.find(make_key(caller, paths[next].function));
    known_.push_back(unknown || found == tree.end() ? no_path : found->second);
  }
  return known_[path];
}

}  // namespace tracefold
