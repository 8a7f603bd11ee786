// Which definitions stay in a reduced trace: those that kept locations and events refer to,
// directly or through others; and those that nothing refers to (call sites, topologies, groups of
// regions, …) if all that they refer to stays.
//
// Immutable and thread-safe once made.
//
// Source: docs/design.md, the rule "dense ids".
#pragma once

#include "pipeline/rewrite/group_tree.hpp"
#include "pipeline/rewrite/kept_locations.hpp"
#include "pipeline/rewrite/partners.hpp"
#include "pipeline/rewrite/used_refs.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_set>

namespace tracefold {

class StayingDefinitions {
 public:
  // `tree` names parents of location groups, which stay; groups not in it keep theirs.
  StayingDefinitions(const Definitions& original, const KeptLocations& kept,
                     const Partners& partners, const UsedRefs& used, const SystemTree& tree = {});

  bool stays(Ref kind, std::uint64_t id) const { return staying_[index(kind)].contains(id); }
  // The same for any definition, even without an id of its own.
  bool stays(const Definition& definition) const;

 private:
  static std::size_t index(Ref kind) { return static_cast<std::size_t>(kind); }
  void mark(Ref kind, std::uint64_t id);
  void mark_system_tree(const SystemTree& tree);
  void mark_used(const UsedRefs& used);
  void mark_property_values();
  void mark_unreferenced();
  bool unreferenced_stays(const Definition& definition) const;
  bool property_stays(const Definition& property) const;
  bool group_stays(const Definition& group) const;
  bool coordinate_stays(const Definition& coordinate) const;
  bool all_refs_stay(const Definition& definition) const;
  bool is_of_earlier_reduction(const Definition& definition) const;

  const Definitions& original_;
  const KeptLocations& kept_;
  const Partners& partners_;
  std::array<std::unordered_set<std::uint64_t>, ref_kinds> staying_;
};

bool is_group_of_type(const Definition& definition, std::uint64_t type);
// The kind of the ids of a group's members; none if they are ranks.
std::optional<Ref> member_kind(const Definition& group);
// The kind of the id in a metric instance's scope.
Ref scope_kind(const Definition& instance);
// The kind of a definition's own id, if it has one.
std::optional<Ref> self_kind(const Definition& definition);

}  // namespace tracefold
