// Ranks that no other one communicates like: where most are, groups by signature save little. Often
// only the order of their operations differs, since it depends on data or on who comes first; or
// partners differ that one formula of the rank gives.
//
// Pure. Source: signatures 3.3 and 5 (programs whose number of clusters grows with their ranks).
#pragma once

#include "model/messages/communication.hpp"

#include <cstdint>
#include <optional>

namespace tracefold {

struct Plan;

struct LonelyRanks {
  std::uint64_t alone = 0, ranks = 0;
  std::uint64_t clusters = 0;  // of all ranks
  std::uint64_t clusters_without_order = 0;
  std::optional<std::uint64_t> clusters_by_pattern = {};  // where peers are compared by distance

  bool operator==(const LonelyRanks&) const = default;
};

// With fewer ranks, it is no wonder.
inline constexpr std::uint64_t least_ranks_of_lonely = 8;

// Where the plan's groups are by signature with the order of operations, and more than half of
// their ranks are alone. Not known for patterns of peers, which need the order.
std::optional<LonelyRanks> find_lonely_ranks(const Plan& plan, const Communication& communication);

}  // namespace tracefold
