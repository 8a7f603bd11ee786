// The second way to check a reduced archive, which needs no rules: it is made again from the
// original by the plan beside it, without being written, and compared with what is there, record by
// record and definition by definition.
//
// Source: docs/design.md, "Rules of rewriting".
#pragma once

#include "otf2/read_options.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/verify/rules.hpp"

#include <optional>
#include <string>

namespace tracefold {

// Why the archive cannot be made again; none where it can.
std::optional<std::string> find_obstacle(const PlanBeside& beside, const Archive& original);

// `derived` is the plan that the original gives (derive_plan.hpp). Adds verdicts on it, on events,
// definitions, and the rest of the archive. There must be no obstacle. Reads the kept locations of
// the original like a rewrite, and the reduced archive once, in parallel. Throws Error(input).
void derive_again(RuleBook& rules, const Archive& reduced, const Archive& original,
                  const PlanBeside& beside, const Plan& derived, const ReadOptions& options);

}  // namespace tracefold
