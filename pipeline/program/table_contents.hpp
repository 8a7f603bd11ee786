// What stands in the tables of tracefold.profiles that depend on all processes: which tables there
// are, and which call paths are their columns.
//
// Of a team, each member looks at the rows that it has, and all get the same, however many they
// are. One thread of a member.
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
    Paths is_inside;             // whether no process has anything of it that is not in the scope
    std::vector<Paths> columns;  // by column, in the scope
  };
  struct Loop {
    std::vector<bool> columns;  // whether some process has a value in some iteration
    // By call path with a series (ProgramLoop::paths): ticks of all processes in the loop; whether
    // all that called it there have a series; and by column of these, whether there is any value.
    WideSums ticks;
    std::vector<bool> is_complete;
    std::vector<std::vector<bool>> series;
  };

  struct Map {
    // By column, whether some process has a value that has the loop only for the map, and whether
    // any that has it has one.
    std::vector<bool> own, all;
  };

  std::vector<Paths> calls;   // by column
  std::vector<Scope> scopes;  // as in ProgramProfiles
  std::vector<Loop> loops;
  std::vector<Map> maps;
};

// Where columns are not stored, nothing is said of them.
TableContents find_contents(const ProgramProfiles& program, Team* team);

// The call paths with the most time in a loop, at most so many, of those whose series are complete:
// their numbers in ProgramLoop::paths, those with the most first.
std::vector<std::size_t> choose_path_series(const TableContents::Loop& loop, std::size_t most);

}  // namespace tracefold
