#include "pipeline/facts/series_sums.hpp"

#include "base/team.hpp"

#include <algorithm>
#include <map>

namespace tracefold {

namespace {

std::uint64_t make_path_key(PathIndex caller, FunctionIndex function) {
  return std::uint64_t{caller} << 32 | function;
}

}  // namespace

SeriesSums::SeriesSums(const std::vector<std::size_t>& columns) : width_(columns.size()) {
  for (std::size_t place = 0; place < columns.size(); ++place) {
    places_.resize(std::max(places_.size(), columns[place] + 1), not_wanted);
    places_[columns[place]] = place;
  }
}

void SeriesSums::add(const CallPathProfile& profile) {
  if (profile.rows.empty())
    return;

  const auto paths_now = std::size_t{profile.rows.back().path} + 1;
  if (has_.size() < paths_now) {
    has_.resize(paths_now);
    values_.resize(paths_now * width_);
  }

  for (std::size_t r = 0; r < profile.rows.size(); ++r) {
    const auto path = std::size_t{profile.rows[r].path};
    has_[path] = true;
    auto* sums = values_.data() + path * width_;
    for (const auto& [column, value] : profile.row(r))
      if (column < places_.size() && places_[column] != not_wanted)
        sums[places_[column]] += value;
  }
}

void SeriesSums::add(const SeriesSums& other) {
  has_.resize(std::max(has_.size(), other.has_.size()));
  values_.resize(has_.size() * width_);
  for (std::size_t path = 0; path < other.has_.size(); ++path)
    has_[path] |= other.has_[path];
  for (std::size_t k = 0; k < other.values_.size(); ++k)
    values_[k] += other.values_[k];
}

void SeriesSums::set_tree(std::span<const CallPath> paths) {
  if (paths_.size() < paths.size())
    paths_.assign(paths.begin(), paths.end());
}

std::vector<PathIndex> SeriesSums::list_paths() {
  has_.resize(paths_.size());
  values_.resize(paths_.size() * width_);
  for (auto path = paths_.size(); path-- > 1;)
    if (has_[path] && paths_[path].caller != 0)
      has_[paths_[path].caller] = true;

  std::vector<PathIndex> list;
  list.reserve(static_cast<std::size_t>(std::count(has_.begin(), has_.end(), char{true})));
  for (std::size_t path = 1; path < paths_.size(); ++path)
    if (has_[path])
      list.push_back(static_cast<PathIndex>(path));
  return list;
}

CallPathPart SeriesSums::make_part(std::size_t process) && {
  auto paths = list_paths();
  std::vector<std::uint64_t> values;
  values.reserve(paths.size() * width_);
  for (auto path : paths) {
    const auto sums = row(path);
    values.insert(values.end(), sums.begin(), sums.end());
  }

  const auto root = row(0);
  std::vector<std::uint64_t> outside;
  if (std::any_of(root.begin(), root.end(), [](auto value) { return value != 0; }))
    outside.assign(root.begin(), root.end());

  CallPathPart part;
  part.set_tree(paths_);
  part.add(process, std::move(paths), std::move(values), std::move(outside));

  return part;
}

std::size_t SeriesLoop::count_iterations(std::size_t process) const {
  const auto& here = loops[process].loops;
  const auto place = find_place(process);
  return place && *place < here.size() ? here[*place].iterations.size() : 0;
}

std::size_t SeriesLoop::count_iterations_before(std::size_t process) const {
  const auto& here = loops[process].loops;
  const auto place = find_place(process).value_or(0);
  std::size_t first = 0;
  for (std::size_t l = 0; l < place && l < here.size(); ++l)
    first += here[l].iterations.size();
  return first;
}

std::vector<std::size_t> read_own_series(const SeriesPass& pass,
                                         const std::optional<SeriesLoop>& loop,
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
    callbacks.end = [&](const SeriesEnd& end) {
      body({find_member(end.process), 0, end.outside, end.paths});
    };
  auto own = pass.read_own(members, callbacks);
  std::transform(own.begin(), own.end(), own.begin(), find_member);
  return own;
}

MetricColumns take_columns(const MetricColumns& all, const std::vector<std::size_t>& wanted) {
  MetricColumns out;
  out.cut = all.cut;
  for (auto column : wanted)
    if (column < all.measured.size())
      out.measured.push_back(all.measured[column]);
    else
      out.counters.push_back(*all.counter(column));
  return out;
}

CallPathProfiles sum_series(const SeriesPass& pass, const std::optional<SeriesLoop>& loop,
                            const std::vector<std::size_t>& columns) {
  std::vector<SeriesSums> sums(pass.members().size(), SeriesSums(columns));
  const auto own = read_own_series(pass, loop, [&](const SeriesProfile& of) {
    sums[of.member].add(of.profile);
    sums[of.member].set_tree(of.paths);
  });

  std::vector<CallPathPart> parts;
  for (auto member : own) {
    parts.push_back(std::move(sums[member]).make_part(member));
    sums[member] = SeriesSums();
  }
  return merge_call_paths(share_parts(pass.trace().options().team, std::move(parts)),
                          take_columns(pass.columns(), columns), sums.size());
}

std::vector<CallPath> rename_functions(std::vector<CallPath> tree,
                                       const std::vector<Function>& from,
                                       const std::vector<Function>& to) {
  std::map<Function, FunctionIndex> known;
  for (std::size_t f = 0; f < to.size(); ++f)
    known.emplace(to[f], static_cast<FunctionIndex>(f));
  for (auto& path : tree)
    path.function =
        known.emplace(from[path.function], static_cast<FunctionIndex>(known.size())).first->second;
  return tree;
}

PathNumbers::Tree PathNumbers::make_tree(const std::vector<CallPath>& paths) {
  Tree tree;
  for (std::size_t p = 0; p < paths.size(); ++p)
    tree.emplace(make_path_key(paths[p].caller, paths[p].function), static_cast<PathIndex>(p));
  return tree;
}

PathIndex PathNumbers::find(const Tree& tree, PathIndex path, std::span<const CallPath> paths) {
  // Callers stand before their callees.
  for (auto next = known_.size(); next <= path; ++next) {
    const auto caller = paths[next].caller == 0 ? no_path : known_[paths[next].caller];
    const bool unknown = paths[next].caller != 0 && caller == no_path;
    const auto found = tree.find(make_path_key(caller, paths[next].function));
    known_.push_back(unknown || found == tree.end() ? no_path : found->second);
  }
  return known_[path];
}

}  // namespace tracefold
