// The Cartesian topologies that a trace defines, as it defines them. What a rank without a place,
// with several or with one outside of the topology means is decided by who reads them. Thread-safe.
//
// Source: OTF2 3.0, OTF2_GlobalDefReader_WriteCartTopology.
#pragma once

#include "model/program/program_profiles.hpp"
#include "otf2/definitions.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

struct CartTopology {
  // As recorded: the communicator may not have the rank, or the topology not have the coordinates.
  struct Place {
    std::uint64_t rank = 0;                                   // in the communicator
    const std::vector<std::uint64_t>* coordinates = nullptr;  // one for each axis
  };

  std::string name;
  std::vector<ProgramTopology::Axis> axes;  // of size 0 where the dimension is not defined
  // The ranks of the communicator; null where it is not defined, or one between two groups.
  const Definition* group = nullptr;
  std::vector<Place> places;  // in the order of their definitions

  // Whether there is a coordinate for each axis, and each is below the size of its axis.
  bool has(const std::vector<std::uint64_t>& coordinates) const;
};

// In the order of their definitions. They point into `definitions`, which must outlive them.
std::vector<CartTopology> list_cart_topologies(const Definitions& definitions);

}  // namespace tracefold
