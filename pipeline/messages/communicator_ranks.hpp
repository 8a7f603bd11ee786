// MPI's communicators in world ranks: which of them a rank is in, and which processes their ranks
// mean. Immutable, shared by all threads.
//
// Memory: 4 bytes for each member of each communicator, twice.
#pragma once

#include "model/messages/communication.hpp"
#include "otf2/definitions.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace tracefold {

// The Cartesian topologies of MPI in the trace, each once.
std::vector<Grid> list_topologies(const Definitions& definitions);

// The location of each MPI rank, from COMM_LOCATIONS.
std::vector<std::uint64_t> list_endpoints(const Definitions& definitions);

// The nodes of the machine with the processes of MPI's ranks, by first rank.
std::vector<Node> list_nodes(const Definitions& definitions);

class CommunicatorRanks {
 public:
  explicit CommunicatorRanks(const Definitions& definitions);

  // P: the number of ranks in MPI's COMM_LOCATIONS.
  std::uint32_t size() const { return size_; }
  // Ascending by id.
  const std::vector<Communicator>& communicators() const { return communicators_; }

  // Whether it is an MPI communicator.
  bool has(std::uint64_t id) const;

  // A communicator as one of its ranks sees it.
  struct Seen {
    std::uint64_t id = 0;
    std::uint32_t number = 0;                           // its index among those of the rank
    const std::vector<std::uint32_t>* ranks = nullptr;  // world ranks by the ranks in records;
                                                        // null: only the rank itself
  };
  // The communicators of a world rank, ascending by id.
  std::vector<Seen> list_communicators(std::uint32_t rank) const;

 private:
  std::uint32_t size_ = 0;
  std::vector<Communicator> communicators_;
  // By id: whether records name the ranks of the communicator, and of its other side, by world
  // ranks (OTF2_GROUP_FLAG_GLOBAL_MEMBERS). Only where one of them is true.
  std::map<std::uint64_t, std::array<bool, 2>> by_world_rank_;
  std::vector<std::uint32_t> world_;                 // 0, 1, 2, …
  std::vector<std::vector<std::uint32_t>> by_rank_;  // indexes; without those of a single rank
  std::vector<std::uint32_t> selves_;
};

}  // namespace tracefold
