// Made-up programs with loops, and without: what their processes enter and leave, and how many
// iterations their main loop has.
//
// A program is a main function with set-up and tear-down, and in most programs a loop whose body
// is drawn at random: calls that call others, messages and collective operations, inner loops,
// steps that only some iterations make, one of several alternatives, recursion. The loop may stand
// in main or deeper, with or without a function around each iteration; it may be one of several
// in turn, may have a warm-up, may skip something in its first iteration, may be left in
// the middle of its last one, and may be run by one of several commands that the program reads.
//
// The same seed gives the same program. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold::testing {

inline constexpr std::uint64_t made_functions = 64;      // regions 0 to 63
inline constexpr std::uint64_t made_communication = 12;  // of these, the first ones are MPI's

struct MadeEvent {
  enum class Kind : std::uint8_t { enter, leave, send, receive, collective };

  Kind kind = Kind::enter;
  std::uint64_t time = 0;
  std::uint64_t region = 0;   // of enter and leave
  std::uint64_t partner = 0;  // of send and receive
};

struct MadeProgram {
  std::uint64_t seed = 0;
  std::string features;                         // what it has, for messages
  std::vector<std::vector<MadeEvent>> threads;  // one or two
  // Numbers of iterations that are right for the main loop; none: there is no loop.
  std::vector<std::size_t> right;

  bool is_right(std::size_t iterations) const;
};

MadeProgram make_program(std::uint64_t seed);

}  // namespace tracefold::testing
