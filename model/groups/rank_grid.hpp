// The grid that the ranks of a program form. Plain data.
#pragma once

#include <cstdint>

namespace tracefold {

struct GridAxis {
  std::uint64_t size = 1;
  bool periodic = false;  // the last rank along it is a neighbour of the first one

  bool operator==(const GridAxis&) const = default;
};

}  // namespace tracefold
