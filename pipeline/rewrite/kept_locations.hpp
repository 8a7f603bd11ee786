// Which locations stay, in which order, and what each of them stands for.
//
// Ordered by location group (order_location_groups.hpp), and within a group by original id.
// Immutable and thread-safe once made.
//
// Source: docs/design.md, the rules "dense ids", "what a location stands for" and "halo".
#pragma once

#include "model/plan.hpp"
#include "otf2/definitions.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tracefold {

// What a location is in a reduced trace.
enum class LocationRole : std::uint8_t {
  kept,  // stands for its members
  halo,  // stands for nobody, and stays only as the other end of messages of kept ones
};

struct KeptLocation {
  std::uint64_t id = 0;  // in the trace that is read
  std::uint64_t new_id = 0;
  std::uint64_t source = 0;  // id in the first original
  LocationRole role = LocationRole::kept;
  // The following members are not used for halo.
  std::uint32_t group = 0;
  std::uint64_t count = 0;  // how many processes it stands for
  std::string members;      // their ids in the first original, as ranges
  std::size_t process = 0;  // index into Plan::processes
  std::string ranks;        // ranks of the members, as a list of ranks, if signatures were compared
};

class KeptLocations {
 public:
  // If the plan has no representatives, every process is kept. With `keep_ids` locations keep their
  // ids. Throws Error(usage) if no process is left, or a location of the plan's halo is not in the
  // trace or kept already; Error(input) if properties of an earlier reduction are wrong.
  KeptLocations(const Definitions& definitions, const Plan& plan, bool keep_ids);

  // In their new order, halo included.
  const std::vector<KeptLocation>& all() const { return all_; }
  bool has(std::uint64_t id) const { return new_ids_.contains(id); }
  std::uint64_t new_id(std::uint64_t id) const { return new_ids_.at(id); }
  bool is_halo(std::uint64_t id) const { return halo_.contains(id); }
  // Whether a location is in a location group of which only halo stays.
  bool is_in_halo_group(std::uint64_t id) const { return behind_.contains(id); }
  bool has_halo() const { return !halo_.empty(); }
  // The kept location that stands for this one (itself, if it stays). For halo of an earlier
  // reduction: the location that stands for its source.
  std::optional<std::uint64_t> find_representative(std::uint64_t id) const;
  // The same for location groups. A group that does not stay gets the one that stands for the first
  // of its locations that has a stand-in.
  std::optional<std::uint64_t> find_representative_group(std::uint64_t group) const;
  // Ids of the location groups that stay, in their new order, including groups without a
  // definition.
  const std::vector<std::uint64_t>& groups() const { return groups_; }
  // True if every location of the trace is kept, and none is halo.
  bool keeps_all() const { return keeps_all_; }

 private:
  void choose_locations(const Definitions& definitions, const Plan& plan);
  void add_halo(const Definitions& definitions, const HaloSection& halo);
  void find_halo_representatives(const Definitions& definitions);
  void put_in_order(const Definitions& definitions);
  void give_ids(bool keep_ids);
  void find_halo_groups(const Definitions& definitions);
  void find_representative_groups(const Definitions& definitions);

  std::vector<KeptLocation> all_;
  std::vector<std::uint64_t> groups_;
  std::unordered_set<std::uint64_t> halo_, behind_;  // locations
  std::unordered_map<std::uint64_t, std::uint64_t> new_ids_;
  std::unordered_map<std::uint64_t, std::uint64_t> representatives_;        // by id of a member
  std::unordered_map<std::uint64_t, std::uint64_t> representative_groups_;  // by location group
  bool keeps_all_ = false;
};

}  // namespace tracefold
