#include "model/time_window.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

namespace tracefold {

namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& reason) {
  throw Error(ErrorKind::usage, fmt::format("time '{}': {}", text, reason))
      .hint("as in 2s-3.5s, 40%-60%, -10s or 800ms-");
}

std::optional<AskedTime> parse_time(std::string_view word, const std::string& text) {
  if (word.empty())
    return std::nullopt;

  constexpr std::array<std::pair<std::string_view, double>, 5> units{
      {{"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"s", 1}, {"%", 1}}};
  const auto unit = std::find_if(units.begin(), units.end(),
                                 [&](const auto& one) { return word.ends_with(one.first); });
  if (unit == units.end())
    refuse(text, fmt::format("'{}' has no unit, which is s, ms, us, ns or %", word));

  const auto number = word.substr(0, word.size() - unit->first.size());
  AskedTime time;
  time.is_percent = unit->first == "%";
  const auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(),
                                              time.value, std::chars_format::fixed);
  const bool is_number =
      problem == std::errc{} && end == number.data() + number.size() && time.value >= 0;
  if (!is_number)
    refuse(text, fmt::format("'{}' is no number", number));
  if (time.is_percent && time.value > 100)
    refuse(text, "there are 100 %");

  time.value *= unit->second;
  return time;
}

std::uint64_t place(const AskedTime& asked, std::uint64_t first, std::uint64_t last,
                    std::uint64_t ticks_per_second) {
  const auto ticks = asked.is_percent ? asked.value / 100 * static_cast<double>(last - first)
                                      : asked.value * static_cast<double>(ticks_per_second);
  constexpr double most = 9e18;
  return first + static_cast<std::uint64_t>(std::llround(std::min(ticks, most)));
}

TimeSpans intersect_spans(const TimeSpans& a, const TimeSpans& b) {
  TimeSpans both;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const TimeSpan span{std::max(a[i].begin, b[j].begin), std::min(a[i].end, b[j].end)};
    if (span.begin < span.end)
      both.push_back(span);
    ++(a[i].end < b[j].end ? i : j);
  }

  return both;
}

// The first span that begins behind a time.
TimeSpans::const_iterator find_behind(const TimeSpans& spans, std::uint64_t time) {
  return std::upper_bound(
      spans.begin(), spans.end(), time,
      [](std::uint64_t moment, const TimeSpan& span) { return moment < span.begin; });
}

[[noreturn]] void throw_nothing_left() {
  throw Error(ErrorKind::usage, "nothing of the trace's time is left")
      .hint("the parts of it that are asked for have nothing in common");
}

}  // namespace

bool are_ascending(const TimeSpans& spans) {
  for (std::size_t i = 0; i < spans.size(); ++i)
    if (spans[i].begin >= spans[i].end || (i > 0 && spans[i - 1].end >= spans[i].begin))
      return false;
  return true;
}

bool is_inside(const TimeSpans& spans, std::uint64_t time) {
  const auto behind = find_behind(spans, time);
  return behind != spans.begin() && time < std::prev(behind)->end;
}

bool is_open_inside(const TimeSpans& spans, std::uint64_t begin, std::uint64_t end) {
  const auto behind = find_behind(spans, begin);
  return (behind != spans.end() && behind->begin < end) || is_inside(spans, begin);
}

TimeSpans join_spans(std::vector<TimeSpan> spans) {
  std::sort(spans.begin(), spans.end());
  TimeSpans joined;
  for (const auto& span : spans)
    if (span.begin >= span.end)
      continue;
    else if (joined.empty() || joined.back().end < span.begin)
      joined.push_back(span);
    else
      joined.back().end = std::max(joined.back().end, span.end);

  return joined;
}

AskedWindow parse_window(const std::string& text) {
  const auto dash = text.find('-');
  if (dash == std::string::npos || text.size() == 1)
    refuse(text, "it is to be A-B, -B or A-");

  const std::string_view whole = text;
  AskedWindow asked{parse_time(whole.substr(0, dash), text),
                    parse_time(whole.substr(dash + 1), text)};
  const bool is_same_kind =
      asked.begin && asked.end && asked.begin->is_percent == asked.end->is_percent;
  if (is_same_kind && asked.begin->value >= asked.end->value)
    refuse(text, "it ends where it begins, or before");

  return asked;
}

double parse_length(const std::string& text) {
  std::optional<AskedTime> length;
  try {
    length = parse_time(text, text);
  } catch (const Error&) {}
  if (!length || length->is_percent || length->value <= 0)
    throw Error(ErrorKind::usage, fmt::format("'{}' is no time above 0 with its unit", text))
        .hint("as in 1us or 0.5ms");
  return length->value;
}

TimeWindow place_window(const AskedWindow& asked, std::uint64_t first, std::uint64_t last,
                        std::uint64_t ticks_per_second) {
  // Markers may be before the first event and behind the last one.
  TimeSpan span{0, no_end};
  if (asked.begin && asked.begin->value > 0)
    span.begin = place(*asked.begin, first, last, ticks_per_second);
  const bool is_to_the_end = !asked.end || (asked.end->is_percent && asked.end->value == 100);
  if (!is_to_the_end)
    span.end = place(*asked.end, first, last, ticks_per_second);

  const auto hint =
      fmt::format("the trace takes {:.6g} s, from its first event to its last",
                  static_cast<double>(last - first) / static_cast<double>(ticks_per_second));
  if (span.begin > last)
    throw Error(ErrorKind::usage, "the trace is over before the time that is asked for").hint(hint);
  if (span.begin >= span.end || span.end <= first)
    throw Error(ErrorKind::usage, "the time that is asked for ends where it begins, or before")
        .hint(hint);

  return {{span}, {}, first, nullptr};
}

TimeWindow intersect(const TimeWindow& a, const TimeWindow& b) {
  TimeWindow both{intersect_spans(a.spans, b.spans), {}, a.first_event, nullptr};
  for (const auto* window : {&a, &b})
    for (const auto& [location, spans] : window->own)
      both.own[location] = intersect_spans(a.find_spans(location), b.find_spans(location));

  if (both.spans.empty() && std::all_of(both.own.begin(), both.own.end(),
                                        [](const auto& own) { return own.second.empty(); }))
    throw_nothing_left();
  return both;
}

}  // namespace tracefold
