// All definitions of an archive, found by their ids, and what OTF2 leaves to readers:
// which process a rank in an event means.
//
// Built by one thread: add() for each definition in the order of the file, then finish()
// once. After that it does not change and may be read from any thread.
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

// The processes of a communicator or group: location ids by rank.
using Members = std::vector<std::uint64_t>;

// Where several definitions have one id, the first is kept; the others are left out and
// counted.
class Definitions {
 public:
  void add(Definition definition);
  // Leaves out definitions that no reader could use, and prepares the search for ranks and
  // processes.
  void finish();

  const std::vector<Definition>& all() const { return all_; }
  // Puts replace(id, text) in place of each string; before anybody else reads them.
  void replace_texts(
      const std::function<std::string(std::uint64_t id, const std::string& text)>& replace);
  // The definition that an id of this kind names; null where there is none.
  const Definition* find(Ref kind, std::uint64_t id) const;
  // The characters of a string; empty where it is not defined.
  const std::string& text(std::uint64_t string_id) const;
  // How many definitions were left out because another one has their id.
  std::uint64_t duplicates() const { return duplicates_; }
  // How many definitions were left out because no reader could use them, and how many
  // references to a parent were removed because they formed a circle.
  std::uint64_t unusable() const { return unusable_; }

  // The ids of all locations, ascending.
  const std::vector<std::uint64_t>& locations() const { return locations_; }
  // The group of type COMM_LOCATIONS of each paradigm. Where there are several, the last one.
  const std::map<std::uint64_t, Definition>& comm_locations() const { return comm_locations_; }
  // The location group of a location, which has to be defined.
  std::uint64_t location_group(std::uint64_t location) const;
  // The rank in MPI of a location that MPI's COMM_LOCATIONS lists.
  std::optional<std::uint64_t> mpi_rank(std::uint64_t location) const;
  // The location that represents the process of `location` in the ranks of a paradigm: the
  // location itself, or the first of its location group that COMM_LOCATIONS lists.
  std::uint64_t endpoint(std::uint64_t location,
                         std::uint64_t paradigm = otf2_value::paradigm_mpi) const;
  // The location that a rank of a communicator means in an event of `self`. None where the
  // definitions do not say it.
  std::optional<std::uint64_t> partner(std::uint64_t self, std::uint64_t comm,
                                       std::uint64_t rank) const;
  // True where the communicator has that rank in events of `self`, also where the definitions do
  // not say which location it means.
  bool has_rank(std::uint64_t self, std::uint64_t comm, std::uint64_t rank) const;
  // True for an intra-communicator in which each process is alone, as in MPI_COMM_SELF.
  bool is_self(const Definition& comm) const;
  // True for an inter-communicator one side of which is COMM_SELF. Nothing says which process is on
  // that side, so its rank in events of the other side means nobody.
  bool has_unknown_side(const Definition& comm) const;
  // The group in which the ranks in events of `self` count. In an inter-communicator that is
  // the group to which `self` does not belong.
  std::uint64_t peer_group(std::uint64_t self, const Definition& comm) const;
  // The members of a group as location ids, by rank.
  Members members(const Definition& group) const;
  // One member of a group, as `self` sees it.
  std::optional<std::uint64_t> member(std::uint64_t self, std::uint64_t group_id,
                                      std::uint64_t rank) const;

 private:
  using LocationTable = std::unordered_map<std::uint64_t, std::uint64_t>;
  // The id of the first group of type COMM_SELF, by paradigm.
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
  // The locations in the groups of inter-communicators, by the id of the group; not of COMM_SELF.
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

// Everything that an archive holds besides events.
struct ArchiveFacts {
  Definitions definitions;
  std::vector<MarkerKind> marker_kinds;
  std::vector<Marker> markers;
  std::map<std::string, std::string> properties;
  std::string machine;
  std::string creator;
  std::string description;
  bool has_snapshots = false;  // or thumbnails; both describe all events of the archive
  // How many locations and definitions the anchor says that there are.
  std::uint64_t stated_locations = 0;
  std::uint64_t stated_definitions = 0;
  std::uint64_t trace_id = 0;  // in the anchor, too
};

}  // namespace tracefold
