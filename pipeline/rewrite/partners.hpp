// Which process a rank in a record means, whether it is kept, and the new rank that it gets.
//
// A rank means a location that MPI lists, its endpoint. Other threads of its location group that
// MPI does not list may send or receive for it. So messages stay only where both endpoints are
// kept, and all of their threads that send or receive; and not where both are halo alone. Immutable
// once made; any thread may ask.
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
  // `filtered_out` are locations that the plan does not hold and that record messages.
  Partners(const Definitions& definitions, const Plan& plan, const KeptLocations& kept,
           const std::vector<std::uint64_t>& filtered_out = {});

  // In the following, ranks are those in records of the location `self`.

  // True where a message between `self` and a rank of a communicator stays. It does not where one
  // of its two records does not tell the other process, nor where the plan draws no messages.
  bool message_stays(std::uint64_t self, std::uint64_t comm, std::uint64_t rank) const;
  // The process that a message of `self` is exchanged with, where both of its records tell the
  // other one; whether or not it is kept.
  std::optional<std::uint64_t> find_partner(std::uint64_t self, std::uint64_t comm,
                                            std::uint64_t rank) const;
  // Whether the process with this endpoint is kept, and all of its locations with messages.
  bool is_whole(std::uint64_t endpoint) const;
  // Whether a process that is more than halo is in the communicator, and which locations are halo.
  bool shares_with_kept(std::uint64_t comm) const { return shared_comms_.contains(comm); }
  bool is_halo(std::uint64_t location) const { return kept_.is_halo(location); }
  // True where the process that a rank of a communicator means is kept; where all are, this is true
  // for every rank that the communicator has.
  bool is_kept(std::uint64_t self, std::uint64_t comm, std::uint64_t rank) const;
  // True where the communicator has that rank, also where nothing tells which process it means.
  bool has_rank(std::uint64_t self, std::uint64_t comm, std::uint64_t rank) const {
    return definitions_.has_rank(self, comm, rank);
  }
  // The rank in the reduced communicator, none where its process is left out.
  std::optional<std::uint64_t> new_rank(std::uint64_t self, std::uint64_t comm,
                                        std::uint64_t rank) const;

  // True where neither the recorder nor the scope of a metric is left out with nobody to stand for
  // it, so that its values can be told, and it is not of members.
  bool metric_stays(std::uint64_t metric) const {
    return (left_out_metrics_.empty() || !left_out_metrics_.contains(metric)) &&
           !is_of_members(metric);
  }

  // True for a metric by which an earlier reduction says how the processes differ that one stands
  // for. Its records do not stay: new ones count for both reductions.
  bool is_of_members(std::uint64_t metric) const {
    return !member_metrics_.empty() && member_metrics_.contains(metric);
  }
  bool has_member_metrics() const { return !member_metrics_.empty(); }

  // The communicator of a window, all bits set where it is not defined.
  std::uint64_t find_window_comm(std::uint64_t window) const;

  // True where no location is left out and no rank changes.
  bool keeps_all_ranks() const { return keeps_all_ranks_; }

  // The new place of each member of a group, none where it is left out. Processes that are there as
  // halo alone come last.
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
  // The endpoints of ranks of which a location is left out that sends or receives messages.
  std::unordered_set<std::uint64_t> incomplete_;
  // Those of processes of which only halo sends or receives messages.
  std::unordered_set<std::uint64_t> halo_endpoints_;
  std::unordered_set<std::uint64_t> left_out_metrics_, member_metrics_;
  std::unordered_set<std::uint64_t> shared_comms_;  // where there is a halo
  std::unordered_map<const Definition*, std::vector<std::uint32_t>> places_;
};

}  // namespace tracefold
