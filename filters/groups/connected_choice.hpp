// Chooses one candidate of each set so that these exchange as many messages with each other as
// possible: of representatives, those between which most messages stay in a reduced trace.
//
// The choice that comes in is bettered by one candidate at a time, from there and from the pairs
// with most messages. Where the sets are few and small, a search through all choices follows, which
// leaves out what cannot be better, and ends early only after very many steps. So the result is
// never worse than what came in, and the best one where the search ends. Of equal choices the first
// one found stays, which is that which came in where nothing is better.
//
// Deterministic. Thread-safe.
//
// Source: none; this is a search by branch and bound (Land and Doig 1960).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// Messages between two ranks, in both directions; of a rank with itself where they are the same.
struct RankMessages {
  std::uint32_t a = 0, b = 0;
  std::uint64_t messages = 0;
};

// Candidates are ranks. Each rank is in one set, or in none.
struct ConnectedSets {
  std::vector<std::vector<std::uint32_t>> sets;
  std::vector<std::uint32_t> fixed;  // are chosen in any case
};

// Messages between chosen ranks, and of these with themselves.
std::uint64_t count_staying(const std::vector<std::uint32_t>& chosen,
                            const std::vector<RankMessages>& messages);

// By set the place of its candidate. `start` is a choice. Each pair is in `messages` once.
std::vector<std::size_t> choose_connected(const ConnectedSets& sets,
                                          const std::vector<RankMessages>& messages,
                                          std::vector<std::size_t> start);

}  // namespace tracefold
