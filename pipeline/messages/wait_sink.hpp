// Collects from clean events what others wait for in one location: when it sends messages, posts
// receives, and enters collective operations. One location, one thread. Memory: 16 bytes for each
// open call.
#pragma once

#include "model/profile/time_metric.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/messages/collective_matcher.hpp"
#include "pipeline/messages/message_matcher.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

class WaitSink {
 public:
  // All must outlive this. `messages` and `collectives` are null if not wanted.
  WaitSink(const Definitions& definitions, const std::vector<Metric>& time_metrics,
           MessageCollector* messages, CollectiveMatcher::Location* collectives)
      : definitions_(definitions),
        time_metrics_(time_metrics),
        messages_(messages),
        collectives_(collectives) {}

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute>) {
    if (open_calls_ == open_.size()) [[unlikely]]
      open_.resize(2 * open_calls_ + 16);
    // Fields are copied one by one: a copy of the struct would wait for memory, since processors
    // forward only reads of the pieces that were written.
    auto& open = open_[open_calls_++];
    open.entered = call.time;
    open.is_mpi = is_mpi_time(time_metrics_[call.function]);
  }
  [[gnu::always_inline]] void leave(const CallEnd&, std::span<const Attribute>) { --open_calls_; }
  [[gnu::always_inline]] void other(const Event& event) {
    if (!is_waited_for(event.kind))
      return;

    const bool is_in_mpi = open_calls_ > 0 && open_[open_calls_ - 1].is_mpi;
    const auto entered = is_in_mpi ? open_[open_calls_ - 1].entered : event.time;

    if (messages_)
      messages_->add(event, entered);
    if (!collectives_)
      return;

    switch (event.kind) {
      case EventKind::MpiCollectiveBegin: begun_ = event.time; break;
      case EventKind::NonBlockingCollectiveRequest: collectives_->begin(event, entered); break;
      case EventKind::NonBlockingCollectiveComplete:
        ++nonblocking_;
        collectives_->end(event);
        break;
      case EventKind::RmaGroupSync:
      case EventKind::RmaRequestLock:
      case EventKind::RmaAcquireLock:
      case EventKind::RmaTryLock:
      case EventKind::RmaWaitChange: ++one_sided_; break;
      case EventKind::RmaCollectiveEnd:
        ++on_windows_;
        if (const auto part = find_collective_part(definitions_, event))
          collectives_->add(*part, entered);
        break;
      case EventKind::MpiCollectiveEnd:
        ++parts_;
        collectives_->add(*find_collective_part(definitions_, event),
                          is_in_mpi ? entered : begun_.value_or(event.time));
        break;
      default: break;
    }
  }
  void unknown(std::uint64_t) {}

  std::uint64_t parts() const { return parts_; }  // of blocking collective operations
  std::uint64_t nonblocking() const { return nonblocking_; }
  std::uint64_t on_windows() const { return on_windows_; }
  // Synchronisations of which nobody knows who waits.
  std::uint64_t one_sided() const { return one_sided_; }

 private:
  // Whether others may wait for records of this kind.
  static constexpr bool is_waited_for(EventKind kind) {
    using enum EventKind;
    switch (kind) {
      case MpiSend:
      case MpiIsend:
      case MpiRecv:
      case MpiIrecvRequest:
      case MpiIrecv:
      case MpiRequestCancelled:
      case MpiCollectiveBegin:
      case MpiCollectiveEnd:
      case NonBlockingCollectiveRequest:
      case NonBlockingCollectiveComplete:
      case RmaCollectiveEnd:
      case RmaGroupSync:
      case RmaRequestLock:
      case RmaAcquireLock:
      case RmaTryLock:
      case RmaWaitChange: return true;
      default: return false;
    }
  }

  struct OpenCall {
    std::uint64_t entered = 0;  // ticks
    bool is_mpi = false;
  };

  const Definitions& definitions_;
  const std::vector<Metric>& time_metrics_;
  MessageCollector* messages_;
  CollectiveMatcher::Location* collectives_;
  std::vector<OpenCall> open_;  // at least open_calls_ elements
  std::size_t open_calls_ = 0;
  std::optional<std::uint64_t> begun_;  // time of the last CollectiveBegin
  std::uint64_t parts_ = 0, nonblocking_ = 0, on_windows_ = 0, one_sided_ = 0;
};

}  // namespace tracefold
