#include "pipeline/facts/merge_call_paths.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

// The union of trees, numbered as its paths come; the first is the virtual root.
class TreeUnion {
 public:
  std::vector<PathIndex> add(std::span<const CallPath> tree) {
    std::vector<PathIndex> number(tree.size());
    for (std::size_t k = 1; k < tree.size(); ++k) {
      const CallPath path{number[tree[k].caller], tree[k].function};
      const auto [at, fresh] = known_.try_emplace(std::uint64_t{path.caller} << 32 | path.function,
                                                  static_cast<PathIndex>(paths_.size()));
      if (fresh)
        paths_.push_back(path);
      number[k] = at->second;
    }

    return number;
  }
  const std::vector<CallPath>& paths() const { return paths_; }

 private:
  std::vector<CallPath> paths_{1};
  std::unordered_map<std::uint64_t, PathIndex> known_;
};

// The paths in their final order, depth first without recursion: call trees may be deep.
std::vector<PathIndex> sort_depth_first(const std::vector<CallPath>& paths) {
  std::vector<PathIndex> first(paths.size() + 1);  // by path: where its callees begin
  std::vector<PathIndex> callees(paths.size() - 1);
  for (std::size_t k = 1; k < paths.size(); ++k)
    ++first[paths[k].caller + 1];

  std::partial_sum(first.begin(), first.end(), first.begin());
  auto next = first;
  for (PathIndex k = 1; k < paths.size(); ++k)
    callees[next[paths[k].caller]++] = k;

  const auto by_function = [&](auto a, auto b) { return paths[a].function > paths[b].function; };

  std::vector<PathIndex> order;
  std::vector<PathIndex> open{0};

  while (!open.empty()) {
    const auto path = open.back();
    open.pop_back();
    if (path != 0)
      order.push_back(path);

    const auto from = static_cast<std::ptrdiff_t>(open.size());
    open.insert(open.end(), callees.begin() + first[path], callees.begin() + first[path + 1]);
    std::sort(open.begin() + from, open.end(), by_function);
  }

  return order;
}

// A set of paths of one tree in the numbers of the merged one.
struct MergedSet {
  CallShape shape;
  std::vector<std::uint32_t> places;  // by place in the shape: the place in the set
};

MergedSet merge_path_set(const std::vector<PathIndex>& set, const std::vector<PathIndex>& merged,
                         const std::vector<CallPath>& paths) {
  MergedSet out;
  auto& [shape, places] = out;
  places.resize(set.size());
  std::iota(places.begin(), places.end(), 0u);
  std::sort(places.begin(), places.end(),
            [&](auto a, auto b) { return merged[set[a]] < merged[set[b]]; });

  for (auto place : places) {
    const auto path = merged[set[place]];
    const auto caller = paths[path].caller;
    const auto at = std::lower_bound(shape.paths.begin(), shape.paths.end(), caller);
    shape.callers.push_back(caller == no_path ? no_path
                                              : static_cast<PathIndex>(at - shape.paths.begin()));
    shape.paths.push_back(path);
  }

  return out;
}

std::vector<std::uint64_t> reorder(const std::vector<std::uint64_t>& values,
                                   const std::vector<std::uint32_t>& places, std::size_t columns) {
  std::vector<std::uint64_t> out;
  out.reserve(values.size());
  for (auto place : places) {
    const auto first = values.begin() + static_cast<std::ptrdiff_t>(place * columns);
    out.insert(out.end(), first, first + static_cast<std::ptrdiff_t>(columns));
  }

  return out;
}

}  // namespace

MergedTree merge_call_trees(std::span<const std::span<const CallPath>> trees) {
  TreeUnion all;
  MergedTree out;
  for (const auto& tree : trees)
    out.merged.push_back(all.add(tree));

  std::vector<PathIndex> place(all.paths().size(), no_path);
  for (auto path : sort_depth_first(all.paths())) {
    place[path] = static_cast<PathIndex>(out.paths.size());
    out.paths.push_back({place[all.paths()[path].caller], all.paths()[path].function});
  }

  for (auto& numbers : out.merged)
    for (auto& number : numbers)
      number = place[number];

  return out;
}

