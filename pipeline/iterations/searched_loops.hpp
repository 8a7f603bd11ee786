// The loops of processes as each of them shows them by itself, kept so that no process is searched
// twice, whichever reading has searched it.
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
  // None of so many processes is searched yet.
  SearchedLoops(AskedIterations asked, std::size_t processes)
      : asked_(std::move(asked)), found_(processes) {}

  const AskedIterations& asked() const { return asked_; }
  bool is_searched(std::size_t process) const { return found_[process].has_value(); }

  // What the finder has found in a process, all of whose calls it was handed by this reading.
  void add(std::size_t process, LoopFinder& finder, const LocationRead& read);

  // What each member of a team has found in some of these processes, at all of them.
  void share(Team* team, const std::vector<std::size_t>& own);

  // By process, of these processes, which were searched; none of the others.
  std::vector<ProcessLoops> list(const std::vector<bool>& processes) const;
  // What was found in a process that was searched.
  const ProcessLoops& loops(std::size_t process) const { return found_[process]->loops; }
  // Which calls make the iterations of a loop of a process; none where that is not known.
  IterationCounts count_calls(std::size_t process, const Loop& loop) const;
  // The functions whose calls were too many to search for iterations, where none were found.
  const std::set<FunctionIndex>& left_out(std::size_t process) const {
    return found_[process]->left_out;
  }

 private:
  struct Found {
    ProcessLoops loops;
    LoopCalls calls;
    std::set<FunctionIndex> left_out;
  };
  friend auto list_members(Like<Found> auto& found) {
    return std::tie(found.loops, found.calls, found.left_out);
  }

  AskedIterations asked_;
  std::vector<std::optional<Found>> found_;  // by process
};

}  // namespace tracefold
