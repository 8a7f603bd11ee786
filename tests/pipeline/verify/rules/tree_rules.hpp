// The rules for the system tree of a reduced archive: location groups stand where they stood, or
// below the groups of their first locations, and then say where they were.
//
// Nothing here knows the plan, nor how traces are written: whether the right processes were merged,
// and into the right clusters in time, shows where verify makes the archive again
// (pipeline/verify/make_again.hpp). One thread.
//
// Source: docs/design.md, the rule "tree of groups".
#pragma once

#include "otf2/definitions.hpp"
#include "tests/pipeline/verify/rules/definition_hashes.hpp"
#include "tests/pipeline/verify/rules/rules.hpp"

#include <cstdint>
#include <set>
#include <string_view>

namespace tracefold {

// Whether words that say what a group is like begin with the count of its processes, as in "36×
// like rank 36", where that is not 1.
bool says_count(std::string_view words, std::uint64_t count);

// Whether a node of the system tree of a reduced archive need not be one of the original: it shows
// groups, or the original, which shows groups, says that a location group was below it.
class NewTreeNodes {
 public:
  NewTreeNodes(const Definitions& original, const Definitions& reduced);
  bool has(const Definition& node) const { return ids_.contains(node.id()); }

 private:
  std::set<std::uint64_t> ids_;
};

// Whether the tree and the properties that go with it say the same as the locations and the
// original, and whether the anchor says how much of the original's tree is left out.
void check_system_tree(RuleBook& rules, const ArchiveFacts& original, const ArchiveFacts& reduced,
                       const DefinitionHashes& before, const DefinitionHashes& after,
                       const PropertiesByLocation& properties);

}  // namespace tracefold
