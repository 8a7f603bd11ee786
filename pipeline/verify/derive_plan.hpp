// The plan beside a reduced archive, derived from the original again: by the options that it
// records, and nothing else of it. Every field is then compared, so that none can say something
// else than the original does.
//
// Source: docs/design.md, "The plan".
#pragma once

#include "otf2/read_options.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/verify/rule_book.hpp"

#include <cstdint>

namespace tracefold {

// What the stages that a plan has gone through make of its original: with the same filters, groups,
// selection, iterations and errors. Groups and representatives that were taken from another run,
// and where that does not fit, are those of the plan. Sections that the plan lacks are left out.
// Reads the original as a reduction does. Throws Error(input).
Plan derive_plan(const Archive& original, const Plan& plan, const ReadOptions& options);

// Adds a verdict: how the plan beside the archive differs from the derived one, a sentence for each
// field, as in "tracefold.json: representatives[1].why is "first", and should be "medoid"". All of
// it is compared but one field: where the original was (trace.anchor), since it may have been
// moved. `events_read` are the records of the kept locations. The plan must say how the archive was
// written.
void compare_plan(RuleBook& rules, const PlanBeside& beside, const Archive& original,
                  const Plan& derived, std::uint64_t events_read);

}  // namespace tracefold
