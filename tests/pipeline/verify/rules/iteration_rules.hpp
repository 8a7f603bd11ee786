// The rules for what a reduced archive tells of iterations: markers, and the calls that stand for
// iterations.
//
// Adds verdicts to a RuleBook, in a fixed order. Nothing here knows the plan, nor how traces are
// written. One thread.
//
// Source: docs/design.md, the rule "collapsed iterations".
#pragma once

#include "otf2/archive.hpp"
#include "tests/pipeline/verify/rules/definition_hashes.hpp"
#include "tests/pipeline/verify/rules/rules.hpp"

namespace tracefold {

struct TimeWindow;

// That the markers of the original, in the window where there is one, stay, that those of
// iterations fit together, and that the calls that stand for iterations are those that the markers
// tell.
void check_iterations(RuleBook& rules, const ArchiveFacts& original, const ArchiveFacts& reduced,
                      const DefinitionHashes& before, const DefinitionHashes& after,
                      const RecordedLocations& recorded, const TimeWindow* window);

}  // namespace tracefold
