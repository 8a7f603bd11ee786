// Which member of a team reads which locations: neighbours together, about as many events each. It
// is the same in all passes, so what a member has found of a location can stay with it.
//
// Immutable; any thread may ask.
#pragma once

#include "otf2/definitions.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

class Team;

class Shares {
 public:
  // Of all locations. Without a team they are this process's own.
  Shares(const Definitions& definitions, const Team* team);
  // Of these, where nothing that is found stays with who found it.
  Shares(const Definitions& definitions, std::vector<std::uint64_t> locations, const Team* team);

  std::size_t find_owner(std::uint64_t location) const;
  bool is_own(std::uint64_t location) const { return find_owner(location) == rank_; }
  // The indexes of those that are.
  std::vector<std::size_t> list_own(const std::vector<std::uint64_t>& locations) const;

 private:
  std::size_t rank_ = 0;
  std::vector<std::uint64_t>
      firsts_;  // the lowest location of each member but the first, ascending
};

}  // namespace tracefold
