// The rule for the aggregates that the plan beside a reduced archive stores of kept processes
// (model/aggregates/aggregates.hpp): they must have every metric of all that the processes did in
// the original, by call path and outside of calls, and the amounts of kept iterations that only
// removed records told.
//
// Calls and times are compared with what the record rules counted, and all metrics with another
// reading of the kept processes by the series pass. Where the original was reduced itself, they are
// compared with the aggregates that were stored then. Nothing here knows how aggregates are made.
//
// Source: dynamics 4.1.5 (exact aggregates of what is folded).
#pragma once

#include "model/messages/communication.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/verify/rules.hpp"

#include <cstdint>
#include <optional>
#include <set>

namespace tracefold {

struct Plan;

// What a reading of all processes of an original tells of it.
struct TracedOriginal {
  Plan plan;  // its processes, profiled where something below was asked for
  std::optional<Communication> communication;  // none: not asked for, or memory is not enough
  std::optional<CollectedCalls> calls;         // with times of waiting; none: not asked for
};

// Reads the original where the plan keeps messages, or stores times of waiting, and it was not
// reduced itself. Throws Error(input).
TracedOriginal trace_original(const Archive& original, const Plan& plan,
                              const ReadOptions& options);

// What aggregates are compared with. `kept` are the original's ids of the kept processes.
struct AggregatesContext {
  const Archive& original;
  const FirstOriginal& first;
  const std::set<std::uint64_t>& kept;
  const RecordedLocations& before;
};

// Adds the verdict on the aggregates of the plan, which it must have. Takes the times of waiting
// out of `traced`. Reads the kept processes of the original once, in parallel. Notes what is not
// compared. Throws Error(input).
void check_aggregates(RuleBook& rules, const Plan& plan, const AggregatesContext& context,
                      TracedOriginal& traced, const ReadOptions& options, Diagnostics& diagnostics);

}  // namespace tracefold
