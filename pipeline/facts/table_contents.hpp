// Finds out, from the values of all processes, which tables tracefold.profiles needs, and which
// call paths are their columns.
//
// In a team, each member looks at its own rows, and all get the same result. One thread of a
// member.
#pragma once

#include "filters/iterations/profile_sums.hpp"
#include "model/program/program_profiles.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

class Team;

struct TableContents {
  // By path: whether some process has a value.
  using Paths = std::vector<bool>;

  struct Scope {
    Paths is_inside;             // whether no process has values for it outside of the scope
    std::vector<Paths> columns;  // by column, inside of the scope
  };
  struct Loop {
    std::vector<bool> columns;  // whether some process has a value in some iteration
    // By call path with a series (ProgramLoop::paths): ticks of all processes in the loop; whether
    // all processes that called it there have a series; and by column of these, whether there is
    // any value.
    WideSums ticks;
    std::vector<bool> is_complete;
    std::vector<std::vector<bool>> series;
  };

  struct Map {
    // By column: whether a process that has the loop only for the map has a value; and whether any
    // process with the loop has one.
    std::vector<bool> own, all;
  };

  std::vector<Paths> calls;   // by column
  std::vector<Scope> scopes;  // as in ProgramProfiles
  std::vector<Loop> loops;
  std::vector<Map> maps;
};

// Columns that are not stored have no entries.
TableContents find_contents(const ProgramProfiles& program, Team* team);

// The call paths with the most time in a loop, at most `most`, among those with complete series:
// their indexes in ProgramLoop::paths, those with most time first.
std::vector<std::size_t> choose_path_series(const TableContents::Loop& loop, std::size_t most);

}  // namespace tracefold
