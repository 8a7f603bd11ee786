// A sink of clean events (clean_events.hpp) behind virtual calls. The reading itself, which is the
// decoder, clean events and calling contexts, is compiled once for all sinks that are reached so. A
// sink that gets most events of a trace, and does little for each of them, can have a reading that
// is compiled for it alone. It says so by
//
//   static constexpr bool is_hot = true;
//
// One location, one thread, as for the sink. What the sink throws passes through.
#pragma once

#include "pipeline/events/context_calls.hpp"

#include <cstdint>
#include <span>

namespace tracefold {

template <class Sink>
concept HotSink = requires {
  requires Sink::is_hot;
};

class CleanEventReceiver {
 public:
  virtual void enter(const CallBegin& call, std::span<const Attribute> attributes) = 0;
  virtual void leave(const CallEnd& call, std::span<const Attribute> attributes) = 0;
  virtual void other(Event& event) = 0;
  virtual void unknown(std::uint64_t time) = 0;
  virtual void skip_time(const SkippedTime& time) = 0;
  virtual bool wants(EventKind kind) const = 0;

 protected:
  ~CleanEventReceiver() = default;
};

// One that knows of samples, too.
class SampleReceiver : public CleanEventReceiver {
 public:
  virtual std::uint32_t sample(const SampledCalls& calls) = 0;
  virtual void visit_sampled(const SampledCalls& calls) = 0;
  virtual void spend_sampled(std::uint32_t path, std::uint64_t from, std::uint64_t to) = 0;

 protected:
  ~SampleReceiver() = default;
};

// Passes what it receives on to a sink, which has to live as long.
template <CleanEventSink Sink, class Receiver = CleanEventReceiver>
class CleanSinkReceiver : public Receiver {
 public:
  explicit CleanSinkReceiver(Sink& sink) : sink_(sink) {}

  void enter(const CallBegin& call, std::span<const Attribute> attributes) final {
    sink_.enter(call, attributes);
  }
  void leave(const CallEnd& call, std::span<const Attribute> attributes) final {
    sink_.leave(call, attributes);
  }
  void other(Event& event) final { sink_.other(event); }
  void unknown(std::uint64_t time) final { sink_.unknown(time); }
  void skip_time(const SkippedTime& time) final { skip_time_of(sink_, time); }
  bool wants(EventKind kind) const final { return wants_fields(sink_, kind); }

 protected:
  Sink& sink_;
};

template <SampleSink Sink>
class SampleSinkReceiver final : public CleanSinkReceiver<Sink, SampleReceiver> {
 public:
  using CleanSinkReceiver<Sink, SampleReceiver>::CleanSinkReceiver;

  std::uint32_t sample(const SampledCalls& calls) override { return this->sink_.sample(calls); }
  void visit_sampled(const SampledCalls& calls) override { this->sink_.visit_sampled(calls); }
  void spend_sampled(std::uint32_t path, std::uint64_t from, std::uint64_t to) override {
    this->sink_.spend_sampled(path, from, to);
  }
};

}  // namespace tracefold
