// Which definitions stay in a reduced trace: what kept locations and events name,
// directly or through other definitions, and of those that nothing names (call sites,
// topologies, groups of regions, …) the ones all of whose own names stay.
//
// Immutable once made; any thread may ask.
//
// Source: DESIGN's rules of rewriting.
#pragma once

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
  StayingDefinitions(const Definitions& original, const KeptLocations& kept,
                     const Partners& partners, const UsedRefs& used);

  bool stays(Ref kind, std::uint64_t id) const { return staying_[index(kind)].contains(id); }
  // Of a definition that has no id of its own.
  bool unnamed_stays(const Definition& d) const;

 private:
  static std::size_t index(Ref kind) { return static_cast<std::size_t>(kind); }
  void mark_one(Ref kind, std::uint64_t id);
  void mark_unnamed();
  bool all_refs_stay(const Definition& d) const;
  bool is_of_earlier_reduction(const Definition& d) const;

  const Definitions& original_;
  const KeptLocations& kept_;
  const Partners& partners_;
  std::array<std::unordered_set<std::uint64_t>, ref_kinds> staying_;
};

// Whether a definition is a group of this type.
bool is_group_of(const Definition& d, std::uint64_t type);
// What is left of a group's members has a kind of id, by the group's type.
std::optional<Ref> member_kind(const Definition& group);
// What the scope of a metric instance names.
Ref scope_kind(std::uint64_t scope);
// The kind of id that a definition has, if it has one.
std::optional<Ref> self_of(const Definition& d);

}  // namespace tracefold
