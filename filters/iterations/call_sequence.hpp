// The calls inside of one call, in order, prepared to search for loops.
//
// Each function is a symbol. A communication function is several symbols, one for each group of
// partners (Call::partner), if the caller makes the calls of a trace that has little but
// communication; and where these repeat a sequence, each place of it is a symbol. Functions that
// are always called between the same two others, repeatedly and in no fixed order, are
// alternatives, like the cases of a switch of which each iteration takes one: they share a symbol.
// Time and memory are linear in the number of calls, except for sorting the functions. Immutable,
// thread-safe.
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

// What tells calls of one function apart: nothing, for communication its partners, or also the
// place in a sequence that is repeated exactly (repeated_calls.hpp), which is for calls that all
// communicate.
enum class CallKey : std::uint8_t { function, partner, place };

struct CallSequence {
  std::span<const Call> calls;
  std::vector<std::uint32_t> symbol;  // by call
  std::vector<std::uint32_t> pair;    // by call: of its symbol and the one before; meaningless for
                                      // the first call
  std::vector<FunctionIndex> functions;  // by symbol; one of several for alternatives
  std::vector<bool> alternatives;        // by symbol: whether it has several functions
  std::vector<bool> once;                // by symbol: called once, without callees
  // By call: the mean of its shares of the sequence's time and calls. Calls that are made once and
  // have no callees, such as MPI_Init, take no time, since their waiting says nothing about the
  // program.
  std::vector<double> work;
  // Symbols from this one on are places in a sequence that is repeated (repeated_calls.hpp).
  std::uint32_t first_place = any_symbol;
  std::size_t pairs = 1;  // number of different ones, and one for the first call
  double ticks = 0;       // from first to last, without `once`
  double subcalls = 0;    // all calls, at any depth

  // Calls that the key tells apart are different symbols.
  explicit CallSequence(std::span<const Call> calls, CallKey key = CallKey::function);

 private:
  void number_places();
  void measure_work();
  void number_pairs();
};

}  // namespace tracefold
