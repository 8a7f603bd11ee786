// How much of a process's time a window leaves out, in which nothing is known of the process.
#pragma once

#include "model/iterations/loops.hpp"
#include "model/plan.hpp"

#include <algorithm>
#include <cstdint>

namespace tracefold {

// Ticks of the interval outside of the window that the filters have; 0 without a window.
inline std::uint64_t count_gaps(const std::vector<FilterSection>& filters, std::uint64_t location,
                                const Interval& interval) {
  const auto* window = find_window(filters);
  auto gaps = window ? interval.end - interval.begin : 0;
  if (gaps > 0)
    for (const auto& span : window->find_spans(location)) {
      const auto begin = std::max(span.begin, interval.begin);
      gaps -= std::max(std::min(span.end, interval.end), begin) - begin;
    }
  return gaps;
}

}  // namespace tracefold
