// Names for groups: in words what sets the members of each apart from all other processes.
//
// A name is exact: it fits all members of the group, or what these stand for, and no other process
// of the program. The first that fits is taken:
// 1. where the processes are: positions in the grid of ranks, the order of ranks, nodes
//    (name_rank_set.hpp), and which threads they are: "corner of the grid", "all ranks but 0",
//    "worker threads", "main threads of even ranks", "thread 1 of every rank", "accelerator
//    streams of rank 0". First threads are main threads, all others of a process its workers.
// 2. functions that only they call (name_by_calls.hpp).
// 3. what it was called when the trace was reduced before, of the same members.
// 4. of one rank, which it is: "rank 5".
// 5. what only they do not call, and call pairs that only they have or lack.
// No two groups of a plan have the same name; a group that nothing sets apart has none. Rank 0
// alone is "rank 0", and its corner of a grid only where other groups are named by the grid, too.
// Of several grids the one that names most groups counts, of equal ones the first.
#pragma once

#include "filters/groups/name_rank_set.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;

// A location of the program, whether or not it is in the plan.
struct LocationPlace {
  bool has_rank = false;
  std::uint64_t owner = 0;   // its rank in MPI, or else its location group
  std::uint64_t thread = 0;  // place among the locations of its owner
  std::uint64_t type = 0;    // OTF2_LocationType
};

// What names are told by besides the plan.
struct ProgramPlaces {
  std::vector<LocationPlace> locations;              // all of the program; empty: not known
  std::vector<std::vector<std::size_t>> stands_for;  // by process of the plan: places in these
  std::vector<RankGrid> grids;                       // of all ranks
  std::vector<RankSet> nodes;                        // ranks by node of the machine
  std::vector<std::string> node_names = {};          // of each
  bool knows_calls = true;  // false: processes may stand for others that call something else
  // What groups of the same members were called when the trace was reduced before.
  std::map<std::vector<std::size_t>, std::string> earlier_names;
};

// Fills Group::name. The plan has groups and profiles.
void name_groups(Plan& plan, const ProgramPlaces& places);

}  // namespace tracefold
