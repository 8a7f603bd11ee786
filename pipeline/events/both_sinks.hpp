// Passes clean events to two sinks in one reading. The first sink gets each event before the
// second; samples go only to the first, which then is a SampleSink.
//
// A sink is held by value or, as in BothSinks<A&, B>, by reference; an OptionalSink may be absent.
// One location, one thread.
#pragma once

#include "pipeline/events/clean_event_receiver.hpp"

#include <cstdint>
#include <span>
#include <type_traits>

namespace tracefold {

template <class First, class Second>
struct BothSinks {
  static constexpr bool is_hot = HotSink<std::remove_reference_t<First>>;

  First first;
  Second second;

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    first.enter(call, attributes);
    second.enter(call, attributes);
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    first.leave(call, attributes);
    second.leave(call, attributes);
  }
  void other(const Event& event) {
    first.other(event);
    second.other(event);
  }
  void unknown(std::uint64_t time) {
    first.unknown(time);
    second.unknown(time);
  }
  void skip_time(const SkippedTime& time) {
    skip_time_of(first, time);
    skip_time_of(second, time);
  }

  std::uint32_t sample(const SampledCalls& calls) { return first.sample(calls); }
  void visit_sampled(const SampledCalls& calls) { first.visit_sampled(calls); }
  void spend_sampled(std::uint32_t path, std::uint64_t from, std::uint64_t to) {
    first.spend_sampled(path, from, to);
  }
};

// A sink that may be absent.
template <class Sink>
struct OptionalSink {
  Sink* sink;  // null: absent

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    if (sink)
      sink->enter(call, attributes);
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    if (sink)
      sink->leave(call, attributes);
  }
  void other(const Event& event) {
    if (sink)
      sink->other(event);
  }
  void unknown(std::uint64_t time) {
    if (sink)
      sink->unknown(time);
  }
  void skip_time(const SkippedTime& time) {
    if (sink)
      skip_time_of(*sink, time);
  }
};

}  // namespace tracefold
