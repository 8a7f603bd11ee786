// Makes a reduced archive again from its original, by the plan beside it, without writing it, and
// compares it with what is there, record by record and definition by definition.
//
// Source: docs/design.md, "Rules of rewriting".
#pragma once

#include "otf2/read_options.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/verify/rule_book.hpp"
#include "pipeline/verify/trace_words.hpp"

#include <cstdint>

namespace tracefold {

// Adds verdicts on events, definitions and the rest, and returns how many records the kept
// locations of the original have. What all processes do is taken from `derived`, the plan that the
// original gives (derive_plan.hpp), and all choices from the plan beside the archive, which must
// say how that was written. Reads the kept locations of the original like a rewrite, and the
// reduced archive once, in parallel. Throws Error(input), and Error(usage) where the plan does not
// fit the original.
std::uint64_t make_again(RuleBook& rules, const Archive& reduced, const Archive& original,
                         const PlanBeside& beside, const Plan& derived, const TraceWords& words,
                         const ReadOptions& options);

}  // namespace tracefold
