#include "pipeline/events/window_reader.hpp"

#include "model/plan.hpp"
#include "otf2/event_reader.hpp"
#include "otf2/measurement_modes.hpp"
#include "otf2/otf2_values.hpp"
#include "pipeline/events/unwind_distances.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

using MemberMode = WindowReader::MemberMode;
using MetricModes = WindowReader::MetricModes;

std::uint64_t subtract(std::uint64_t type, std::uint64_t a, std::uint64_t b) {
  if (type != otf2_value::type_double)
    return a - b;
  return std::bit_cast<std::uint64_t>(std::bit_cast<double>(a) - std::bit_cast<double>(b));
}

// Whether a counter began anew; an unsigned one that passes 2^64 goes on.
bool goes_down(std::uint64_t type, std::uint64_t before, std::uint64_t after) {
  switch (type) {
    case otf2_value::type_double:
      return std::bit_cast<double>(after) < std::bit_cast<double>(before);
    case otf2_value::type_uint64: return after < before && !(before >> 63);
    default: return static_cast<std::int64_t>(after) < static_cast<std::int64_t>(before);
  }
}

bool holds_number(std::uint64_t type, std::uint64_t value) {
  return type != otf2_value::type_double || std::isfinite(std::bit_cast<double>(value));
}

// A counter that accumulates, without what it grew by outside. Where that is nothing, values stay.
class Counter {
 public:
  // What it shows in place of a value.
  std::uint64_t take(std::uint64_t type, std::uint64_t value, bool from_outside) {
    if (!holds_number(type, value))
      return value;

    if (type != type_)
      *this = Counter();
    else if (from_outside || (left_out_ != 0 && goes_down(type, recorded_, value)))
      left_out_ = subtract(type, value, shown_);
    type_ = type;
    recorded_ = value;
    shown_ = left_out_ == 0 ? value : subtract(type, value, left_out_);
    return shown_;
  }

 private:
  std::uint64_t type_ = 0;                  // of the following; 0: there was no value yet
  std::uint64_t recorded_ = 0, shown_ = 0;  // the last value
  std::uint64_t left_out_ = 0;              // between them
};

// The clean events of a location inside a window, as records.
class WindowedEvents {
 public:
  WindowedEvents(const WindowReader& reader, std::uint64_t location, EventReceiver& next)
      : reader_(reader),
        spans_(reader.window().find_spans(location)),
        crossing_(reader.find_crossing(location)),
        next_(next),
        distances_(reader.functions().contexts()) {}

