// What one call entered directly, in its order, made ready for the search of loops.
//
// Functions are numbered as symbols. Those that are always called between the same two
// others, again and again in no fixed order, are alternatives, as the cases of a switch
// that each pass takes one of; they are one symbol. Time and memory are linear in the calls but for
// sorting functions. Thread-safe once made.
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
  std::vector<std::uint32_t> symbol,
      pair;  // of each call, and of it and the one before; the first call's pair means nothing
  std::vector<FunctionIndex> functions;  // of each symbol; of alternatives one of them
  std::vector<bool> alternatives;        // whether a symbol is more than one function
  std::size_t pairs = 1;

  explicit CallSequence(std::span<const Call> calls);
};

}  // namespace tracefold
