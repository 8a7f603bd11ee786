// Anchors: which call might part the iterations of a loop that has no function
// of its own, and how well it does.
//
// An anchor is a function that is called once an iteration, or one that is so when another
// goes before it. From one anchor to the next is a gap; the calls that at least
// half of the gaps have are the loop's body. Gaps may have more (a checkpoint
// each 100th step); one with a call that no other gap has, or with little of the
// body, ends the loop where few are left beyond it (warm-up and tear-down), or
// parts two loops where what comes before it differs from what comes behind.
// Time and memory are linear in the calls. Thread-safe, deterministic.
//
// Source: dynamics 3.1 (iterations are passes of the main loop's body, found by
// their numbers of calls); the method is ours.
#pragma once

#include "filters/iterations/call_sequence.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tracefold {

inline constexpr std::size_t fewest_iterations = 4;

struct Anchor {
  std::uint32_t before = any_symbol;  // the symbol that goes before it
  std::uint32_t symbol = 0;

  bool operator==(const Anchor&) const = default;
};

// Those that may be worth a closer look, best first; at most 16.
std::vector<Anchor> likely_anchors(const CallSequence& sequence);

// How an anchor parts a sequence.
struct AnchorFit {
  Anchor anchor;
  std::vector<std::size_t> begins;  // of iterations, as places in the sequence, ascending
  std::size_t end = 0;              // behind the last call of the last iteration
  std::uint32_t dominant =
      any_symbol;  // the symbol that each iteration has once and that takes half of the time
  std::uint64_t calls = 0;  // of an iteration, usually
  double alike = 0;  // calls, and pairs of them, that gaps have in common with the body, of those
                     // of either; mean over gaps
  double explained = 0;     // the body's share of the time in calls, from 0 to 1
  std::uint64_t ticks = 0;  // from the first call's begin to the last one's end
};

// None where there are fewer than four iterations.
std::optional<AnchorFit> fit(const CallSequence& sequence, const Anchor& anchor);

}  // namespace tracefold
