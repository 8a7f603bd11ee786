// Values that stand out from others. Pure.
#pragma once

#include <cstddef>
#include <vector>

namespace tracefold {

// Of values of which some stand out: the places of these, ascending, if others do not follow
// closely; the largest one alone where none stand out clearly.
struct Outliers {
  std::vector<std::size_t> places;
  bool are_clear = false;
};
Outliers find_largest(const std::vector<double>& values);

}  // namespace tracefold
