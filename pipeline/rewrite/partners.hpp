// Which process a rank in a record means, whether it is kept, and its new rank.
//
// A rank means a location that MPI lists, its endpoint. Other threads of the same location group
// may send or receive for it. So a message stays only if both endpoints are kept, with all of their
// threads that send or receive, and at least one end is more than halo. Immutable and thread-safe
// once made.
//
// Source: docs/design.md, the rules "communicators are cut", "messages need both ends" and "halo".
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
  // `filtered_out` are locations that are not in the plan but record messages.
  Partners(const Definitions& definitions, const Plan& plan, const KeptLocations& kept,
           const std::vector<std::uint64_t>& filtered_out = {});

  // In the following, `rank` is as in records of location `self`.

  // Whether a message between `self` and a rank stays. False if one of its two records does not
  // tell the other process, or the plan leaves out all messages.
  bool message_stays(std::uint64_t self, std::uint64_t comm, std::uint64_t rank) const;
  // The process at the other end of a message of `self`, kept or not; none if one of the two
  // records does not tell the other process.
  std::optional<std::uint64_t> find_partner(std::uint64_t self, std::uint64_t comm,
                                            std::uint64_t rank) const;
  // Whether the process with this endpoint is kept, with all of its locations that have messages.
  bool is_whole(std::uint64_t endpoint) const;
  // Whether a process that is more than halo is in the communicator.
  bool shares_with_kept(std::uint64_t comm) const { return shared_comms_.contains(comm); }
  bool is_halo(std::uint64_t location) const { return kept_.is_halo(location); }
  // Whether the process that a rank means is kept. If all are, this is true for every rank of the
  // communicator.
  bool is_kept(std::uint64_t self, std::uint64_t comm, std::uint64_t rank) const;
  // Whether the communicator has this rank, even if it is not known which process that is.
  bool has_rank(std::uint64_t self, std::uint64_t comm, std::uint64_t rank) const {
    return definitions_.has_rank(self, comm, rank);
  }
  // The rank in the reduced communicator; none if its process is left out.
  std::optional<std::uint64_t> new_rank(std::uint64_t self, std::uint64_t comm,
                                        std::uint64_t rank) const;

  // False if the recorder or the scope of a metric is left out and nothing stands for it, or if it
  // is a metric of members.
  bool metric_stays(std::uint64_t metric) const {
    return (left_out_metrics_.empty() || !left_out_metrics_.contains(metric)) &&
           !is_of_members(metric);
  }

  // Whether it is a metric of members that an earlier reduction added. Its records go, since new
  // ones cover both reductions.
  bool is_of_members(std::uint64_t metric) const {
    return !member_metrics_.empty() && member_metrics_.contains(metric);
  }
  bool has_member_metrics() const { return !member_metrics_.empty(); }

  // The communicator of a window; all bits set if it is not defined.
  std::uint64_t find_window_comm(std::uint64_t window) const;

  // True if no location is left out and no rank changes.
  bool keeps_all_ranks() const { return keeps_all_ranks_; }

  // The new place of each member of a group; `none` for those left out. Processes with only halo
  // come last.
  const std::vector<std::uint32_t>& new_places(const Definition& group) const;
  static constexpr std::uint32_t none = 0xffffffff;

 private:
  void find_left_out_metrics();
  void find_halo_endpoints(const Plan& plan);
  void find_shared_comms();

  const Definitions& definitions_;
  const KeptLocations& kept_;
  bool draws_messages_ = true;
  bool keeps_all_ranks_ = false;
  // Endpoints of which some location with messages is left out.
  std::unordered_set<std::uint64_t> incomplete_;
  // Endpoints of processes of which only halo has messages.
  std::unordered_set<std::uint64_t> halo_endpoints_;
  std::unordered_set<std::uint64_t> left_out_metrics_, member_metrics_;
  std::unordered_set<std::uint64_t> shared_comms_;  // where there is a halo
  std::unordered_map<const Definition*, std::vector<std::uint32_t>> places_;
};

}  // namespace tracefold
