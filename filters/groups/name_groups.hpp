// Names groups by what distinguishes their members from all other processes.
//
// A name is exact: it fits all members of the group, and the processes that they stand for, and no
// other process of the program. The first that fits is taken:
// 1. the places of the processes: positions in the grid of ranks, the order of ranks, nodes
//    (name_rank_set.hpp), and kinds of threads: "corner of the grid", "all ranks but 0", "worker
//    threads", "main threads of even ranks", "thread 1 of every rank", "accelerator streams of
//    rank 0". First threads are main threads, all others of a process its workers.
// 2. functions that only they call (name_by_calls.hpp).
// 3. the name that a group with the same members had in an earlier reduction.
// 4. a single rank: "rank 5".
// 5. functions that only they do not call, and call pairs that only they have or lack.
// Names are unique in a plan; a group that nothing distinguishes has no name. Rank 0 alone is
// "rank 0", and a corner of the grid only where other groups are named by the grid, too. Of several
// grids the one that names most groups is used, the first of equal ones.
#pragma once

#include "filters/groups/name_rank_set.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;

// A location of the program, which need not be in the plan.
struct LocationPlace {
  bool has_rank = false;
  std::uint64_t owner = 0;   // its MPI rank, or its location group
  std::uint64_t thread = 0;  // index among the locations of its owner
  std::uint64_t type = 0;    // OTF2_LocationType
};

// What names depend on besides the plan.
struct ProgramPlaces {
  std::vector<LocationPlace> locations;              // of the whole program; empty: not known
  std::vector<std::vector<std::size_t>> stands_for;  // by process of the plan: places in these
  std::vector<RankGrid> grids;                       // of all ranks
  std::vector<RankSet> nodes;                        // ranks by node of the machine
  std::vector<std::string> node_names = {};          // of each
  bool knows_calls = true;  // false: processes may stand for others with other calls
  // The names of groups in an earlier reduction, by members.
  std::map<std::vector<std::size_t>, std::string> earlier_names;
};

// Fills Group::name. The plan must have groups and profiles.
void name_groups(Plan& plan, const ProgramPlaces& places);

}  // namespace tracefold
