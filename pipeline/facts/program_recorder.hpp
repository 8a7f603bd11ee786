// Records what every process of a program does, while passes over iterations read it.
//
// Different processes at the same time. Memory: about 2 bytes for each value of a call path or
// iteration in columns with values, and each distinct call tree once; that of call_times.hpp for
// each communicating call of MPI, and finally that of find_delays.hpp.
//
// Source: dynamics 4 (the time-series profiles of all processes).
#pragma once

#include "model/program/program_profiles.hpp"
#include "pipeline/facts/path_series.hpp"
#include "pipeline/facts/series_pass.hpp"
#include "pipeline/facts/series_sums.hpp"

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
  // The number of iterations of each loop of a process, with loops ascending by time.
  using FindLengths = std::function<std::vector<std::size_t>(std::size_t process)>;

  // The pass must outlive this.
  ProgramRecorder(const SeriesPass& pass, FindLengths find_lengths, RecordProgram record);
  ~ProgramRecorder();
  ProgramRecorder(const ProgramRecorder&) = delete;
  ProgramRecorder& operator=(const ProgramRecorder&) = delete;

  // Callbacks for a reading of the pass. Each process of the plan is read once.
  void add(const SeriesIteration& it);
  void end(const SeriesEnd& end);

  // Merges the call trees of all processes, and reorders their values by the merged tree. In a
  // team, each member does this for the processes that it read, and then knows of others what
  // ProgramProfiles describes. Call once, after the last process.
  void share();

  // The processes of the plan that were not read yet, ascending.
  std::vector<std::size_t> list_missing() const;

  // Call once, when no process is missing.
  ProgramProfiles take();

 private:
  struct Recorded;
  Recorded& open(std::size_t process);

  // The call tree of a process, and the ascending numbers of its own paths.
  using Tree = std::pair<std::vector<CallPath>, std::vector<PathIndex>>;
  struct TreeOrder {
    bool operator()(const Tree& a, const Tree& b) const;
  };
  const Tree* keep_tree(Tree tree);
  // (loop, call path of the tree) for which some process with this tree has a series.
  using SeriesOfTree = std::set<std::pair<std::size_t, PathIndex>>;
  void note_series(const Recorded& process);
  struct Shared;
  struct Played;
  struct Merged;
  // Gives the trees of all processes to each member of a team.
  void share_trees(Team& team, const std::vector<std::size_t>& own);
  void merge_trees();
  // The path of the merged tree for a path of a process's tree.
  PathIndex find_merged(const Tree* tree, PathIndex path) const;
  // Reorders the values of a process by the merged tree.
  void reorder(Recorded& process) const;
  void put_calls(ProgramProfiles& out);
  void put_scopes(ProgramProfiles& out);
  void put_path_series(ProgramProfiles& out);
  void put_partners(ProgramProfiles& out);
  void put_files(ProgramProfiles& out);
  // What is known since the run is played again. `program` has its calls and scopes.
  Played play(const ProgramProfiles& program);
  void put_unknown_counters(ProgramProfiles& out) const;

  const SeriesPass& pass_;
  FindLengths find_lengths_;
  RecordProgram record_;
  std::vector<bool> path_functions_;  // by function: whether its call paths have series
  std::vector<std::size_t> path_columns_;
  std::mutex mutex_;
  std::set<Tree, TreeOrder> trees_;                   // distinct ones
  std::vector<std::unique_ptr<Recorded>> processes_;  // null: not read yet
  std::unique_ptr<Merged> merged_;                    // null before share()
  std::map<const Tree*, SeriesOfTree> series_;        // by tree; after share(), over all processes
  SeriesOfTree with_series_;                          // the same for the merged tree
};

}  // namespace tracefold
