// The least number that is enough, where more mostly means better.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>

namespace tracefold {

// The least number from 1 to `most` of which is_enough(number) says so, or none. Numbers up to 32
// are all tried. Above these they are doubled until one is enough, and then those between it and
// the last that was not are tried in steps of a twentieth: the result is not far above the least
// one, even if some number is not enough although a smaller one is.
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
