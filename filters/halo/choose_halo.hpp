// Chooses the partners of kept processes that stay as halo.
//
// For each kept process, these are the partners with most bytes, then most messages, then the
// lowest id. If the halo is bounded, partners of several kept processes come first, then those with
// most bytes, and those beyond the bound are left out.
//
// Deterministic, for any order of the input. Thread-safe.
//
// Source: docs/design.md, the rule "halo".
#pragma once

#include "base/packed_values.hpp"
#include "model/halo/halo_section.hpp"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <vector>

namespace tracefold {

// What a kept process and another one exchange. Processes are the location ids of MPI ranks.
struct PeerTraffic {
  std::uint64_t kept = 0, partner = 0;
  std::uint64_t messages = 0, bytes = 0;
};

auto list_members(Like<PeerTraffic> auto& traffic) {
  return std::tie(traffic.kept, traffic.partner, traffic.messages, traffic.bytes);
}

// A possible halo process, with what it exchanges with all kept processes.
struct HaloCandidate {
  std::uint64_t process = 0;
  std::vector<std::uint64_t> kept;  // its kept partners, ascending
  std::uint64_t messages = 0, bytes = 0;
};

// The candidates in the order of preference, at most so many for each kept process. Several entries
// of one pair are added up.
std::vector<HaloCandidate> choose_candidates(const std::vector<PeerTraffic>& traffic,
                                             std::size_t most_per_process);

// The indexes, ascending, of the candidates that fit into `room` when taken in order. `sizes` are
// their sizes.
std::vector<std::size_t> take_fitting(const std::vector<std::uint64_t>& sizes, std::uint64_t room);

}  // namespace tracefold
