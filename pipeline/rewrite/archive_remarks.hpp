// What a reduced archive says of itself: properties, and markers at the borders of
// iterations.
//
// Thread-safe, deterministic.
//
// Source: DESIGN's rule 7 of rewriting (markers at boundaries) and what it says of fidelity.
#pragma once

#include "otf2/otf2_writer.hpp"
#include "pipeline/rewrite/event_cut.hpp"
#include "pipeline/rewrite/reduced_definitions.hpp"

#include <string>
#include <vector>

namespace tracefold {

// Sets the properties of the original that still hold, what was left out by kind, how
// the iterations of each loop were folded, and the hash of `plan_text`.
void set_properties(OutputArchive& out, const ArchiveFacts& facts, const Plan& plan,
                    const CutCounts& cut, const std::string& plan_text);

struct Markers {
  std::vector<MarkerKind> kinds;
  std::vector<Marker> markers;  // by time
};

// Those of the original whose scope stays, and one for each iteration of the first
// process whose iterations were folded.
Markers markers_of(const ArchiveFacts& facts, const ReducedDefinitions& reduced, const Plan& plan);

}  // namespace tracefold
