// Collects what locations do by call path, one after the other: visits and exclusive time, as
// CallPathSink does, and the messages and bytes that they exchange there. Records outside of calls
// are ignored.
//
// One for each thread. Memory: that of a CallPathSink, and 8 bytes for each amount and call path of
// the thread's locations.
//
// Source: dynamics 3 (call-path profiles), Table 1.1 (metrics).
#pragma once

#include "pipeline/facts/call_path_sink.hpp"
#include "pipeline/facts/record_metrics.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

class CallAmountsSink {
 public:
  // Messages without bytes count like others.
  static constexpr std::array amounts{Metric::sends,
                                      Metric::receives,
                                      Metric::bytes_sent,
                                      Metric::bytes_received,
                                      Metric::collective_bytes_outgoing,
                                      Metric::collective_bytes_incoming,
                                      Metric::one_sided_bytes_sent,
                                      Metric::one_sided_bytes_received};
  static constexpr std::size_t width = LocationPaths::columns + amounts.size();
  static MetricColumns columns();

  explicit CallAmountsSink(const Definitions& definitions);

  // The following events belong to this location.
  void begin(std::uint64_t location) { location_ = location; }

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    calls_.enter(call, attributes);
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    calls_.leave(call, attributes);
  }
  void other(const Event& event) {
    if (adds_to_metrics(event.kind))
      add(event);
  }
  void unknown(std::uint64_t) {}
  PathIndex sample(const SampledCalls& calls) { return calls_.sample(calls); }
  void visit_sampled(const SampledCalls& calls) { calls_.visit_sampled(calls); }
  void spend_sampled(PathIndex path, std::uint64_t from, std::uint64_t to) {
    calls_.spend_sampled(path, from, to);
  }

  // As in CallPathSink, with a value for each of columns().
  LocationPaths take();
  std::uint64_t folded() const { return calls_.folded(); }
  std::span<const CallPath> paths() const { return calls_.paths(); }

 private:
  using Amounts = std::array<std::uint64_t, amounts.size()>;

  void add(const Event& event);

  const Definitions& definitions_;
  std::uint64_t location_ = 0;
  CallPathSink calls_;
  std::array<std::uint8_t, measured_metric_count> place_{};  // by metric, from 1; 0: not collected
  std::vector<Amounts> amounts_;                             // by path of the location
};

}  // namespace tracefold
