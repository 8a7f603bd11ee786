// Clusters of ranks with similar communication.
//
// A main cluster has the ranks with equal sequences of (kind, call path). It is divided into
// sub-clusters, whose ranks also have equal peers (relative to their own rank, modulo P), equal
// operations of collectives, and similar bytes: in the order of ranks, a rank joins the first
// sub-cluster whose mean bytes per message differ by at most 5 %. Tags, roots and the bytes of
// collectives do not count. A rank whose events could not all be read is a cluster of its own.
//
// Pure functions. Sequences are compared completely; hashes only find candidates.
//
// Source: signatures 3.1 to 3.3; SCIENCE's notes on what reproduces the published counts.
#pragma once

#include "model/messages/communication.hpp"
#include "model/messages/signature.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace tracefold {

struct RankClusters {
  std::vector<std::uint32_t> main, sub;  // by index of Communication::ranks, numbered from 0
                                         // over the whole program, by first rank
  std::uint32_t mains = 0, subs = 0;
};

// At the main level, each main cluster has one sub-cluster. Functions named in `ignored` are
// removed from call paths. Throws Error(usage) where patterns of peers are to be compared without
// the order of operations.
RankClusters find_clusters(const Communication& communication, const SignatureOptions& options,
                           const std::set<std::string>& ignored = {});

// The main clusters with the order of operations: the number of each of Communication::ranks.
std::vector<std::uint32_t> find_main_clusters(const Communication& communication);

}  // namespace tracefold
