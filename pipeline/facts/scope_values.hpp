// What processes did in a part of the run, computed from what they did in total and outside of that
// part (program_profiles.hpp). Thread-safe.
#pragma once

#include "model/program/program_profiles.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// One column; empty if all of it is 0.
inline std::vector<std::uint64_t> read_column(const PackedRows& rows, std::size_t column) {
  return rows.has(column) ? rows.read(column) : std::vector<std::uint64_t>();
}

// One column of a process inside of a scope, by path of its shape; empty: all 0.
std::vector<std::uint64_t> read_inside(const ProgramProfiles& program, const ProgramScope& scope,
                                       std::size_t process, std::size_t column);

}  // namespace tracefold
