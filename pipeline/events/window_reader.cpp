#include "pipeline/events/window_reader.hpp"

#include "model/plan.hpp"
#include "otf2/event_reader.hpp"
#include "otf2/otf2_values.hpp"
#include "pipeline/events/unwind_distances.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

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
    const auto ends = event.kind == EventKind::CallingContextLeave ? Ends::a_call : Ends::nothing;
    if (!reaches(event.time, ends)) {
      if (!is_over())
        pass_over(event);
      return;
    }

    follow_contexts(event);
    if (crosses(number))
      return;
    distances_.mend(event);
    hand_on(event);
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

  enum class Ends : bool { nothing, a_call };

  // True where the time of a record is inside. Opens and closes spans on the way there. What ends a
  // call right where a span begins is before it.
  bool reaches(std::uint64_t time, Ends ends = Ends::nothing) {
    while (!is_over()) {
      const auto& span = spans_[span_];
      if (is_inside_) {
        if (time < span.end)
          return true;
        close(span.end);
        is_inside_ = false;
        ++span_;
      } else {
        if (time < span.begin || (time == span.begin && ends == Ends::a_call))
          return false;
        begin(span.begin);
        is_inside_ = true;
      }
    }

    return false;
  }

  void begin(std::uint64_t time) {
    std::uint64_t depth = 0;
    for (const auto& open : open_)
      if (open.is_context)
        depth = enter_context(time, open, depth);
      else
        next_.enter(time, open.id, open.attributes);
    distances_.begin_with(depth);

    for (auto& [metric, event] : std::exchange(metrics_, {})) {
      event.time = time;
      hand_on(event);
    }
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
    hand_on(event);
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
      hand_on(event);
    }
  }

  // A record before a span.
  void pass_over(const Event& event) {
    follow_contexts(event);
    distances_.leave_out(event);
    if (event.kind != EventKind::Metric)
      return;

    const auto metric = get_field<"metric", EventKind::Metric>(event);
    if (!reader_.has_increments(metric))
      metrics_.insert_or_assign(metric, event);
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

  void hand_on(Event& event) {
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
  std::vector<Open> open_;                  // from the outermost on
  std::map<std::uint64_t, Event> metrics_;  // their last records outside
  std::uint64_t others_ = 0;                // records that are no calls
};

bool has_increments(const Definitions& definitions, const Definition& metric_class) {
  using K = DefinitionKind;
  return std::any_of(
      metric_class.list.begin(), metric_class.list.end(), [&](std::uint64_t member_id) {
        const auto* member = definitions.find(Ref::metric_member, member_id);
        return member && (get_field<"metricMode", K::MetricMember>(*member) &
                          otf2_value::metric_value_mask) == otf2_value::metric_relative;
      });
}

}  // namespace

WindowReader::WindowReader(const Definitions& definitions, TimeWindow window)
    : window_(std::move(window)), functions_(definitions, {}) {
  using K = DefinitionKind;
  for (const auto& d : definitions.all()) {
    const auto* of = &d;
    if (d.kind == K::MetricInstance)
      of = definitions.find(Ref::metric, get_field<"metricClass", K::MetricInstance>(d));
    if (of && of->kind == K::MetricClass && tracefold::has_increments(definitions, *of))
      increments_.insert(d.id());
  }
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
