// Records what every process of a program does, while passes over iterations read it, or hand on
// what was recorded of it before (recorded_series.hpp).
//
// Different processes at the same time. Memory: about 2 bytes for each value of a call path or an
// iteration, of the columns that have any in it, and each distinct call tree once; what
// call_times.hpp says for each call of MPI that communicates, and what find_delays.hpp says in the
// end.
//
// Source: dynamics 4 (the time-series profiles of all processes).
#pragma once

#include "model/program/program_profiles.hpp"
#include "pipeline/series/path_series.hpp"
#include "pipeline/series/recorded_series.hpp"
#include "pipeline/series/series_pass.hpp"
#include "pipeline/series/series_sums.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

namespace tracefold {

class Team;

class ProgramRecorder {
 public:
  // How many iterations each loop of a process has, ascending by time.
  using FindLengths = std::function<std::vector<std::size_t>(std::size_t process)>;

  // The pass must stay.
  ProgramRecorder(const SeriesPass& pass, FindLengths find_lengths);
  ~ProgramRecorder();
  ProgramRecorder(const ProgramRecorder&) = delete;
  ProgramRecorder& operator=(const ProgramRecorder&) = delete;

  // What a reading of the pass calls back; each process of the plan is read once.
  void add(const SeriesIteration& it);
  void end(const SeriesEnd& end);
  // The same of a process that was recorded while it was profiled, with the series of the call
  // paths of path_functions().
  void add(std::size_t process, RecordedProcess recorded);
  // By function of the pass: whether its call paths have series.
  const std::vector<bool>& path_functions() const { return path_functions_; }

  // Merges the call trees of all processes, and puts what they did into the order of the merged
  // one. Of a team, each member does that for those that it has read; of the others it knows then
  // what ProgramProfiles says. Call once, after the last.
  void share();

  // The processes of the plan that were not read yet, ascending.
  std::vector<std::size_t> list_missing() const;

  // Call once, when no process is missing.
  ProgramProfiles take();

 private:
  struct Recorded;
  Recorded& open(std::size_t process);

  // The call tree of a process, and the paths that it has: their numbers, ascending.
  using Tree = std::pair<std::vector<CallPath>, std::vector<PathIndex>>;
  struct TreeOrder {
    bool operator()(const Tree& a, const Tree& b) const;
  };
  const Tree* keep_tree(Tree tree);
  // Loops and call paths of the tree, of which some process that has it has a series.
  using SeriesOfTree = std::set<std::pair<std::size_t, PathIndex>>;
  void note_series(const Recorded& process);
  struct Shared;
  struct Merged;
  // Of a team, the trees of all processes are known to each member then.
  void share_trees(Team& team, const std::vector<std::size_t>& own);
  void merge_trees();
  // Which path of the merged tree one of a process's tree is.
  PathIndex find_merged(const Tree* tree, PathIndex path) const;
  // Puts what a process did into the order of the merged tree.
  void reorder(Recorded& process) const;
  void put_calls(ProgramProfiles& out);
  void put_scopes(ProgramProfiles& out);
  void put_path_series(ProgramProfiles& out);
  void put_partners(ProgramProfiles& out);
  std::vector<ProgramDelay> take_delays();
  void put_unknown_counters(ProgramProfiles& out) const;

  const SeriesPass& pass_;
  FindLengths find_lengths_;
  std::vector<bool> path_functions_;
  std::vector<std::size_t> path_columns_;
  std::mutex mutex_;
  std::set<Tree, TreeOrder> trees_;                   // distinct ones
  std::vector<std::unique_ptr<Recorded>> processes_;  // null: not read yet
  std::unique_ptr<Merged> merged_;                    // of all trees; null before share()
  std::map<const Tree*, SeriesOfTree> series_;        // by tree; of all processes after share()
  SeriesOfTree with_series_;                          // the same of the merged tree
};

}  // namespace tracefold
