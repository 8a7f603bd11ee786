// Finds the sequence of calls that a process repeats most, where names of functions say little: in
// traces that have only calls of MPI.
//
//     F a b F b a   F a b F b a   x F a b F b a   F a b F b a      repeated: F a b F b a
//     0 1 2 3 4 5   0 1 2 3 4 5   - 0 1 2 3 4 5   0 1 2 3 4 5      places
//
// No call comes once in each of these, but each place does. Rows of repetitions may have other
// calls between them, as x. Where the same few calls are made several times in each step of a
// program, pauses, in which it computes, show how many belong together.
//
// Thread-safe, deterministic. Time: linear in the number of calls, for each of at most 36 lengths.
//
// Source: the method is ours.
#pragma once

#include "model/iterations/loops.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

inline constexpr std::uint32_t no_place = 0xffffffffu;

struct RepeatedCalls {
  std::size_t length = 0;            // of the repeated sequence, in calls; 0: nothing is repeated
  std::size_t times = 0;             // how often it is made in all rows together
  std::vector<std::uint32_t> place;  // by call: in the repeated sequence; no_place outside of rows
};

// `symbols` has one for each call, equal for calls that do the same.
RepeatedCalls find_repeated_calls(std::span<const Call> calls,
                                  std::span<const std::uint32_t> symbols);

}  // namespace tracefold
