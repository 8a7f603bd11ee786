// Finds the least number that is enough, where larger numbers are mostly better.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

namespace tracefold {

// Returns the least number from 1 to `most` for which is_enough(number) is true, or none. All
// numbers up to 32 are tried. Above that the number is doubled until it is enough, and then tried
// again from the last that was too small, in steps of a twentieth. So the result is near the least
// one, even if is_enough() is not monotonic.
template <class IsEnough>
std::optional<std::size_t> find_least(std::size_t most, IsEnough&& is_enough) {
  constexpr std::size_t all_tried = 32, steps = 20;
  for (std::size_t number = 1; number <= std::min(most, all_tried); ++number)
    if (is_enough(number))
      return number;

  auto too_few = all_tried;
  while (too_few < most) {
    const auto enough = std::min(2 * too_few, most);
    if (!is_enough(enough)) {
      too_few = enough;
      continue;
    }
    for (auto number = too_few + std::max<std::size_t>(too_few / steps, 1); number < enough;
         number += std::max<std::size_t>(number / steps, 1))
      if (is_enough(number))
        return number;
    return enough;
  }

  return std::nullopt;
}

}  // namespace tracefold
