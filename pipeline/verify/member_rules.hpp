// The rules for metrics of members, which say how the processes differ that a location of a reduced
// archive stands for.
//
// Whether their values are right is told by making the archive again (derive_again.hpp).
//
// Source: docs/design.md, the rule "metrics of members".
#pragma once

#include "otf2/event.hpp"
#include "pipeline/verify/rules.hpp"

namespace tracefold {

// Whether a record of such a metric has values as a reduction writes them: of each time the
// minimum, the mean and the maximum.
bool may_be_of_members(const Event& metric);

// Whether these metrics are what they should be, and only where a location stands for several.
void check_member_metrics(RuleBook& rules, const Definitions& reduced,
                          const StandInsByLocation& properties, const RecordedLocations& after);

}  // namespace tracefold
