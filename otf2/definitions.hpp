// All definitions of an archive, by their ids, and which process a rank in an event means, which
// OTF2 leaves to readers.
//
// Built by one thread: add() for each definition in the order of the file, then finish() once.
// After that it is immutable, and any thread may read it.
//
// Source: OTF2 3.0 reference manual, "Definitions" (Group, Comm, InterComm).
#pragma once

#include "otf2/definition.hpp"
#include "otf2/otf2_values.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tracefold {

// Location ids by rank of a communicator or group.
using Members = std::vector<std::uint64_t>;

// Where several definitions have the same id, the first one stays; the others are counted.
class Definitions {
 public:
  void add(Definition definition);
  // Removes definitions that no reader could use, and builds the tables of ranks and processes.
  void finish();

  const std::vector<Definition>& all() const { return all_; }
  // Replaces each string by replace(id, text). Call before other threads read the definitions.
  void replace_texts(
      const std::function<std::string(std::uint64_t id, const std::string& text)>& replace);
  // The definition with this id, or null.
  const Definition* find(Ref kind, std::uint64_t id) const;
  // The text of a string; empty where it is not defined.
  const std::string& text(std::uint64_t string_id) const;
  // How many definitions were removed because an earlier one has the same id.
  std::uint64_t duplicates() const { return duplicates_; }
  // How many definitions were removed because no reader could use them, plus how many references to
  // a parent were removed because they formed a circle.
  std::uint64_t unusable() const { return unusable_; }

  // The ids of all locations, ascending.
  const std::vector<std::uint64_t>& locations() const { return locations_; }
  // The group of type COMM_LOCATIONS of each paradigm; the last one where there are several.
  const std::map<std::uint64_t, Definition>& comm_locations() const { return comm_locations_; }
  // The location group of a location. The location must be defined.
  std::uint64_t location_group(std::uint64_t location) const;
  // The MPI rank of a location. None where MPI's COMM_LOCATIONS does not list it.
  std::optional<std::uint64_t> mpi_rank(std::uint64_t location) const;
  // The location that stands for the process of `location` in ranks of the paradigm: `location`
  // itself, or the first of its location group that COMM_LOCATIONS lists.
  std::uint64_t endpoint(std::uint64_t location,
                         std::uint64_t paradigm = otf2_value::paradigm_mpi) const;
  // The location that a rank of a communicator means in an event of `self`. None where the
  // definitions do not tell.
  std::optional<std::uint64_t> partner(std::uint64_t self, std::uint64_t comm,
                                       std::uint64_t rank) const;
  // Whether the communicator has this rank in events of `self`, even if the definitions do not tell
  // which location it means.
  bool has_rank(std::uint64_t self, std::uint64_t comm, std::uint64_t rank) const;
  // Whether each process is alone in this intra-communicator, as in MPI_COMM_SELF.
  bool is_self(const Definition& comm) const;
  // Whether one side of this inter-communicator is COMM_SELF. No definition tells which process is
  // on that side, so ranks of it in events of the other side mean no process.
  bool has_unknown_side(const Definition& comm) const;
  // The group that ranks in events of `self` refer to. In an inter-communicator, this is the group
  // without `self`.
  std::uint64_t peer_group(std::uint64_t self, const Definition& comm) const;
  // Whether ranks in events mean places in the paradigm's list of all locations, and not in this
  // group (OTF2_GROUP_FLAG_GLOBAL_MEMBERS).
  static bool has_global_members(const Definition& group);
  // The location ids of a group, by rank.
  Members members(const Definition& group) const;
  // The location of one rank of a group, in events of `self`.
  std::optional<std::uint64_t> member(std::uint64_t self, std::uint64_t group_id,
                                      std::uint64_t rank) const;

 private:
  using LocationTable = std::unordered_map<std::uint64_t, std::uint64_t>;
  // The first group of type COMM_SELF of each paradigm.
  using SelfGroups = std::map<std::uint64_t, std::uint64_t>;

  void define_missing_groups();
  void leave_out_unusable();
  bool is_usable(const Definition& definition, const SelfGroups& self_groups) const;
  void cut_circles();
  void index_ranks();
  void index_inter_communicators();
  bool is_on_side(std::uint64_t self, std::uint64_t group_id) const;

  std::vector<Definition> all_;
  std::array<std::unordered_map<std::uint64_t, std::size_t>, ref_kinds> index_;
  std::vector<std::uint64_t> locations_;
  std::map<std::uint64_t, Definition> comm_locations_;
  std::map<std::uint64_t, LocationTable> ranks_;      // paradigm; location → rank
  std::map<std::uint64_t, LocationTable> endpoints_;  // paradigm; location group → location
  // The locations in the groups of inter-communicators, by group id. COMM_SELF is not among them.
  std::unordered_map<std::uint64_t, std::unordered_set<std::uint64_t>> sides_;
  std::uint64_t duplicates_ = 0;
  std::uint64_t unusable_ = 0;
  bool has_clock_ = false;
};

struct MarkerKind {
  std::uint64_t id = 0;
  std::string group;
  std::string category;
  std::uint64_t severity = 0;  // OTF2_MarkerSeverity

  friend bool operator==(const MarkerKind&, const MarkerKind&) = default;
};

struct Marker {
  std::uint64_t time = 0;      // ticks
  std::uint64_t duration = 0;  // ticks
  std::uint64_t kind = 0;      // MarkerKind::id
  std::uint64_t scope = 0;     // OTF2_MarkerScope
  std::uint64_t scope_id = 0;
  std::string text;

  friend bool operator==(const Marker&, const Marker&) = default;
};

// Everything in an archive but the events.
struct ArchiveFacts {
  Definitions definitions;
  std::vector<MarkerKind> marker_kinds;
  std::vector<Marker> markers;
  std::map<std::string, std::string> properties;
  std::string machine;
  std::string creator;
  std::string description;
  bool has_snapshots = false;  // or thumbnails; both describe all events of the archive
  // The numbers of locations and definitions that the anchor states.
  std::uint64_t stated_locations = 0;
  std::uint64_t stated_definitions = 0;
  std::uint64_t trace_id = 0;  // in the anchor, too
};

}  // namespace tracefold
