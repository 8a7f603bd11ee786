// What a record adds to the metrics of its call path. Calls and their times are measured elsewhere.
//
// A message counts where it is sent (MpiSend, MpiIsend) and where it is received (MpiRecv,
// MpiIrecv), a collective at its end, a file operation at its begin. Messages and collectives
// without bytes count as synchronizations. A source has data that others get, a destination gets
// data of others: this follows from the kind of operation and the root, or otherwise from the
// bytes. For one-sided synchronization, the ends of locks count and not the requests. An atomic
// operation is a put if it sends, and a get if it receives.
//
// Source: dynamics Table 1.1; OTF2 3.0, events.
#pragma once

#include "model/profile/metric.hpp"
#include "otf2/definitions.hpp"
#include "otf2/event.hpp"
#include "pipeline/facts/profile_columns.hpp"
#include "pipeline/messages/channel.hpp"

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

// A list of non-zero amounts.
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

// Whether records of this kind add to any metric. Not for Metric records.
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

// For any record of `location` but Metric records and messages. Thread-safe.
MetricAmounts measure_rare_record(const Event& event, const Definitions& definitions,
                                  std::uint64_t location);

// Calls `add(Metric, amount)` with all non-zero amounts of any record but a Metric record.
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

// Measures the Metric records of one location: the growth of its counters from record to record.
//
// An accumulating counter counts the difference to its previous value, and 0 for its first value;
// if it went down, it was reset and counts 0, but an unsigned counter that passed 2^64 continues. A
// relative counter counts each value, and 0 for negative ones. Floating-point values are rounded to
// the steps of their column before subtraction, so that growth of less than a step adds up;
// infinite values and NaN count as not recorded.
//
// One location, records in order. Memory: 24 bytes for each member of each metric that it records.
// Source: OTF2 3.0, OTF2_MetricMode.
class CounterIncrements {
 public:
  struct Increment {
    std::uint32_t column = 0;
    std::uint64_t amount = 0;
  };

  // The columns must outlive this.
  explicit CounterIncrements(const ProfileColumns& columns) : columns_(columns) {}

  // The growth of columns by this record; valid until the next one.
  const std::vector<Increment>& measure(const Event& metric);
  // The next values are first ones: what counters grow by up to them is not known to belong here.
  void begin_anew() { last_.clear(); }

  // The number of values that were infinite or NaN.
  std::uint64_t not_finite() const { return not_finite_; }
  // The columns of such values.
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
