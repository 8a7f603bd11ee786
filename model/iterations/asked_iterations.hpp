// What the user says the iterations of a program are. Plain data.
//
// Source: dynamics 3 (what an iteration is may be said from outside).
#pragma once

#include <cstddef>
#include <string>

namespace tracefold {

// Nothing: the program marks its iterations, or they are found.
struct AskedIterations {
  std::string region = {};    // glob: the instances of these regions are the iterations
  std::string begin_at = {};  // glob: an iteration begins at a call of these functions:
  std::size_t every = 1;      // at the first one and, counted from there, every so many

  bool empty() const { return region.empty() && begin_at.empty(); }

  bool operator==(const AskedIterations&) const = default;
};

}  // namespace tracefold