  void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    if (reaches(call.time))
      next_.enter(call.time, call.region, attributes);
    if (!is_over())
      open_.push_back({false, call.region, {attributes.begin(), attributes.end()}});
  }

  void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    if (reaches(call.time, Ends::a_call))
      next_.leave(call.time, call.region, attributes);
    if (!is_over())
      end_call();
  }

  void other(Event& event) {
    const auto number = others_++;
    const bool is_inside = reaches(event.time, find_end(event));
    follow_recorder(event);
    if (!is_inside) {
      if (!is_over())
        pass_over(event);
      return;
    }

    follow_contexts(event);
    if (crosses(number))
      return;
    distances_.mend(event);
    if (event.kind == EventKind::Metric)
      leave_out_growth(event, false);
    pass_on(event);
  }

  void unknown(std::uint64_t time) {
    if (reaches(time))
      next_.unknown(time);
  }

 private:
  struct Open {
    bool is_context = false;
    std::uint64_t id = 0;  // of the region, or the context
    std::vector<Attribute> attributes;
  };

  bool is_over() const { return span_ == spans_.size(); }

  // What is over with a record.
  enum class Ends : std::uint8_t { nothing, a_call, a_count };

  Ends find_end(const Event& event) const {
    if (event.kind == EventKind::CallingContextLeave)
      return Ends::a_call;
    if (event.kind != EventKind::Metric)
      return Ends::nothing;
    const auto* modes = find_modes(event);
    return modes && modes->has_counters ? Ends::a_count : Ends::nothing;
  }

  const MetricModes* find_modes(const Event& metric) const {
    return reader_.find_modes(get_field<"metric", EventKind::Metric>(metric));
  }
  // The list holds the type of each value, then the values.
  static std::span<std::uint64_t> list_values(Event& metric) {
    return std::span(metric.list).subspan(metric.list.size() / 2);
  }

  // True where the time of a record is inside. Opens and closes spans on the way there. What is
  // over right where a span begins is before it. Calls that are over right where one ends are left
  // by close().
  bool reaches(std::uint64_t time, Ends ends = Ends::nothing) {
    while (!is_over()) {
      const auto& span = spans_[span_];
      if (is_inside_) {
        if (time < span.end || (time == span.end && ends == Ends::a_count))
          return true;
        close(span.end);
        is_inside_ = false;
        ++span_;
      } else {
        if (time < span.begin || (time == span.begin && time > 0 && ends != Ends::nothing))
          return false;
        begin(span.begin);
        is_inside_ = true;
      }
    }

    return false;
  }

  void begin(std::uint64_t time) {
    for (auto& [metric, event] : std::exchange(metrics_, {}))
      restate(event, time);

    std::uint64_t depth = 0;
    for (const auto& open : open_)
      if (open.is_context)
        depth = enter_context(time, open, depth);
      else
        next_.enter(time, open.id, open.attributes);
    distances_.begin_with(depth);
    if (is_off_)
      switch_recording(time, otf2_value::measurement_off);
    else if (flushed_ > time)
      restate_flush(time);
  }

  // What the recorder did before a span goes on in it.
  void follow_recorder(const Event& event) {
    using enum EventKind;
    if (event.kind == MeasurementOnOff)
      is_off_ =
          get_field<"measurementMode", MeasurementOnOff>(event) == otf2_value::measurement_off;
    else if (event.kind == BufferFlush)
      flushed_ = get_field<"stopTime", BufferFlush>(event);
  }
  void switch_recording(std::uint64_t time, std::uint64_t mode) {
    Event event;
    event.kind = EventKind::MeasurementOnOff;
    event.time = time;
    get_field<"measurementMode", EventKind::MeasurementOnOff>(event) = mode;
    pass_on(event);
  }
  void restate_flush(std::uint64_t time) {
    Event event;
    event.kind = EventKind::BufferFlush;
    event.time = time;
    get_field<"stopTime", EventKind::BufferFlush>(event) = flushed_;
    pass_on(event);
  }

  void restate(Event& metric, std::uint64_t time) {
    metric.time = time;
    const auto values = list_values(metric);
    const auto* modes = find_modes(metric);
    for (std::size_t k = 0; modes && k < std::min(values.size(), modes->members.size()); ++k)
      if (modes->members[k] == MemberMode::increment)
        values[k] = 0;
    leave_out_growth(metric, true);
    pass_on(metric);
  }

  // Takes from the values of counters that accumulate what they grew by outside, which a record
  // `from_outside` tells. What goes down begins anew, and has not grown either.
  void leave_out_growth(Event& metric, bool from_outside) {
    const auto* modes = find_modes(metric);
    if (!modes || !modes->has_values || !modes->has_counters)
      return;

    const auto values = list_values(metric);
    auto& counters = counters_[get_field<"metric", EventKind::Metric>(metric)];
    counters.resize(std::max(counters.size(), values.size()));
    for (std::size_t k = 0; k < std::min(values.size(), modes->members.size()); ++k)
      if (modes->members[k] == MemberMode::accumulates)
        values[k] = counters[k].take(metric.list[k], values[k], from_outside);
  }

  // Returns how many calls are open then, of which `depth` were before.
  std::uint64_t enter_context(std::uint64_t time, const Open& open, std::uint64_t depth) {
    using enum EventKind;
    const auto calls = reader_.functions().contexts().find_depth(open.id);
    Event event;
    event.kind = CallingContextEnter;
    event.time = time;
    event.attributes = open.attributes;
    get_field<"callingContext", CallingContextEnter>(event) = open.id;
    get_field<"unwindDistance", CallingContextEnter>(event) =
        calls - std::min<std::uint64_t>(depth, calls) + 1;
    pass_on(event);
    return calls;
  }

  void close(std::uint64_t time) {
    using enum EventKind;
    for (auto open = open_.rbegin(); open != open_.rend(); ++open) {
      if (!open->is_context) {
        next_.leave(time, open->id, {});
        continue;
      }
      Event event;
      event.kind = CallingContextLeave;
      event.time = time;
      get_field<"callingContext", CallingContextLeave>(event) = open->id;
      pass_on(event);
    }
    if (is_off_)
      switch_recording(time, otf2_value::measurement_on);
  }

  // A record before a span.
  void pass_over(const Event& event) {
    follow_contexts(event);
    distances_.leave_out(event);
    if (event.kind != EventKind::Metric)
      return;

    if (const auto* modes = find_modes(event); !modes || modes->has_values)
      metrics_.insert_or_assign(get_field<"metric", EventKind::Metric>(event), event);
  }

  void follow_contexts(const Event& event) {
    using enum EventKind;
    if (event.kind == CallingContextEnter) {
      open_.push_back(
          {true, get_field<"callingContext", CallingContextEnter>(event), event.attributes});
    } else if (event.kind == CallingContextLeave) {
      const auto left = get_field<"callingContext", CallingContextLeave>(event);
      const auto found = std::find_if(open_.rbegin(), open_.rend(), [&](const Open& open) {
        return !open.is_context || open.id == left;
      });
      if (found != open_.rend() && found->is_context)
        open_.erase(std::prev(found.base()), open_.end());
    }
  }

  // Contexts that were entered in the call end with it.
  void end_call() {
    while (!open_.empty() && open_.back().is_context)
      open_.pop_back();
    if (!open_.empty())
      open_.pop_back();
  }

  bool crosses(std::uint64_t number) {
    const bool is_next =
        next_crossing_ < crossing_.size() && crossing_[next_crossing_].number == number;
    next_crossing_ += is_next;
    return is_next;
  }

  void pass_on(Event& event) {
    if (next_.wants(event.kind))
      next_.other(event);
    else
      next_.unknown(event.time);
  }

  const WindowReader& reader_;
  const TimeSpans& spans_;
  std::size_t span_ = 0;    // the first that is not over
  bool is_inside_ = false;  // that one
  const std::span<const CrossingRecord> crossing_;
  std::size_t next_crossing_ = 0;
  EventReceiver& next_;
  UnwindDistances distances_;
  std::vector<Open> open_;                                            // from the outermost on
  std::map<std::uint64_t, Event> metrics_;                            // their last records outside
  std::unordered_map<std::uint64_t, std::vector<Counter>> counters_;  // by metric and member
  std::uint64_t others_ = 0;                                          // records that are no calls
  bool is_off_ = false;                                               // recording, by now
  std::uint64_t flushed_ = 0;                                         // end of the last flush
};

