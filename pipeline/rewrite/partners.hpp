// Who the ranks of a record mean, which of them are kept, and their new ranks.
//
// A rank means a process, and any of its threads may send or receive: messages
// stay only where both sides' listed locations are kept, and all of their
// locations that send or receive. Immutable once made; any thread may ask.
#pragma once

#include "pipeline/rewrite/kept_locations.hpp"

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tracefold {

class Partners {
 public:
  Partners(const Definitions& definitions, const Plan& plan, const KeptLocations& kept);

  // Whether a message between `self` and a rank of a communicator stays.
  bool message_stays(std::uint64_t self, std::uint64_t comm, std::uint64_t rank) const;
  // Whether the process that a rank of a communicator means is kept.
  bool is_kept(std::uint64_t self, std::uint64_t comm, std::uint64_t rank) const;
  // The rank in the cut communicator, none where its process is left out.
  std::optional<std::uint64_t> new_rank(std::uint64_t self, std::uint64_t comm,
                                        std::uint64_t rank) const;
  // Whether a communicator is each member's own.
  bool is_of_one(std::uint64_t comm) const;
  // The communicator of a window, all bits set where it is not defined.
  std::uint64_t comm_of_window(std::uint64_t window) const;
  // True where no location is left out and every rank stays what it is.
  bool everything() const { return everything_; }

  // New place of each member of a group, none where it is left out.
  const std::vector<std::uint32_t>& new_places(const Definition& group) const;
  static constexpr std::uint32_t none = 0xffffffff;

 private:
  const Definitions& definitions_;
  const KeptLocations& kept_;
  bool everything_ = false;
  std::unordered_set<std::uint64_t>
      silent_groups_;  // location groups with talkers that are left out
  std::unordered_map<const Definition*, std::vector<std::uint32_t>> places_;
};

}  // namespace tracefold
