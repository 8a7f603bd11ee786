// What a reduced trace holds besides events: definitions, properties that tell how it was made, and
// markers at the boundaries of iterations.
//
// Thread-safe, deterministic.
//
// Source: docs/design.md, the rules "what a location stands for" and "collapsed iterations".
#pragma once

#include "pipeline/rewrite/copy_pass.hpp"
#include "pipeline/rewrite/kept_trace.hpp"
#include "pipeline/rewrite/reduced_definitions.hpp"
#include "pipeline/rewrite/trace_output.hpp"
#include "pipeline/rewrite/used_refs.hpp"

#include <string>
#include <vector>

namespace tracefold {

// Marks communicators and groups of kept processes as used if a marker is about them.
void use_marker_scopes(const KeptTrace& kept, UsedRefs& used);

// Makes definitions, markers and properties. Properties are those of the original that still hold,
// how many records of each kind were left out, how the iterations of each loop were folded, and the
// hash of the text of `plan`, whose first eight bytes are the trace's id. `copied` is in the new
// order of locations.
TraceMetadata make_metadata(const KeptTrace& kept, const ReducedDefinitions& reduced,
                            const std::vector<CopiedLocation>& copied, PlanFiles plan);

}  // namespace tracefold
