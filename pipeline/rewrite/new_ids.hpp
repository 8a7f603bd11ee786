// The new ids of the definitions that stay, and the order in which they are written.
//
// Ids of every kind are dense and ascending, parents before children, else in the
// original's order; those of paradigms are OTF2's and stay. A location that is left out
// has the id of the one that stands for it. Any thread may ask.
//
// Source: DESIGN's rules of rewriting.
#pragma once

#include "pipeline/rewrite/kept_locations.hpp"
#include "pipeline/rewrite/staying_definitions.hpp"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tracefold {

class NewIds {
 public:
  NewIds(const Definitions& original, const KeptLocations& kept,
         const StayingDefinitions& staying);  // all stay as long
  NewIds(const NewIds&) = delete;
  NewIds& operator=(const NewIds&) = delete;

  // "undefined" for an undefined id or one that is left out.
  std::uint64_t of(Ref kind, std::uint64_t id) const {
    const auto& table = tables_[index(kind)];
    return id < table.size() ? table[id] : find(kind, id);
  }
  bool has(Ref kind, std::uint64_t id) const { return ids_[index(kind)].contains(id); }
  std::size_t count(Ref kind) const { return ids_[index(kind)].size(); }
  // Groups that are written, of which some may share an id in the original.
  std::uint64_t groups() const { return groups_; }
  // What stays, in the order of the output.
  const std::vector<const Definition*>& order() const { return order_; }

  // Gives an event and its attributes their new ids; undefined attributes are left out.
  void renumber(Event& event) const;
  void renumber(std::vector<Attribute>& attributes) const;

  // Of strings, which are numbered as they are used. Call make_tables() behind the last.
  void add(Ref kind, std::uint64_t id, std::uint64_t new_id) { ids_[index(kind)][id] = new_id; }
  void make_tables();

 private:
  static std::size_t index(Ref kind) { return static_cast<std::size_t>(kind); }
  std::uint64_t find(Ref kind, std::uint64_t id) const;
  std::vector<const Definition*> staying_of(const std::vector<DefinitionKind>& kinds) const;
  void number(const std::vector<const Definition*>& kind);
  void number_groups(const std::vector<const Definition*>& groups);

  const Definitions& original_;
  const KeptLocations& kept_;
  const StayingDefinitions& staying_;
  std::array<std::unordered_map<std::uint64_t, std::uint64_t>, ref_kinds> ids_;
  std::array<std::vector<std::uint64_t>, ref_kinds> tables_;  // of small ids the same, for events
  std::vector<const Definition*> order_;
  std::uint64_t groups_ = 0;
};

}  // namespace tracefold
