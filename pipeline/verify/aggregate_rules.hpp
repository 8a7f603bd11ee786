// The rule for the aggregates that the plan beside a reduced archive stores of kept processes
// (model/aggregates/aggregates.hpp): they must have every metric of all that the processes did in
// the original, by call path and outside of calls, and the amounts of kept iterations that only
// removed records told.
//
// Calls and times are compared with what the record rules counted, and all metrics with the
// aggregates that the original gives again (derive_plan.hpp).
//
// Source: dynamics 4.1.5 (exact aggregates of what is folded).
#pragma once

#include "pipeline/verify/rules.hpp"

#include <cstdint>
#include <set>

namespace tracefold {

struct Aggregates;
struct Plan;

// What aggregates are compared with. `kept` are the original's ids of the kept processes, `derived`
// what the original gives again; null: nothing.
struct AggregatesContext {
  const Archive& original;
  const FirstOriginal& first;
  const std::set<std::uint64_t>& kept;
  const RecordedLocations& before;
  const Aggregates* derived;
};

// Adds the verdict on the aggregates of the plan, which it must have. Throws Error(input).
void check_aggregates(RuleBook& rules, const Plan& plan, const AggregatesContext& context);

}  // namespace tracefold