MetricModes find_metric_modes(const Definitions& definitions, const Definition& metric_class) {
  using D = DefinitionKind;
  MetricModes modes;
  for (const auto id : metric_class.list) {
    std::uint64_t mode = otf2_value::metric_absolute_next;  // where it is not defined
    if (const auto* member = definitions.find(Ref::metric_member, id))
      mode = get_field<"metricMode", D::MetricMember>(*member);
    mode &= otf2_value::metric_value_mask;
    const bool is_increment = mode == otf2_value::metric_relative;
    const bool accumulates = mode == otf2_value::metric_accumulated;
    modes.members.push_back(accumulates    ? MemberMode::accumulates
                            : is_increment ? MemberMode::increment
                                           : MemberMode::level);
    modes.has_values |= !is_increment;
    modes.has_counters |= is_increment || accumulates;
  }

  return modes;
}

}  // namespace

WindowReader::WindowReader(const Definitions& definitions, TimeWindow window)
    : window_(std::move(window)), functions_(definitions, {}) {
  using D = DefinitionKind;
  for (const auto& d : definitions.all()) {
    const auto* of = &d;
    if (d.kind == D::MetricInstance)
      of = definitions.find(Ref::metric, get_field<"metricClass", D::MetricInstance>(d));
    if (of && of->kind == D::MetricClass)
      modes_.emplace(d.id(), find_metric_modes(definitions, *of));
  }
}

const WindowReader::MetricModes* WindowReader::find_modes(std::uint64_t metric) const {
  const auto found = modes_.find(metric);
  return found == modes_.end() ? nullptr : &found->second;
}

std::span<const CrossingRecord> WindowReader::find_crossing(std::uint64_t location) const {
  const auto found = window_.crossing->find(location);
  if (found == window_.crossing->end())
    return {};
  return found->second;
}

WindowReader::Read WindowReader::read(EventReader& reader, std::uint64_t location,
                                      EventReceiver& receiver) const {
  WindowedEvents windowed(*this, location, receiver);
  CleanEvents<WindowedEvents> events(functions_, windowed);
  const bool whole = reader.read(location, events);
  events.finish();

  return {whole, events.oddities()};
}

}  // namespace tracefold
