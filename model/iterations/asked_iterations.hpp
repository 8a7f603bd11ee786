// What the user defines as the iterations of a program. Plain data.
//
// Source: dynamics 3 (iterations may be defined from outside).
#pragma once

#include <cstddef>
#include <string>

namespace tracefold {

// Without any value, the iterations are marked by the program or searched for.
struct AskedIterations {
  std::string region = {};    // glob: the instances of these regions are the iterations
  std::string begin_at = {};  // glob: an iteration begins at a call of these functions:
  std::size_t every = 1;      // at the first one and, counted from there, every so many

  bool empty() const { return region.empty() && begin_at.empty(); }

  bool operator==(const AskedIterations&) const = default;
};

}  // namespace tracefold
