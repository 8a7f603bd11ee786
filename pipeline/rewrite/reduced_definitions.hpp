// The definitions of the reduced trace: what kept locations and events refer
// to, directly or through other definitions, cut and renumbered.
//
// Ids of every kind are dense and ascending; definitions stand in an order in
// which each refers only to earlier ones, as far as OTF2 allows. Immutable once
// made; any thread may ask.
#pragma once

#include "pipeline/rewrite/kept_locations.hpp"
#include "pipeline/rewrite/new_ids.hpp"
#include "pipeline/rewrite/partners.hpp"
#include "pipeline/rewrite/staying_definitions.hpp"
#include "pipeline/rewrite/used_refs.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

struct ReducedOptions {
  bool plain_names = false;
};

class ReducedDefinitions {
 public:
  ReducedDefinitions(const Definitions& original, const Plan& plan, const KeptLocations& kept,
                     const Partners& partners, const UsedRefs& used,
                     const std::vector<std::string>& stand_ins, const ReducedOptions& options);

  // As NewIds tells them.
  std::uint64_t new_id(Ref kind, std::uint64_t id) const { return ids_.of(kind, id); }
  bool stays(Ref kind, std::uint64_t id) const { return ids_.has(kind, id); }
  // The new id of the region that stands for iterations, by its place in `stand_ins`.
  std::uint64_t stand_in(std::uint32_t which) const { return ids_.count(Ref::region) + which; }
  // Gives an event and its attributes their new ids; undefined attributes are left out.
  void renumber(Event& event) const { ids_.renumber(event); }
  void renumber(std::vector<Attribute>& attributes) const { ids_.renumber(attributes); }

  // In the order in which they are to be written. `events` holds the number of
  // records of each kept location, in their order; `first` and `last` are the
  // times to use where the original has no clock properties.
  std::vector<Definition> definitions(const std::vector<std::uint64_t>& events, std::uint64_t first,
                                      std::uint64_t last) const;

 private:
  std::uint64_t intern(const std::string& text);
  void emit();
  Definition cut(const Definition& d);
  void cut_group(Definition& d, const Definition& original) const;
  void cut_instance(Definition& d);
  void name_counts(Definition& d, const Definition& original);
  void name_unnamed(Definition& d);
  void add_standing();
  void add_stand_ins(const std::vector<std::string>& names);

  const Definitions& original_;
  const Plan& plan_;
  const KeptLocations& kept_;
  const Partners& partners_;
  ReducedOptions options_;
  const StayingDefinitions staying_;
  NewIds ids_;
  std::unordered_map<std::string, std::uint64_t> string_ids_;
  std::vector<std::string> strings_;
  std::vector<Definition> out_;
  std::unordered_map<std::uint64_t, std::uint64_t>
      kept_in_group_;  // by location group, a kept location; filled when first asked for
  std::unordered_map<std::uint64_t, std::uint64_t> location_counts_,
      group_counts_;  // a group has that of its first kept location
  std::uint64_t next_group_;
};

}  // namespace tracefold
