// Sums of time-series call-path profiles over one tree: what processes did in all iterations of a
// loop, or in the whole trace.
//
// Results do not depend on the number of threads. Memory: 8 bytes for each process, call path and
// wanted column.
//
// Source: dynamics 3 (call-path profiles, and time series of them).
#pragma once

#include "model/profile/call_path_profile.hpp"
#include "pipeline/facts/merge_call_paths.hpp"
#include "pipeline/facts/series_pass.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace tracefold {

// One loop, for all processes that have it.
struct SeriesLoop {
  const std::vector<ProcessLoops>& loops;  // by process of the plan
  std::size_t loop = 0;
  // By process of the plan: the number of this loop, if it is not `loop` everywhere; none: it has
  // no such loop.
  std::vector<std::optional<std::size_t>> places = {};

  std::optional<std::size_t> find_place(std::size_t process) const {
    return places.empty() ? loop : places[process];
  }

  // The number of iterations of a process in this loop, and in all loops before it.
  std::size_t count_iterations(std::size_t process) const;
  std::size_t count_iterations_before(std::size_t process) const;
};

// A profile of a series. `member` is an index into the members of the pass. Without a loop,
// everything that a process did is iteration 0.
struct SeriesProfile {
  std::size_t member = 0;
  std::size_t iteration = 0;  // of the loop
  const CallPathProfile& profile;
  std::span<const CallPath> paths;  // of the process so far, by number
};

// Sums of profiles of one process, by call path. One thread at a time.
class SeriesSums {
 public:
  // Sums only these columns of the profiles, given by number.
  explicit SeriesSums(const std::vector<std::size_t>& columns = {});

  void add(const CallPathProfile& profile);
  // Sums of the same columns.
  void add(const SeriesSums& other);
  // The tree of all profiles. A later tree includes earlier ones.
  void set_tree(std::span<const CallPath> paths);
  const std::vector<CallPath>& tree() const { return paths_; }
  // The sums as those of one process, with all callers of its paths. Call once.
  CallPathPart make_part(std::size_t process) &&;

  // The paths of make_part(); and the sums of one of them, or of what was outside of calls (path
  // 0), by column.
  std::vector<PathIndex> list_paths();
  std::span<const std::uint64_t> row(PathIndex path) const {
    return std::span(values_).subspan(std::size_t{path} * width_, width_);
  }

 private:
  static constexpr std::size_t not_wanted = static_cast<std::size_t>(-1);
  friend auto list_members(Like<SeriesSums> auto& sums) {
    return std::tie(sums.width_, sums.places_, sums.paths_, sums.values_, sums.has_);
  }

  std::size_t width_;                // number of summed columns
  std::vector<std::size_t> places_;  // index among these, by column of the profiles
  std::vector<CallPath> paths_{1};
  std::vector<std::uint64_t> values_;
  std::vector<char> has_;  // by path: whether the process visited it
};

// Calls body() for each iteration of the loop, or without a loop once for each process, in the
// order and threads of SeriesPass. Without a loop, the pass must have been made without loops. In a
// team, reads the members of the pass that this process owns. Returns their indexes in the members
// of the pass, with which base/team.hpp shares the results.
std::vector<std::size_t> read_own_series(const SeriesPass& pass,
                                         const std::optional<SeriesLoop>& loop,
                                         const std::function<void(const SeriesProfile&)>& body);

// The sums over all members of the pass, by member, for some columns (ascending numbers). A team
// reads them together.
CallPathProfiles sum_series(const SeriesPass& pass, const std::optional<SeriesLoop>& loop,
                            const std::vector<std::size_t>& columns);

// Some of these columns.
MetricColumns take_columns(const MetricColumns& all, const std::vector<std::size_t>& wanted);

// Renumbers the functions of a tree from one list to another. Functions that `to` lacks get numbers
// behind it.
std::vector<CallPath> rename_functions(std::vector<CallPath> tree,
                                       const std::vector<Function>& from,
                                       const std::vector<Function>& to);

// Finds the paths of a process in a tree that includes them. One object for each process.
class PathNumbers {
 public:
  using Tree = std::unordered_map<std::uint64_t, PathIndex>;  // by caller and function
  static Tree make_tree(const std::vector<CallPath>& paths);

  // no_path for path 0, and for paths that the tree does not have.
  PathIndex find(const Tree& tree, PathIndex path, std::span<const CallPath> paths);

 private:
  std::vector<PathIndex> known_{no_path};
};

}  // namespace tracefold
