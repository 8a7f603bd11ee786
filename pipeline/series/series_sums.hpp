// What processes did in all iterations of a loop, or in the whole trace: sums of their
// time-series call-path profiles over one tree.
//
// Results do not depend on the number of threads. Memory: 8 bytes for each process, call path and
// column that is wanted.
//
// Source: dynamics 3 (call-path profiles, and time series of them).
#pragma once

#include "model/profile/process_profiles.hpp"
#include "pipeline/call_paths/merge_call_paths.hpp"
#include "pipeline/series/series_pass.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace tracefold {

struct Aggregates;

// One loop of all processes that have it.
struct SeriesLoop {
  const std::vector<ProcessLoops>& loops;  // by process of the plan
  std::size_t loop = 0;
  // By process of the plan, where they have it at other places than `loop`; none: not at all.
  std::vector<std::optional<std::size_t>> places = {};

  std::optional<std::size_t> find_place(std::size_t process) const {
    return places.empty() ? loop : places[process];
  }

  // The iterations of a process, and how many it has before this loop.
  std::size_t count_iterations(std::size_t process) const;
  std::size_t count_iterations_before(std::size_t process) const;
};

// What a profile of a series is of. `member` is a place in the members of the pass; where no loop
// is looked at, all that a process did is its iteration 0.
struct SeriesProfile {
  std::size_t member = 0;
  std::size_t iteration = 0;  // of the loop
  const CallPathProfile& profile;
  std::span<const CallPath> paths;  // of the process, so far, by number
};

// Sums of profiles of one process, by call path. One thread at a time.
class SeriesSums {
 public:
  // Some columns of the profiles: their numbers.
  explicit SeriesSums(const std::vector<std::size_t>& columns = {});

  void add(const CallPathProfile& profile);
  // The tree that the paths of all profiles are in; a later one has those of earlier ones, too.
  void set_tree(std::span<const CallPath> paths);
  const std::vector<CallPath>& tree() const { return paths_; }
  // The sums as those of one process. Paths that lead to one that it has are its own, too. Call
  // once.
  CallPathPart make_part(std::size_t process) &&;

  // The paths that make_part() has, and the sums of one of them, or of what was outside of calls
  // (path 0); by column.
  std::vector<PathIndex> list_paths();
  std::span<const std::uint64_t> row(PathIndex path) const {
    return std::span(values_).subspan(std::size_t{path} * width_, width_);
  }

 private:
  static constexpr std::size_t not_wanted = static_cast<std::size_t>(-1);
  friend auto list_members(Like<SeriesSums> auto& sums) {
    return std::tie(sums.width_, sums.places_, sums.paths_, sums.values_, sums.has_);
  }

  std::size_t width_;                // columns that are summed
  std::vector<std::size_t> places_;  // among these, by column of the profiles
  std::vector<CallPath> paths_{1};
  std::vector<std::uint64_t> values_;
  std::vector<char> has_;  // by path: the process was there
};

// Calls body for each iteration of the loop, or once for each process where there is no loop;
// callbacks come as SeriesPass says. Without a loop the pass must have been made without loops.
// Where a team reads, these are the members of the pass that are this process's own. Returns their
// places in the members of the pass, by which base/team.hpp shares what was found.
std::vector<std::size_t> read_own_series(const SeriesPass& pass,
                                         const std::optional<SeriesLoop>& loop,
                                         const std::function<void(const SeriesProfile&)>& body);

// The sums over all members of the pass, by member, of some columns of it: their numbers,
// ascending. A team reads them together.
CallPathProfiles sum_series(const SeriesPass& pass, const std::optional<SeriesLoop>& loop,
                            const std::vector<std::size_t>& columns);

// Some of these columns.
MetricColumns take_columns(const MetricColumns& all, const std::vector<std::size_t>& wanted);

// Everything that these processes did, with all metrics of the trace that are known: reads the
// trace. Members are indexes of processes, ascending. Of a trace that was reduced before, what was
// stored then stands for what they did, with a note; functions that are only in it are added to the
// plan. Throws Error(input).
ProcessProfiles profile_processes(const Archive& archive, Plan& plan,
                                  std::vector<std::size_t> members, const ReadOptions& options,
                                  Diagnostics& diagnostics);

// The same for fewer metrics, as one profile of all processes of the plan, of which those that are
// no members have no paths: execution time, visits and counters at least, and no times of waiting.
CallPathProfiles profile_with_counters(const Archive& archive, Plan& plan,
                                       std::vector<std::size_t> members, const ReadOptions& options,
                                       Diagnostics& diagnostics);

// The same of what is stored of all processes: `members` are places in it, ascending.
ProcessProfiles choose_profiles(const Aggregates& all, std::vector<std::size_t> members,
                                const Archive& archive, Diagnostics& diagnostics);

// A tree with the numbers that its functions have in another list. What that does not have gets
// numbers behind it.
std::vector<CallPath> rename_functions(std::vector<CallPath> tree,
                                       const std::vector<Function>& from,
                                       const std::vector<Function>& to);

// Finds the paths of a process in a tree that has them all. One for each process.
class PathNumbers {
 public:
  using Tree = std::unordered_map<std::uint64_t, PathIndex>;  // by caller and function
  static Tree make_tree(const std::vector<CallPath>& paths);

  // no_path for the first, and for what the tree does not have.
  PathIndex find(const Tree& tree, PathIndex path, std::span<const CallPath> paths);

 private:
  std::vector<PathIndex> known_{no_path};
};

}  // namespace tracefold
