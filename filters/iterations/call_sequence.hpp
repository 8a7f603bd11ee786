// The calls that one call made, in their order, prepared for the search for loops.
//
// Functions are numbered as symbols. Functions that are always called between the same two
// others, again and again and in no fixed order, are alternatives, like the cases of a switch
// of which each iteration takes one: they are one symbol. Time and memory are linear in the
// number of calls, but for sorting the functions. Immutable once made, safe from any thread.
//
// Source: the method is ours; dynamics B.2 (125.RAxML: in every iteration a switch
// chooses the action).
#pragma once

#include "model/iterations/loops.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

inline constexpr std::uint32_t any_symbol = 0xffffffffu;

struct CallSequence {
  std::span<const Call> calls;
  std::vector<std::uint32_t> symbol;     // by call
  std::vector<std::uint32_t> pair;       // by call: of its symbol and the one before; the first
                                         // call's pair means nothing
  std::vector<FunctionIndex> functions;  // by symbol; one of several alternatives
  std::vector<bool> alternatives;        // by symbol: whether it is several functions
  std::size_t pairs = 1;                 // different ones, and the first call's

  explicit CallSequence(std::span<const Call> calls);
};

}  // namespace tracefold
