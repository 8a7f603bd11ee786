// A part of the time of a trace: one or several spans of it, the same of all locations or not.
// Plain data; times are in ticks, as events have them.
#pragma once

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
using TimeSpans = std::vector<TimeSpan>;  // ascending and apart, none of them empty
// A window has no more of them, of all locations together.
inline constexpr std::size_t most_spans = std::size_t{1} << 24;

bool are_ascending(const TimeSpans& spans);
// These two take the logarithm of the number of spans.
bool is_inside(const TimeSpans& spans, std::uint64_t time);
// Whether a call with this begin and end is open anywhere inside.
bool is_open_inside(const TimeSpans& spans, std::uint64_t begin, std::uint64_t end);
// What is in any of some spans.
TimeSpans join_spans(std::vector<TimeSpan> spans);

// A record inside a window of an operation that is not wholly inside.
struct CrossingRecord {
  std::uint64_t number = 0;  // among the location's records that are no calls
  EventKind kind{};
};
// By location that has any; in the order of its records.
using CrossingRecords = std::unordered_map<std::uint64_t, std::vector<CrossingRecord>>;

struct TimeWindow {
  TimeSpans spans = {};                         // of locations that have none of their own
  std::map<std::uint64_t, TimeSpans> own = {};  // by location; there may be nothing of one
  std::uint64_t first_event = 0;                // of the trace: people count from there
  // Null as long as they were not looked for (find_crossing.hpp). No plan holds them.
  std::shared_ptr<const CrossingRecords> crossing = nullptr;

  const TimeSpans& find_spans(std::uint64_t location) const {
    const auto found = own.find(location);
    return found == own.end() ? spans : found->second;
  }
  bool operator==(const TimeWindow& other) const {
    return spans == other.spans && own == other.own;
  }
};

// A border of a window as people give it: seconds from the first event of the trace on, or a share
// of the time from that to the last one.
struct AskedTime {
  double value = 0;  // seconds or percent
  bool is_percent = false;

  bool operator==(const AskedTime&) const = default;
};
struct AskedWindow {
  std::optional<AskedTime> begin, end;  // none: all that is before, or behind

  bool operator==(const AskedWindow&) const = default;
};

// Reads `A-B`, `-B` or `A-`, where A and B are as 2s, 350ms, 80us or 40%. Throws Error(usage).
AskedWindow parse_window(const std::string& text);

// The window in a trace with these first and last times. Throws Error(usage) where nothing is in
// it.
TimeWindow place_window(const AskedWindow& asked, std::uint64_t first, std::uint64_t last,
                        std::uint64_t ticks_per_second);

// What is in both. Throws Error(usage) where that is nothing of any location.
TimeWindow intersect(const TimeWindow& a, const TimeWindow& b);

}  // namespace tracefold
