// Which processes an expanded trace has: those that kept locations of a reduced trace stand for, or
// some of them; how they are named and numbered, and whose calls they follow.
//
// Processes of MPI come first, by rank, then others, then accelerators; within a process the order
// is that of the original ids. Immutable once made; any thread may ask.
//
// Source: docs/design.md, the rules "dense ids" and "what a location stands for".
#pragma once

#include "model/location_list.hpp"
#include "otf2/definitions.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct Plan;

// What the name of everything that is expanded begins with.
inline constexpr const char* expanded_mark = "≈ ";

struct ExpandedProcess {
  std::string name;
  std::uint64_t type = 0;             // OTF2_LocationGroupType
  std::optional<std::uint32_t> rank;  // in MPI, the first where it has several
};

struct ExpandedLocation {
  std::uint64_t source = 0;  // id in the first original; its place is its new id
  std::uint64_t kept = 0;    // the location of the reduced trace that it follows
  std::string name;
  std::uint64_t type = 0;  // OTF2_LocationType
  std::size_t process = 0;
  std::optional<std::uint32_t> rank;   // in MPI, which it belongs to
  std::optional<std::uint8_t> thread;  // which of its rank's locations with operations it is
};

struct ExpandedProcesses {
  std::vector<ExpandedProcess> processes;   // in their new order
  std::vector<ExpandedLocation> locations;  // in their new order
  std::vector<std::size_t> endpoints;       // by world rank: place in `locations`, or no_endpoint
  static constexpr std::size_t no_endpoint = ~std::size_t{0};
  std::vector<bool> is_there;     // by world rank: all locations with operations
  std::uint64_t in_original = 0;  // locations
};

// `plan` is the one beside the reduced trace, with messages; `chosen` are locations
// of the first original, by ids, ranks or groups of the last reduction; none: all. Throws
// Error(usage) where one of them is not stood for, Error(input) where the properties of the
// reduction are wrong.
ExpandedProcesses choose_expanded(const Definitions& reduced, const Plan& plan,
                                  bool was_reduced_once, const std::optional<LocationList>& chosen);

}  // namespace tracefold
