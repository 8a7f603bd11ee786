// MPI's communicators by world ranks: which of them a rank is in, and whom their ranks mean.
// Immutable after construction; shared by all threads.
//
// Memory: 4 bytes for each member of each communicator, twice.
#pragma once

#include "model/messages/communication.hpp"
#include "otf2/definitions.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tracefold {

// The Cartesian topologies of MPI that are defined, each once.
std::vector<Grid> list_topologies(const Definitions& definitions);

// By rank of MPI: the location that its ranks mean, as COMM_LOCATIONS lists it.
std::vector<std::uint64_t> list_endpoints(const Definitions& definitions);

// The nodes of the machine that the processes of MPI's ranks stand below, by first ranks.
std::vector<Node> list_nodes(const Definitions& definitions);

class CommunicatorRanks {
 public:
  explicit CommunicatorRanks(const Definitions& definitions);

  // P: how many ranks MPI's COMM_LOCATIONS lists.
  std::uint32_t size() const { return size_; }
  // Ascending by id.
  const std::vector<Communicator>& communicators() const { return communicators_; }

  // Whether a communicator is one of MPI.
  bool has(std::uint64_t id) const;

  // A communicator as one of its ranks knows it.
  struct Seen {
    std::uint64_t id = 0;
    std::uint32_t number = 0;                           // the how manieth that the rank is in
    const std::vector<std::uint32_t>* ranks = nullptr;  // world ranks by the ranks of records;
                                                        // null: the rank alone
  };
  // Those that a world rank is in, ascending by id.
  std::vector<Seen> list_communicators(std::uint32_t rank) const;

 private:
  std::uint32_t size_ = 0;
  std::vector<Communicator> communicators_;
  std::vector<std::vector<std::uint32_t>> by_rank_;  // indexes; those of one rank alone apart
  std::vector<std::uint32_t> selves_;
};

}  // namespace tracefold
