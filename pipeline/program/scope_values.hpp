// What processes did in a part of the run, out of what they did in all and what of it is not in
// that part (program_profiles.hpp). Thread-safe.
#pragma once

#include "model/program/program_profiles.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// One column; empty where all of it is 0.
inline std::vector<std::uint64_t> read_column(const PackedRows& rows, std::size_t column) {
  return rows.has(column) ? rows.read(column) : std::vector<std::uint64_t>();
}

// By path: whether no process has anything of it that is not in the scope.
std::vector<bool> find_paths_inside(const ProgramProfiles& program, const ProgramScope& scope);

// One column of a process in a scope, by path of its shape; empty: nothing.
std::vector<std::uint64_t> read_inside(const ProgramProfiles& program, const ProgramScope& scope,
                                       std::size_t process, std::size_t column);

// The call paths with the most time in a loop, at most so many, of those whose series all processes
// have that called them in it.
std::vector<const ProgramPathSeries*> choose_path_series(const ProgramProfiles& program,
                                                         std::size_t loop, std::size_t most);

}  // namespace tracefold
