// Finds values that are much larger than others. Pure.
#pragma once

#include <cstddef>
#include <vector>

namespace tracefold {

// The places of such values, ascending. `are_clear` is false if the others follow closely; then it
// is only the largest value.
struct Outliers {
  std::vector<std::size_t> places;
  bool are_clear = false;
};
Outliers find_largest(const std::vector<double>& values);

}  // namespace tracefold
