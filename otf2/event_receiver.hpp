// An event sink (event.hpp) with virtual functions, for slow readers: libotf2, and our decoder for
// files in the other byte order. Their code is then compiled once, and not for each sink.
//
// One thread. Exceptions of the sink pass through.
#pragma once

#include "otf2/event.hpp"

#include <cstdint>
#include <span>

namespace tracefold {

class EventReceiver {
 public:
  virtual void enter(std::uint64_t time, std::uint64_t region,
                     std::span<const Attribute> attributes) = 0;
  virtual void leave(std::uint64_t time, std::uint64_t region,
                     std::span<const Attribute> attributes) = 0;
  virtual void other(Event& event) = 0;
  virtual void unknown(std::uint64_t time) = 0;
  virtual bool wants(EventKind kind) const = 0;

 protected:
  ~EventReceiver() = default;
};

// Calls a sink, which must outlive this.
template <EventSink Sink>
class SinkReceiver final : public EventReceiver {
 public:
  explicit SinkReceiver(Sink& sink) : sink_(sink) {}

  void enter(std::uint64_t time, std::uint64_t region,
             std::span<const Attribute> attributes) override {
    sink_.enter(time, region, attributes);
  }
  void leave(std::uint64_t time, std::uint64_t region,
             std::span<const Attribute> attributes) override {
    sink_.leave(time, region, attributes);
  }
  void other(Event& event) override { sink_.other(event); }
  void unknown(std::uint64_t time) override { sink_.unknown(time); }
  bool wants(EventKind kind) const override { return wants_fields(sink_, kind); }

 private:
  Sink& sink_;
};

}  // namespace tracefold
