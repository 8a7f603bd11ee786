// Which other number of rows would make a reduced trace better: a larger one more accurate, or a
// smaller one smaller.
//
// Where advice cannot be found, as where memory ends or a stop was asked for, there is none: what
// it is for has been written already. Only a team, which goes on together or not at all, gets the
// error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace tracefold {

class Archive;
class Team;
struct Plan;

struct BetterRows {
  std::size_t rows = 0;  // processes, without halo
  double error = 0;      // of useful time, or what is hidden
};

// Tries twice as many rows as the plan has, and so on, by what is recorded of all processes; the
// plan has groups, representatives and that record. Of those that leave out a quarter of the
// processes at least and make the error smaller by a fifth, it is the first with a better grade,
// else the most accurate. None: there is no such number.
std::optional<BetterRows> find_better_rows(const Plan& plan, Team* team = nullptr);

struct FewerRows {
  std::size_t rows = 0;        // `--to`
  std::uint64_t bytes = 0;     // about, of all files
  std::size_t lost_calls = 0;  // pairs of caller and callee that no row shows then
};

// What half as many rows would give, at most 8 of them, where a trace of `bytes` was made by this
// plan; by the sizes of event files. None: the plan has not what find_better_rows() needs, or there
// cannot be fewer rows. The same at all members of a team.
std::optional<FewerRows> find_fewer_rows(const Archive& archive, const Plan& plan,
                                         std::uint64_t bytes, Team* team = nullptr);

}  // namespace tracefold
