// Makes a reduced archive again from its original, by the plan beside it, without writing it, and
// compares it with what is there, record by record and definition by definition.
//
// Source: DESIGN's rules of rewriting.
#pragma once

#include "otf2/read_options.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/verify/comparing_output.hpp"

#include <cstdint>

namespace tracefold {

struct MadeAgain {
  ArchiveDifferences differences;
  std::uint64_t events_read = 0;  // records of the kept locations of the original
};

// `derived` is the plan that the original gives (derive_plan.hpp); what all processes do is taken
// from it, and all that was chosen from the plan beside the archive, which must say how that was
// written. Reads the kept locations of the original like a rewrite, and the reduced archive once,
// in parallel. Throws Error(input), and Error(usage) where the plan does not fit the original.
MadeAgain make_again(const Archive& reduced, const Archive& original, const PlanBeside& beside,
                     const Plan& derived, const TraceWords& words, const ReadOptions& options);

}  // namespace tracefold
