// Chooses one candidate of each set so that as many messages as possible are between chosen ones.
// For representatives, these are the messages that stay in a reduced trace.
//
// The given choice is improved by exchanging one candidate at a time, from there and from the pairs
// with most messages. If the sets are few and small, all choices are then searched, without those
// that cannot be better, up to a limit of steps. So the result is never worse than the given
// choice, and it is the best one where the search was completed. Of equal choices the first one
// found stays, which is the given one if nothing is better.
//
// Deterministic and thread-safe.
//
// Source: none; this is a search by branch and bound (Land and Doig 1960).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// Messages between two ranks, in both directions; a = b for messages of a rank to itself.
struct RankMessages {
  std::uint32_t a = 0, b = 0;
  std::uint64_t messages = 0;
};

// Candidates are ranks. A rank is in at most one set.
struct ConnectedSets {
  std::vector<std::vector<std::uint32_t>> sets;
  std::vector<std::uint32_t> fixed;  // chosen in any case
};

// The number of messages between chosen ranks, including those of ranks to themselves.
std::uint64_t count_staying(const std::vector<std::uint32_t>& chosen,
                            const std::vector<RankMessages>& messages);

// Returns the index of the chosen candidate of each set. `start` is a choice. `messages` has each
// pair once.
std::vector<std::size_t> choose_connected(const ConnectedSets& sets,
                                          const std::vector<RankMessages>& messages,
                                          std::vector<std::size_t> start);

}  // namespace tracefold
