// The new ids of definitions that stay, and the order in which they are written.
//
// Ids of every kind are dense and ascending, parents before children, otherwise in the original's
// order; paradigms keep OTF2's ids. A location or location group that is left out gets the id of
// the one that stands for it. Thread-safe for readers.
//
// Source: docs/design.md, the rule "dense ids".
#pragma once

#include "pipeline/rewrite/kept_locations.hpp"
#include "pipeline/rewrite/staying_definitions.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace tracefold {

class NewIds {
 public:
  // The arguments must outlive this object.
  NewIds(const Definitions& original, const KeptLocations& kept, const StayingDefinitions& staying);
  NewIds(const NewIds&) = delete;
  NewIds& operator=(const NewIds&) = delete;

  // Returns "undefined" for an id that is undefined or left out.
  std::uint64_t find(Ref kind, std::uint64_t id) const {
    const auto& table = tables_[index(kind)];
    return id < table.size() ? table[id] : find_in_map(kind, id);
  }
  // What find() returns for small ids, indexed by id.
  std::span<const std::uint64_t> list_small(Ref kind) const { return tables_[index(kind)]; }
  bool has(Ref kind, std::uint64_t id) const { return ids_[index(kind)].contains(id); }
  // The number of ids of a kind.
  std::size_t count(Ref kind) const { return ids_[index(kind)].size(); }
  // How many groups are written; in the original some may share an id.
  std::uint64_t group_count() const { return group_count_; }
  // Definitions that stay, in the order of the output.
  const std::vector<const Definition*>& order() const { return order_; }

  // Gives an event and its attributes their new ids; undefined attributes are left out.
  void renumber(Event& event) const;
  void renumber(std::vector<Attribute>& attributes) const;

  // For strings, whose numbers the writer chooses. Call make_tables() after the last one.
  void add(Ref kind, std::uint64_t id, std::uint64_t new_id) { ids_[index(kind)][id] = new_id; }
  void make_tables();

 private:
  static std::size_t index(Ref kind) { return static_cast<std::size_t>(kind); }
  std::uint64_t find_in_map(Ref kind, std::uint64_t id) const;
  std::vector<const Definition*> find_staying(const std::vector<DefinitionKind>& kinds) const;
  void number_location_groups();
  const Definition* find_staying_parent(const Definition& definition) const;
  void number(const std::vector<const Definition*>& definitions);
  void number_groups(const std::vector<const Definition*>& groups);

  const Definitions& original_;
  const KeptLocations& kept_;
  const StayingDefinitions& staying_;
  std::array<std::unordered_map<std::uint64_t, std::uint64_t>, ref_kinds> ids_;
  // The same, as arrays, for kinds with small ids, where events look up theirs.
  std::array<std::vector<std::uint64_t>, ref_kinds> tables_;
  std::vector<const Definition*> order_;
  std::uint64_t group_count_ = 0;
};

}  // namespace tracefold
