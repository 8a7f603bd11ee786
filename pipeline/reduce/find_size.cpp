#include "pipeline/reduce/find_size.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr double near_enough = 0.9;
constexpr int most_measured = 10;

// The number at which a line through two sizes, or through the origin and one, takes so many bytes.
std::size_t guess(const std::optional<NumberSize>& one, const std::optional<NumberSize>& other,
                  std::uint64_t bytes) {
  const auto known = one ? *one : *other;
  double slope = static_cast<double>(known.bytes) / static_cast<double>(known.number);
  if (one && other && one->bytes != other->bytes && one->number != other->number)
    slope = (static_cast<double>(other->bytes) - static_cast<double>(one->bytes)) /
            (static_cast<double>(other->number) - static_cast<double>(one->number));
  const auto difference = static_cast<double>(bytes) - static_cast<double>(known.bytes);
  const auto number = slope > 0 ? static_cast<double>(known.number) + difference / slope
                                : 2.0 * static_cast<double>(known.number);
  return static_cast<std::size_t>(std::clamp(number, 1.0, 0x1p52));
}

}  // namespace

std::optional<NumberSize> find_size(std::size_t least, std::size_t first, std::size_t most,
                                    std::uint64_t bytes,
                                    FunctionRef<std::uint64_t(std::size_t)> measure,
                                    std::uint64_t& smallest) {
  std::optional<NumberSize> fits, exceeds, before;
  auto number = std::clamp(first, least, most);
  for (int k = 0;; ++k) {
    const NumberSize measured{number, measure(number)};
    if (measured.bytes <= bytes) {
      before = fits;
      fits = measured;
    } else {
      exceeds = measured;
    }

    if (exceeds && exceeds->number == least) {
      smallest = exceeds->bytes;
      return std::nullopt;
    }
    const auto highest = exceeds ? exceeds->number - 1 : most;
    const bool is_last = k + 1 >= most_measured;
    const auto lowest = fits ? fits->number + 1 : least;
    // Where sizes are no line, half of what is left is tried in between.
    const auto next = fits && exceeds && k % 2 == 1
                          ? (fits->number + exceeds->number) / 2
                          : guess(fits, exceeds ? exceeds : before, bytes);
    const bool is_near =
        fits && static_cast<double>(fits->bytes) >= near_enough * static_cast<double>(bytes);
    if (fits && (lowest > highest || is_last || (is_near && (exceeds || before) && next < lowest)))
      return fits;
    number = is_last ? least : std::clamp(next, lowest, highest);
  }
}

}  // namespace tracefold
