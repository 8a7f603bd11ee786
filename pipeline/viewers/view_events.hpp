// The two readings of a location for a file for viewers: the survey finds what has to be known
// before the first event is written, then the events are handed to a part of the file.
//
// Shown are calls, messages where they are sent and received, collective operations where they end,
// and values of metrics. What belongs to a message or a collective besides, such as when a receive
// was posted, is a part of it; all other records are left out and counted.
//
// One location, one thread.
#pragma once

#include "model/viewers/view_writer.hpp"
#include "otf2/event.hpp"
#include "otf2/otf2_values.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/viewers/make_view.hpp"
#include "pipeline/viewers/message_links.hpp"
#include "pipeline/viewers/view_clock.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace tracefold {

// Whether viewers see records of a kind, be it as parts of what they see.
constexpr bool is_shown(EventKind kind) {
  using enum EventKind;
  switch (kind) {
    case Enter:
    case Leave:
    case CallingContextEnter:
    case CallingContextLeave:
    case MpiSend:
    case MpiIsend:
    case MpiIsendComplete:
    case MpiIrecvRequest:
    case MpiRecv:
    case MpiIrecv:
    case MpiRequestTest:
    case MpiRequestCancelled:
    case MpiCollectiveBegin:
    case MpiCollectiveEnd:
    case NonBlockingCollectiveRequest:
    case NonBlockingCollectiveComplete:
    case Metric: return true;
    default: return false;
  }
}

// A value of a Metric record; none where viewers could not show it.
inline std::optional<ViewValue> read_view_value(std::uint64_t type, std::uint64_t bits) {
  switch (type) {
    case otf2_value::type_int64: return static_cast<std::int64_t>(bits);
    case otf2_value::type_double: {
      const auto value = std::bit_cast<double>(bits);
      return std::isfinite(value) ? std::optional<ViewValue>(value) : std::nullopt;
    }
    default: return bits;
  }
}

// Calls visit(member, type, bits) for each value of a Metric record.
template <class Visit>
void for_each_value(const Event& metric, Visit&& visit) {
  const auto values = metric.list.size() / 2;  // behind as many types
  for (std::size_t m = 0; m < values; ++m)
    visit(m, metric.list[m], metric.list[values + m]);
}

// An EventSink.
class ViewSurveySink {
 public:
  ViewSurveySink(const Definitions& definitions, std::uint64_t location)
      : messages_(definitions, location) {}

  void enter(std::uint64_t time, std::uint64_t, std::span<const Attribute>) { see(time); }
  void leave(std::uint64_t time, std::uint64_t, std::span<const Attribute>) { see(time); }
  void unknown(std::uint64_t time) {
    see(time);
    ++found_.unknown;
  }
  void other(Event& event) {
    see(event.time);
    messages_.add(event);
    if (event.kind == EventKind::Metric)
      see_metric(event);
    else if (!is_shown(event.kind))
      ++found_.left_out[static_cast<std::size_t>(event.kind)];
  }

  const ViewSurvey& found() const { return found_; }
  MessageCounts take_messages() { return messages_.take(); }

 private:
  void see(std::uint64_t time) {
    if (!found_.first_time)
      found_.first_time = time;
  }
  void see_metric(const Event& event) {
    found_.metrics.insert(get_field<"metric", EventKind::Metric>(event));
    for_each_value(event, [&](std::size_t, std::uint64_t type, std::uint64_t bits) {
      found_.not_finite += !read_view_value(type, bits);
    });
  }

  MessageCounter messages_;
  ViewSurvey found_;
};

// A CleanEventSink. All arguments have to stay.
class ViewSink {
 public:
  ViewSink(const PlacedView& placed, const Definitions& definitions, const ViewClock& clock,
           const MessageLinks& links, std::size_t thread, std::uint64_t location, ViewPart& part)
      : placed_(placed),
        definitions_(definitions),
        clock_(clock),
        messages_(links, thread, definitions, location),
        thread_(thread),
        location_(location),
        is_stream_(get_field<"locationType", DefinitionKind::Location>(*definitions.find(
                       Ref::location, location)) == otf2_value::location_type_accelerator),
        part_(part) {}

  void enter(const CallBegin& call, std::span<const Attribute>) {
    if (const auto function = placed_.functions.find(call.region)) {
      const auto lane = is_stream_ ? find_free_lane() : 0;
      open_.push_back({*function, lane});
      part_.enter(clock_.find_nanoseconds(call.time), *function, lane);
    }
  }
  // Tools write calls that overlap: the innermost one ends, whatever the record names, but on
  // accelerators the oldest one of the function that it names.
  void leave(const CallEnd& call, std::span<const Attribute>) {
    if (open_.empty())
      return;
    auto ended = open_.end() - 1;
    if (is_stream_)
      if (const auto named = find_oldest(call.region); named != open_.end())
        ended = named;
    part_.leave(clock_.find_nanoseconds(call.time), ended->function, ended->lane);
    open_.erase(ended);
  }
  void other(const Event& event) {
    using enum EventKind;
    switch (event.kind) {
      case MpiSend:
      case MpiIsend:
      case MpiRecv:
      case MpiIrecv: put_message(event); break;
      case MpiCollectiveEnd:
      case NonBlockingCollectiveComplete: put_collective(event); break;
      case Metric: put_metric(event); break;
      default: break;
    }
  }
  void unknown(std::uint64_t) {}

 private:
  struct Open {
    std::size_t function = 0, lane = 0;
  };

  std::size_t find_free_lane() const {
    std::size_t lane = 0;
    while (std::any_of(open_.begin(), open_.end(), [&](const Open& o) { return o.lane == lane; }))
      ++lane;
    return lane;
  }
  std::vector<Open>::iterator find_oldest(std::uint64_t region) {
    const auto function = placed_.functions.find(region);
    return std::find_if(open_.begin(), open_.end(),
                        [&](const Open& open) { return function == open.function; });
  }

  void put_message(const Event& event);
  void put_collective(const Event& event);
  void put_metric(const Event& event);

  const PlacedView& placed_;
  const Definitions& definitions_;
  const ViewClock& clock_;
  MessageNumbers messages_;
  std::size_t thread_;
  std::uint64_t location_;
  bool is_stream_;
  ViewPart& part_;
  std::vector<Open> open_;  // by begin
};

}  // namespace tracefold
