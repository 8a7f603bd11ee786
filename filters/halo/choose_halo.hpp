// Chooses which partners of kept processes stay as halo.
//
// Of each kept process those partners that exchange most bytes with it; of equal ones those with
// more messages, then with the lower id. Where the halo is bounded, partners that serve several
// kept processes come first, then those with most bytes, and who does not fit is left out.
//
// Deterministic, whatever the order of what comes in. Thread-safe.
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

// What a kept process and another one exchange. Processes are the ids of the locations that MPI's
// ranks mean.
struct PeerTraffic {
  std::uint64_t kept = 0, partner = 0;
  std::uint64_t messages = 0, bytes = 0;
};

auto list_members(Like<PeerTraffic> auto& traffic) {
  return std::tie(traffic.kept, traffic.partner, traffic.messages, traffic.bytes);
}

// A partner that may stay, with what it exchanges with all kept processes.
struct HaloCandidate {
  std::uint64_t process = 0;
  std::vector<std::uint64_t> kept;  // the processes that it serves, ascending
  std::uint64_t messages = 0, bytes = 0;
};

// The partners, at most so many of each kept process, in the order in which they are to be taken.
// Several entries of a pair add up.
std::vector<HaloCandidate> choose_candidates(const std::vector<PeerTraffic>& traffic,
                                             std::size_t most_per_process);

// The places, ascending, of those that fit into `room` when they are taken in their order;
// `sizes` is what each of them takes.
std::vector<std::size_t> take_fitting(const std::vector<std::uint64_t>& sizes, std::uint64_t room);

}  // namespace tracefold
