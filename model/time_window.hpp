// A part of the time of a trace: one or several spans, the same for all locations or not. Plain
// data; times are in ticks, as in events.
#pragma once

#include "base/packed_values.hpp"
#include "otf2/event.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

// From `begin` up to, not at, `end`.
inline constexpr std::uint64_t no_end = ~std::uint64_t{0};
struct TimeSpan {
  std::uint64_t begin = 0, end = 0;

  auto operator<=>(const TimeSpan&) const = default;
};
auto list_members(Like<TimeSpan> auto& span) {
  return std::tie(span.begin, span.end);
}
using TimeSpans = std::vector<TimeSpan>;  // ascending and apart, none of them empty
// The largest number of spans of a window, over all locations.
inline constexpr std::size_t most_spans = std::size_t{1} << 24;

bool are_ascending(const TimeSpans& spans);
// The next two take logarithmic time in the number of spans.
bool is_inside(const TimeSpans& spans, std::uint64_t time);
// Whether a call with this beginning and end is open at any time inside of the spans.
bool is_open_inside(const TimeSpans& spans, std::uint64_t begin, std::uint64_t end);
// The union of spans.
TimeSpans join_spans(std::vector<TimeSpan> spans);

// A record inside of a window that belongs to an operation which is not completely inside.
struct CrossingRecord {
  std::uint64_t number = 0;  // index among the location's records other than calls
  EventKind kind{};
};
// By location that has any; in the order of records.
using CrossingRecords = std::unordered_map<std::uint64_t, std::vector<CrossingRecord>>;

struct TimeWindow {
  TimeSpans spans = {};                         // for locations without spans of their own
  std::map<std::uint64_t, TimeSpans> own = {};  // by location; may be empty for one
  std::uint64_t first_event = 0;                // of the trace; users count from here
  // Null until they were searched for (find_crossing.hpp). Not stored in plans.
  std::shared_ptr<const CrossingRecords> crossing = nullptr;

  const TimeSpans& find_spans(std::uint64_t location) const {
    const auto found = own.find(location);
    return found == own.end() ? spans : found->second;
  }
  bool operator==(const TimeWindow& other) const {
    return spans == other.spans && own == other.own;
  }
};

// A border of a window as the user gives it: seconds from the first event of the trace, or a
// percentage of the time from the first to the last event.
struct AskedTime {
  double value = 0;  // seconds or percent
  bool is_percent = false;

  bool operator==(const AskedTime&) const = default;
};
struct AskedWindow {
  std::optional<AskedTime> begin, end;  // none: from the first event, or to the last

  bool operator==(const AskedWindow&) const = default;
};

// Reads `A-B`, `-B` or `A-`, with A and B such as 2s, 350ms, 80us or 40%. Throws Error(usage).
AskedWindow parse_window(const std::string& text);

// Reads a length of time above 0, such as 1us or 0.5ms, in seconds. Throws Error(usage).
double parse_length(const std::string& text);

// The window in a trace with this first and last time. Throws Error(usage) where the window is
// empty.
TimeWindow place_window(const AskedWindow& asked, std::uint64_t first, std::uint64_t last,
                        std::uint64_t ticks_per_second);

// The intersection. Throws Error(usage) where it is empty for all locations.
TimeWindow intersect(const TimeWindow& a, const TimeWindow& b);

}  // namespace tracefold
