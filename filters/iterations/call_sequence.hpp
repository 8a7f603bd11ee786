// The calls that one call made, in their order, prepared for the search for loops.
//
// Functions are numbered as symbols; a communication function is as many symbols as it has
// partners (see Call::partner), where the caller makes the calls of a trace that holds little
// else than communication. Functions that are always called between the same two others, again
// and again and in no fixed order, are alternatives, like the cases of a switch of which each
// iteration takes one: they are one symbol. Time and memory are linear in the number of calls,
// but for sorting the functions. Immutable once made, safe from any thread.
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
  std::vector<bool> once;                // by symbol: called once, and calls nothing
  // By call: its share of the sequence's time and of its calls, mean of both. What is called once
  // and calls nothing, as MPI_Init, takes no time: how long it waits says nothing about the
  // program.
  std::vector<double> work;
  std::size_t pairs = 1;  // different ones, and the first call's
  double ticks = 0;       // from the first to the last, but for `once`
  double subcalls = 0;    // all calls at any depth

  // `by_partner`: communication with different partners is different symbols.
  explicit CallSequence(std::span<const Call> calls, bool by_partner = false);

 private:
  void measure_work();
  void number_pairs();
};

}  // namespace tracefold
