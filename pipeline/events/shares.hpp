// Divides locations between the members of a team: neighbours stay together, with roughly equal
// numbers of events. The division is the same in all passes, so that a member can keep what it
// found of a location.
//
// Immutable, thread-safe.
#pragma once

#include "otf2/definitions.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

class Team;

class Shares {
 public:
  // Divides all locations. Without a team, all belong to this process.
  Shares(const Definitions& definitions, const Team* team);
  // Divides only these locations, for passes whose results are not kept by location.
  Shares(const Definitions& definitions, std::vector<std::uint64_t> locations, const Team* team);

  std::size_t find_owner(std::uint64_t location) const;
  bool is_own(std::uint64_t location) const { return find_owner(location) == rank_; }
  // The indexes of this member's own locations.
  std::vector<std::size_t> list_own(const std::vector<std::uint64_t>& locations) const;

 private:
  std::size_t rank_ = 0;
  std::vector<std::uint64_t>
      firsts_;  // the lowest location of each member but the first, ascending
};

}  // namespace tracefold
