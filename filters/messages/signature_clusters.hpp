// Clusters of ranks that communicate alike.
//
// A main cluster holds the ranks with equal sequences of (kind, call path). It is divided into
// sub-clusters, whose ranks also have equal peers (relative to the own rank, modulo P), equal
// operations of collectives, and about equal bytes: in the order of ranks, a rank joins the first
// sub-cluster whose mean of bytes per message is within 5 % of its own. Tags, roots and the bytes
// of collectives do not count. Each rank of which not all events could be read is one cluster.
//
// Pure functions. Sequences are compared in full; hashes only choose which ones to compare.
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
  std::vector<std::uint32_t> main, sub;  // of each of Communication::ranks, numbered from 0
                                         // over the whole program, by first ranks
  std::uint32_t mains = 0, subs = 0;
};

// At the main level each main cluster has one sub-cluster. Throws Error(usage) where patterns
// of peers are asked for and the order of operations is to be ignored.
// Call paths are compared without functions of the names in `ignored`.
RankClusters find_clusters(const Communication& communication, const SignatureOptions& options,
                           const std::set<std::string>& ignored = {});

// The main clusters in the order kept: for each of Communication::ranks its number.
std::vector<std::uint32_t> find_main_clusters(const Communication& communication);

}  // namespace tracefold