void CallPathPart::add(std::size_t process, Paths paths, std::vector<std::uint64_t> values,
                       std::vector<std::uint64_t> outside) {
  const auto number = static_cast<std::uint32_t>(path_sets_.size());
  const auto set = path_sets_.try_emplace(std::move(paths), number).first;
  processes_.push_back({process, set->second, std::move(values), std::move(outside)});
}

void CallPathPart::append(CallPathPart other) {
  if (tree_.empty())
    tree_.emplace_back();  // the virtual root
  TreeUnion all;
  all.add(tree_);  // and its numbers stay
  const auto merged = all.add(other.tree_);
  tree_ = all.paths();

  // A set's paths ascend in the merged tree, and the values follow them.
  std::vector<const Paths*> sets(other.path_sets_.size());
  for (const auto& [paths, number] : other.path_sets_)
    sets.at(number) = &paths;
  std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> translated;  // and the places
  for (const auto* set : sets) {
    std::vector<std::uint32_t> places(set->size());
    std::iota(places.begin(), places.end(), 0u);
    std::sort(places.begin(), places.end(),
              [&](auto a, auto b) { return merged.at((*set)[a]) < merged.at((*set)[b]); });
    Paths paths;
    for (auto place : places)
      paths.push_back(merged[(*set)[place]]);
    const auto number = static_cast<std::uint32_t>(path_sets_.size());
    translated.emplace_back(path_sets_.try_emplace(std::move(paths), number).first->second,
                            std::move(places));
  }

  for (auto& process : other.processes_) {
    const auto& [set, places] = translated.at(process.path_set);
    process.path_set = set;
    if (!places.empty())
      process.values = reorder(process.values, places, process.values.size() / places.size());
    processes_.push_back(std::move(process));
  }
}

CallPathProfiles merge_call_paths(std::vector<CallPathPart> parts, MetricColumns columns,
                                  std::size_t processes) {
  struct MergedPlace {
    std::size_t part = 0;
    CallPathPart::Process* process = nullptr;
  };
  std::vector<MergedPlace> found(processes);
  std::vector<std::span<const CallPath>> trees;
  std::vector<std::vector<const std::vector<PathIndex>*>> sets(parts.size());  // by number

  for (std::size_t p = 0; p < parts.size(); ++p) {
    trees.push_back(parts[p].tree());
    sets[p].resize(parts[p].path_sets().size());
    for (const auto& [paths, number] : parts[p].path_sets())
      sets[p][number] = &paths;
    for (auto& process : parts[p].processes())
      found[process.process] = {p, &process};
  }

  auto tree = merge_call_trees(trees);
  CallPathProfiles out{std::move(tree.paths), std::move(columns), {}, {}};
  out.processes.reserve(processes);

  // Shapes are numbered by the first process that has them.
  std::map<std::vector<PathIndex>, std::uint32_t> shapes;
  const auto add_shape = [&](CallShape shape) {
    const auto number = static_cast<std::uint32_t>(shapes.size());
    const auto [at, is_new] = shapes.try_emplace(shape.paths, number);
    if (is_new)
      out.shapes.push_back(std::move(shape));
    return at->second;
  };

  struct TranslatedSet {
    std::uint32_t shape = 0;
    std::vector<std::uint32_t> places;
  };
  std::map<std::pair<std::size_t, std::uint32_t>, TranslatedSet> translated;  // by part and set

  for (const auto& [part, process] : found) {
    if (!process) {
      out.processes.push_back({add_shape({}), {}});
      continue;
    }

    const auto [set, is_new] = translated.try_emplace({part, process->path_set});
    if (is_new) {
      auto merged = merge_path_set(*sets[part][process->path_set], tree.merged[part], out.paths);
      set->second = {add_shape(std::move(merged.shape)), std::move(merged.places)};
    }

    const auto& [shape, places] = set->second;
    out.processes.push_back(
        {shape, reorder(process->values, places, out.columns.size()), std::move(process->outside)});
    process->values = {};
  }

  return out;
}

}  // namespace tracefold
