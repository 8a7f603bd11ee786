#include "pipeline/profile/merge_call_trees.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace tracefold {

namespace {

// The union of trees, numbered as its paths come; the first is the virtual root.
class Union {
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
std::vector<PathIndex> depth_first(const std::vector<CallPath>& paths) {
  std::vector<PathIndex> first(paths.size() + 1), callees(paths.size() - 1), order, open{0};
  for (std::size_t k = 1; k < paths.size(); ++k)
    ++first[paths[k].caller + 1];

  std::partial_sum(first.begin(), first.end(), first.begin());
  auto next = first;
  for (PathIndex k = 1; k < paths.size(); ++k)
    callees[next[paths[k].caller]++] = k;

  const auto by_function = [&](auto a, auto b) { return paths[a].function > paths[b].function; };

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

}  // namespace

MergedTree merge_call_trees(std::span<const std::span<const CallPath>> trees) {
  Union all;
  MergedTree out;
  for (const auto& tree : trees)
    out.from.push_back(all.add(tree));

  const auto order = depth_first(all.paths());
  std::vector<PathIndex> place(all.paths().size(), no_path);
  for (auto path : order) {
    place[path] = static_cast<PathIndex>(out.paths.size());
    out.paths.push_back({place[all.paths()[path].caller], all.paths()[path].function});
  }

  for (auto& numbers : out.from)
    for (auto& number : numbers)
      number = place[number];

  return out;
}

std::pair<CallShape, std::vector<std::uint32_t>> shape_of(const std::vector<PathIndex>& set,
                                                          const std::vector<PathIndex>& from,
                                                          const std::vector<CallPath>& paths) {
  std::pair<CallShape, std::vector<std::uint32_t>> out;
  auto& [shape, places] = out;
  places.resize(set.size());
  std::iota(places.begin(), places.end(), 0u);
  std::sort(places.begin(), places.end(),
            [&](auto a, auto b) { return from[set[a]] < from[set[b]]; });

  for (auto place : places) {
    const auto path = from[set[place]], caller = paths[path].caller;
    const auto at = std::lower_bound(shape.paths.begin(), shape.paths.end(), caller);
    shape.callers.push_back(caller == no_path ? no_path
                                              : static_cast<PathIndex>(at - shape.paths.begin()));
    shape.paths.push_back(path);
  }

  return out;
}

}  // namespace tracefold
