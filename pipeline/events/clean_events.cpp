#include "pipeline/events/clean_events.hpp"

#include <fmt/format.h>

#include <utility>

namespace tracefold {

void CallOddities::warn(Diagnostics& diagnostics, std::uint64_t location) const {
  const auto where = fmt::format("location {}", location);
  const std::pair<std::uint64_t, const char*> oddities[] = {
      {backward_times, "time stamps that step back were set to the last one"},
      {leaves_without_enter,
       "calls are left that were never entered; those Leave records were dropped"},
      {overlapping_calls,
       "calls overlap instead of nesting (a Leave names another region than the innermost open "
       "call)"},
      {calls_open_at_end, "calls still open at the end were closed at the last time stamp"},
      {calls_of_undefined_regions, "calls of undefined regions were dropped"}};

  for (auto [times, words] : oddities)
    if (times)
      diagnostics.warn(words, where, times);
}

}  // namespace tracefold
