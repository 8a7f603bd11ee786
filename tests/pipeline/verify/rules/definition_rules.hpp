// The rules for what a reduced archive holds besides records: definitions, and the anchor.
//
// Each function adds verdicts to a RuleBook, in a fixed order. Nothing here knows the plan, nor how
// traces are written. One thread.
//
// Source: docs/design.md, the rules "dense ids", "what a location stands for" and
// "communicators are cut".
#pragma once

#include "otf2/archive.hpp"
#include "tests/pipeline/verify/rules/definition_hashes.hpp"
#include "tests/pipeline/verify/rules/rules.hpp"
#include "tests/pipeline/verify/rules/stand_ins.hpp"

#include <cstdint>

namespace tracefold {

struct TimeWindow;

// What of a reduced archive stands for iterations. Nothing does where something of the original
// does: a trace is folded once.
StandInIds find_stand_ins(const Definitions& reduced, const Definitions& original);

// That definitions mean what they meant, that what describes a kept thing stays, and that ids are
// dense. `after` are the hashes in the reduced archive.
void check_definition_hashes(RuleBook& rules, const DefinitionHashes& before,
                             const DefinitionHashes& after, const StandInIds& stand_ins);

// The first record of the clock; null where there is none.
const Definition* find_clock(const Definitions& definitions);

// Whether the original was reduced once, or its result again: then the creator of a location group
// may have been cut in between, where the process that created it came later.
enum class ReducedHow : std::uint8_t { once, again };

// That locations, their groups and their properties say what they should.
void check_locations(RuleBook& rules, const DefinitionHashes& before, const DefinitionHashes& after,
                     const PropertiesByLocation& properties, const RecordedLocations& recorded,
                     ReducedHow how);

// That the anchor says what the original's does, and how many records were left out of each kind,
// also since they cross a border of the window, where there is one.
void check_anchor(RuleBook& rules, const Archive& original, const Archive& reduced,
                  const PropertiesByLocation& properties, const std::set<std::uint64_t>& wanted,
                  const RecordedLocations& before, const RecordedLocations& after,
                  const TimeWindow* window);

}  // namespace tracefold
