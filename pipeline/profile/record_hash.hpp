// A number for all calls of a location and what is recorded in them: which messages, collective
// operations and amounts, as the location numbers its channels. Times are not in it.
//
// Locations with equal numbers have the same calls and records, which need to be looked at in one
// of them only (call_script.hpp); others have equal ones by a chance of about one in 2^64. A sink
// of clean events, which tells the hash of calls alone, too (pipeline/events/call_hash.hpp); one
// location, one thread.
#pragma once

#include "otf2/definitions.hpp"
#include "pipeline/events/call_hash.hpp"
#include "pipeline/messages/wait_sink.hpp"
#include "pipeline/profile/record_metrics.hpp"

#include <cstdint>
#include <optional>
#include <span>

namespace tracefold {

class RecordHashSink {
 public:
  // Both must stay. What a location has of messages and operations goes through `waits`.
  RecordHashSink(const Definitions& definitions, std::uint64_t location, WaitSink& waits)
      : definitions_(definitions), location_(location), waits_(waits) {}

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    waits_.enter(call, attributes);
    calls_.enter(call, attributes);
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    waits_.leave(call, attributes);
    calls_.leave(call, attributes);
  }
  [[gnu::always_inline]] void other(const Event& event) {
    if (is_needed(event.kind))
      add(event);
  }
  void unknown(std::uint64_t) {}

  // Whether such a record is in the hash, or one that `waits` takes.
  static constexpr bool is_needed(EventKind kind) {
    using enum EventKind;
    return WaitSink::is_waited_for(kind) || kind == MpiIsendComplete || kind == Metric ||
           adds_to_metrics(kind);
  }
  // Adds such a record; returns how the location numbers what is in it.
  WaitSink::Numbers add(const Event& event);

  // Of all that was added; of records none where these have values that are no amounts.
  CallHashes hashes() const {
    const auto calls = calls_.hash();
    return {calls, are_amounts_ ? std::optional(hash_ ^ calls) : std::nullopt};
  }

 private:
  static std::uint64_t spread(std::uint64_t number) {
    number *= 0x9e3779b97f4a7c15u;
    return number ^ number >> 32;
  }
  // Where a record is, is known by the calls up to there. Small numbers are spread before they are
  // put together, so that no two records have the same sum.
  void add(const Event& event, std::uint64_t a, std::uint64_t b) {
    const auto kind = spread(static_cast<std::uint64_t>(event.kind) + 1);
    const auto record = spread(spread(a + kind) + b);
    hash_ = (hash_ + (record ^ calls_.hash())) * 0xbf58476d1ce4e5b9u;
    hash_ ^= hash_ >> 32;
  }
  void add_part(const Event& event, std::uint64_t number);
  void add_amounts(const Event& event);
  // Ids of requests may begin anywhere.
  std::uint64_t count_from_first(std::uint64_t request) {
    if (!first_request_)
      first_request_ = request;
    return request - *first_request_;
  }

  const Definitions& definitions_;
  std::uint64_t location_;
  WaitSink& waits_;
  CallHashSink calls_;
  std::optional<std::uint64_t> first_request_;
  CallHash hash_ = 0;
  bool are_amounts_ = true;
};

}  // namespace tracefold
