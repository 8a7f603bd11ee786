// What a reduced trace holds besides definitions and events: properties that tell how it was made,
// and markers at the boundaries of iterations.
//
// Thread-safe, deterministic.
//
// Source: DESIGN's rules 2 and 7 of rewriting.
#pragma once

#include "model/plan.hpp"
#include "pipeline/rewrite/event_cut.hpp"
#include "pipeline/rewrite/reduced_definitions.hpp"
#include "pipeline/rewrite/trace_output.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tracefold {

// The properties of the original that still hold, how many records of each kind were left out, how
// the iterations of each loop were folded, and the hash of `plan_text`.
std::vector<std::pair<std::string, std::string>> make_properties(const ArchiveFacts& original,
                                                                 const Plan& plan,
                                                                 const CutCounts& cut,
                                                                 const std::string& plan_text);

// Sets the markers: those of the original whose scope stays, and one for each iteration of the
// first process whose iterations were folded.
void make_markers(TraceMetadata& metadata, const ArchiveFacts& original,
                  const ReducedDefinitions& reduced, const Plan& plan);

}  // namespace tracefold
