// Hashes of the definitions of an archive, which are the same in an archive and in what it was
// reduced to, whatever the ids are.
//
// The hash of a definition is one of its kind and of all that its row in the table of definitions
// holds: values, the characters of strings, and the hashes of what it refers to. What
// reducing changes on purpose is left out: of groups of processes the members that are not kept,
// and what locations and their groups are called. A location or location group that is not kept
// has the hash of the one that stands for it. Nothing here knows how traces are written.
//
// Immutable once made; any thread may ask. The definitions have to stay.
//
// Source: docs/design.md, the rules "dense ids", "what a location stands for" and
// "communicators are cut".
#pragma once

#include "otf2/definitions.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tracefold {

// The location and location group of the original that each one of an archive is. In the original
// itself these are those that stand for it.
struct OriginalIds {
  std::unordered_map<std::uint64_t, std::uint64_t> locations, groups;
  // Locations of the original: those of groups that are there as halo alone. They come last in
  // communicators.
  std::unordered_set<std::uint64_t> behind;
  std::uint64_t first_kept = 0;  // the original's id of the first location of the reduced archive
  bool is_original = false;
};

class DefinitionHashes {
 public:
  static constexpr std::uint64_t undefined = 0;  // of an id that is undefined or not defined

  DefinitionHashes(const Definitions& definitions, OriginalIds locations);
  DefinitionHashes(const DefinitionHashes&) = delete;
  DefinitionHashes& operator=(const DefinitionHashes&) = delete;

  const Definitions& definitions() const { return definitions_; }

  std::uint64_t find(Ref kind, std::uint64_t id) const;
  [[gnu::always_inline]] std::uint64_t find_region(std::uint64_t id) const {
    return id < regions_.size() ? regions_[id] : find(Ref::region, id);
  }
  // The hash of any definition, also of one that no id names.
  std::uint64_t find(const Definition& definition) const;

  // The original's location that a location means; none where nobody stands for it.
  std::optional<std::uint64_t> find_location(std::uint64_t id) const;
  std::optional<std::uint64_t> find_group(std::uint64_t id) const;
  // True where a location is kept itself.
  bool is_kept(std::uint64_t id) const {
    return find_location(id) == id || !locations_.is_original;
  }
  // The original's location that a rank of a communicator means in an event of `self`, where it is
  // kept.
  std::optional<std::uint64_t> find_partner(std::uint64_t self, std::uint64_t comm,
                                            std::uint64_t rank) const;

 private:
  class Hash;
  // Whether a definition of the original goes with others: a metric that was recorded by, or of,
  // somebody whom nobody stands for.
  bool is_left_out(const Definition& definition) const;
  std::uint64_t compute(const Definition& definition) const;
  void add_group(Hash& hash, const Definition& group) const;
  void add_instance(Hash& hash, const Definition& instance) const;
  void add_coordinate(Hash& hash, const Definition& coordinate) const;

  const Definitions& definitions_;
  OriginalIds locations_;
  mutable std::array<std::unordered_map<std::uint64_t, std::uint64_t>, ref_kinds> known_;
  std::vector<std::uint64_t> regions_;
};

}  // namespace tracefold
