// The largest of several things, in their order. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace tracefold {

// Of ascending numbers at most so many, those with the largest measure, ascending; of equal ones
// the first.
template <class Measure>
std::vector<std::size_t> choose_largest(std::vector<std::size_t> numbers, std::size_t most,
                                        const Measure& measure) {
  if (numbers.size() <= most)
    return numbers;
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](std::size_t a, std::size_t b) { return measure(a) > measure(b); });
  numbers.resize(most);
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace tracefold
