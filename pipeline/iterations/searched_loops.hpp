// The loops that were found in single processes, so that no process is searched twice, whichever
// pass searched it.
//
// Different processes at the same time. Memory: 24 bytes for each iteration of each process.
//
// Source: dynamics 3.1 (iterations of the main loop).
#pragma once

#include "base/packed_values.hpp"
#include "model/iterations/asked_iterations.hpp"
#include "model/iterations/loops.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/iterations/loop_finder.hpp"

#include <cstddef>
#include <optional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

class Team;

class SearchedLoops {
 public:
  // `processes` is the number of processes, none of which is searched yet.
  SearchedLoops(AskedIterations asked, std::size_t processes)
      : asked_(std::move(asked)), found_(processes) {}

  const AskedIterations& asked() const { return asked_; }
  bool is_searched(std::size_t process) const { return found_[process].has_value(); }

  // Adds what the finder found in a process, after all of its calls.
  void add(std::size_t process, LoopFinder& finder, const LocationRead& read);

  // Shares what each member of a team has found in its own processes.
  void share(Team* team, const std::vector<std::size_t>& own);

  // By process: the loops of these processes, which must have been searched; none for the others.
  std::vector<ProcessLoops> list(const std::vector<std::size_t>& processes) const;
  // The loops of a process that was searched.
  const ProcessLoops& loops(std::size_t process) const { return found_[process]->loops; }
  // The calls of the iterations of a loop; empty if not known.
  IterationCounts count_calls(std::size_t process, const Loop& loop) const;
  // The functions with too many calls to be searched for iterations, if no loop was found.
  const std::set<FunctionIndex>& left_out(std::size_t process) const {
    return found_[process]->left_out;
  }

 private:
  struct SearchResult {
    ProcessLoops loops;
    LoopCalls calls;
    std::set<FunctionIndex> left_out;
  };
  friend auto list_members(Like<SearchResult> auto& found) {
    return std::tie(found.loops, found.calls, found.left_out);
  }

  AskedIterations asked_;
  std::vector<std::optional<SearchResult>> found_;  // by process
};

}  // namespace tracefold
