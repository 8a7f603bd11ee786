// What a record adds to the metrics of the call path in which it is recorded. Calls and
// their times are not looked at here.
//
// A message counts where it is sent (MpiSend, MpiIsend) and where it is received
// (MpiRecv, MpiIrecv), a collective operation where it ends, a file operation where it
// begins; without bytes, messages and collectives are synchronizations. As a source a
// process has data that others get, as a destination it gets data of others: the kind of
// operation and the root say which, or the bytes where these do not. For one-sided
// synchronization, ends of locks count and not their requests; an atomic operation is a put
// where it sends and a get where it receives.
//
// Source: dynamics Table 1.1; OTF2 3.0, events.
#pragma once

#include "model/profile/metric.hpp"
#include "otf2/definitions.hpp"
#include "otf2/event.hpp"
#include "pipeline/messages/channel.hpp"
#include "pipeline/series/profile_columns.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace tracefold {

struct MetricAmount {
  Metric metric = Metric::none;
  std::uint64_t amount = 0;

  bool operator==(const MetricAmount&) const = default;
};

// A list of amounts that are not 0.
class MetricAmounts {
 public:
  void add(Metric metric, std::uint64_t amount) {
    if (amount)
      amounts_[size_++] = {metric, amount};
  }
  const MetricAmount* begin() const { return amounts_.data(); }
  const MetricAmount* end() const { return amounts_.data() + size_; }

 private:
  std::array<MetricAmount, 5> amounts_;
  std::size_t size_ = 0;
};

// Whether such records add to any metric; not told of Metric.
constexpr bool adds_to_metrics(EventKind kind) {
  using enum EventKind;
  switch (kind) {
    case MpiSend:
    case MpiIsend:
    case MpiRecv:
    case MpiIrecv:
    case MpiCollectiveEnd:
    case NonBlockingCollectiveComplete:
    case RmaCollectiveEnd:
    case RmaGroupSync:
    case RmaReleaseLock:
    case RmaSync:
    case RmaWaitChange:
    case RmaPut:
    case RmaGet:
    case RmaAtomic:
    case IoOperationBegin: return true;
    default: return false;
  }
}

// Any record but a Metric or that of a message, which `location` recorded. Thread-safe.
MetricAmounts measure_rare_record(const Event& event, const Definitions& definitions,
                                  std::uint64_t location);

// Calls `add(Metric, amount)` with all amounts, which are not 0, of any record but a Metric.
// Thread-safe.
template <class Add>
void measure_record(const Event& event, const Definitions& definitions, std::uint64_t location,
                    Add&& add) {
  using enum Metric;

  const auto add_message = [&](Metric message, Metric bytes, Metric synchronization,
                               std::uint64_t length) {
    add(length ? message : synchronization, 1);
    if (length)
      add(bytes, length);
  };

  if (sends_message(event.kind))
    add_message(sends, bytes_sent, send_synchronizations,
                get_field<"msgLength", EventKind::MpiSend, EventKind::MpiIsend>(event));
  else if (receives_message(event.kind))
    add_message(receives, bytes_received, receive_synchronizations,
                get_field<"msgLength", EventKind::MpiRecv, EventKind::MpiIrecv>(event));
  else
    for (const auto& [metric, amount] : measure_rare_record(event, definitions, location))
      add(metric, amount);
}

// Measures the Metric records of one location: how far its counters come from record to
// record.
//
// A counter that accumulates counts with what it grew by since the record before, and with
// nothing for the first; one that went down began anew, and counts for nothing there, but
// an unsigned one that passed 2^64 goes on. A relative counter counts with each value, and
// with nothing for a negative one. Numbers that are not integers are rounded to the steps of their
// column before they are subtracted, so that growth of less than a step adds up; what is infinite
// or no number counts as if it had not been recorded.
//
// One location, its records in order. Memory: 24 bytes for each member of each metric that
// it records. Source: OTF2 3.0, OTF2_MetricMode.
class CounterIncrements {
 public:
  struct Increment {
    std::uint32_t column = 0;
    std::uint64_t amount = 0;
  };

  // The columns must stay.
  explicit CounterIncrements(const ProfileColumns& columns) : columns_(columns) {}

  // What columns grow by; valid until the next record.
  const std::vector<Increment>& measure(const Event& metric);

  // Values that were infinite, or no numbers.
  std::uint64_t not_finite() const { return not_finite_; }
  // The columns that such values would have counted for.
  const std::set<std::uint32_t>& not_finite_columns() const { return not_finite_columns_; }

 private:
  struct Value {
    std::uint64_t type = 0;  // OTF2_Type
    std::uint64_t bits = 0;
  };
  static std::uint64_t measure_growth(const Value& before, const Value& after, std::uint64_t steps);
  static std::uint64_t count_steps(const Value& value, std::uint64_t steps);

  const ProfileColumns& columns_;
  std::unordered_map<std::uint64_t, std::vector<std::optional<Value>>>
      last_;  // by metric and member
  std::vector<Increment> increments_;
  std::uint64_t not_finite_ = 0;
  std::set<std::uint32_t> not_finite_columns_;
};

}  // namespace tracefold
