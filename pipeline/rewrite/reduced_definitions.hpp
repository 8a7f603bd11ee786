// The definitions of the reduced trace: what kept locations and events refer to, directly or
// through other definitions, cut and renumbered.
//
// Ids of every kind are dense and ascending; as far as OTF2 allows, definitions refer only to
// earlier ones. Immutable and thread-safe once made.
//
// Source: docs/design.md, the rules "dense ids", "what a location stands for" and
// "communicators are cut".
#pragma once

#include "pipeline/iterations/collapse.hpp"
#include "pipeline/rewrite/group_tree.hpp"
#include "pipeline/rewrite/kept_locations.hpp"
#include "pipeline/rewrite/new_ids.hpp"
#include "pipeline/rewrite/partners.hpp"
#include "pipeline/rewrite/staying_definitions.hpp"
#include "pipeline/rewrite/string_table.hpp"
#include "pipeline/rewrite/trace_output.hpp"
#include "pipeline/rewrite/used_refs.hpp"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

// The regions that stand for iterations, by name, and the calling contexts in which they are
// called, ascending.
struct CollapsedRegions {
  std::vector<std::string> names;
  std::vector<CollapsedContext> contexts;
};

// The metric that tells how the processes differ that a location stands for (member_metrics.hpp).
enum class MemberMetric : std::uint8_t { none, computation, with_waiting };

struct ReducedOptions {
  bool plain_names = false;  // names do not tell what locations stand for
  MemberMetric members = MemberMetric::none;
};

class ReducedDefinitions {
 public:
  // `used`: what events that stay refer to. All arguments but `collapsed` and `options` must
  // outlive this object.
  ReducedDefinitions(const Definitions& original, const Plan& plan, const KeptLocations& kept,
                     const Partners& partners, const UsedRefs& used,
                     const CollapsedRegions& collapsed, const ReducedOptions& options);

  // As in NewIds.
  std::uint64_t new_id(Ref kind, std::uint64_t id) const { return ids_.find(kind, id); }
  // The same for small ids, indexed by id.
  std::span<const std::uint64_t> list_small_ids(Ref kind) const { return ids_.list_small(kind); }
  bool stays(Ref kind, std::uint64_t id) const { return ids_.has(kind, id); }
  void renumber(Event& event) const { ids_.renumber(event); }
  void renumber(std::vector<Attribute>& attributes) const { ids_.renumber(attributes); }
  // The new id of a region that stands for iterations, by its index in `collapsed`; or of a calling
  // context of it, which must exist.
  std::uint64_t collapsed_region(std::uint32_t which) const {
    return ids_.count(Ref::region) + which;
  }
  std::uint64_t collapsed_region(const CollapsedContext& context) const;
  // The new id of the metric of members.
  std::uint64_t member_metric() const { return ids_.count(Ref::metric); }

  // How many properties and domains are dropped of system tree nodes that had location groups that
  // stay.
  struct LeftOutOfTree {
    std::uint64_t properties = 0, domains = 0;
  };
  LeftOutOfTree count_left_out_of_tree() const;

  // In the order to write them. `written` is by kept location, in the new order. If the original
  // has no clock properties, the trace lasts from `first` to `last`, in ticks.
  std::vector<Definition> definitions(const std::vector<WrittenLocation>& written,
                                      std::uint64_t first, std::uint64_t last) const;

 private:
  void number_used_strings(const UsedRefs& used);
  void choose_signs();

  void add_staying();
  void add_tree_nodes();
  std::uint64_t new_node_id(const std::optional<TreeNodeRef>& node) const;
  Definition reduce(const Definition& original);
  void reduce_group(Definition& group, const Definition& original) const;
  void reduce_instance(Definition& instance) const;
  void reduce_coordinate(Definition& coordinate, const Definition& original) const;
  static void cut_later_creator(Definition& group);
  void put_sign_into_name(Definition& definition, const Definition& original);
  void name_unnamed(Definition& definition);
  void name_unnamed_handle(Definition& handle);

  void add_location_properties();
  void add_tree_properties();
  void add_groups();
  void add_collapsed_regions();
  void add_member_metric();

  const Definitions& original_;
  const Plan& plan_;
  const KeptLocations& kept_;
  const Partners& partners_;
  ReducedOptions options_;
  const CollapsedRegions collapsed_;
  const SystemTree tree_;
  const StayingDefinitions staying_;
  NewIds ids_;
  StringTable strings_;
  std::vector<Definition> reduced_;  // all but strings and clock properties
  // What a name begins with, by original id. A location group has the sign of its first location
  // that is not halo, if any.
  std::unordered_map<std::uint64_t, std::string> location_signs_, group_signs_;
  // Signs that an earlier reduction may have added.
  std::unordered_map<std::uint64_t, std::set<std::string>> earlier_location_signs_,
      earlier_group_signs_;
  std::uint64_t next_group_;
  std::vector<std::pair<std::size_t, std::size_t>> halo_properties_;  // place, kept location
};

}  // namespace tracefold
