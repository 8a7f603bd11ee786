// Inserts metrics of members among the events of a location, on the way to an output.
//
// A record comes right before the event that begins its iteration, after all that ends at the same
// time. Used by one thread, for one location; the output must outlive it.
//
// Source: docs/design.md, the rule "metrics of members".
#pragma once

#include "model/program/member_metrics.hpp"
#include "pipeline/rewrite/trace_output.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

// A LocationOutput.
template <LocationOutput Output>
class MemberOutput {
 public:
  // `records` are ordered by time; `metric` is the new id.
  MemberOutput(Output& output, std::vector<MemberTimes> records, std::uint64_t metric,
               bool has_waiting)
      : output_(output), records_(std::move(records)), has_waiting_(has_waiting) {
    event_.kind = EventKind::Metric;
    get_field<"metric", EventKind::Metric>(event_) = metric;
    find_next();
  }

  [[gnu::always_inline]] void enter(std::uint64_t time, std::uint64_t region,
                                    std::span<const Attribute> attributes) {
    write_until(time);
    output_.enter(time, region, attributes);
  }
  [[gnu::always_inline]] void leave(std::uint64_t time, std::uint64_t region,
                                    std::span<const Attribute> attributes) {
    if (next_time_ < time) [[unlikely]]
      write_until(time - 1);
    output_.leave(time, region, attributes);
  }
  void write(const Event& event) {
    write_until(event.time);
    output_.write(event);
  }
  std::uint64_t close() { return output_.close(); }

  // How many records of the metric were written.
  std::uint64_t written() const { return next_; }

 private:
  [[gnu::always_inline]] void write_until(std::uint64_t time) {
    while (next_time_ <= time && next_ < records_.size())
      [[unlikely]] write_next();
  }
  [[gnu::noinline]] void write_next() {
    const auto& record = records_[next_++];
    event_.time = record.time;
    values_.clear();
    add(record.computation);
    if (has_waiting_)
      add(record.waiting);

    // The list holds the type of each value, then the values.
    get_field<"numberOfMetrics", EventKind::Metric>(event_) = values_.size();
    event_.list.assign(values_.size(), otf2_value::type_double);
    event_.list.insert(event_.list.end(), values_.begin(), values_.end());
    output_.write(event_);
    find_next();
  }
  void add(const TimeSpread& spread) {
    for (auto value : {spread.minimum, spread.mean, spread.maximum})
      values_.push_back(std::bit_cast<std::uint64_t>(value));
  }
  void find_next() { next_time_ = next_ < records_.size() ? records_[next_].time : never; }

  static constexpr auto never = std::numeric_limits<std::uint64_t>::max();

  Output& output_;
  std::vector<MemberTimes> records_;
  bool has_waiting_;
  std::size_t next_ = 0;
  std::uint64_t next_time_ = never;
  Event event_;
  std::vector<std::uint64_t> values_;
};

}  // namespace tracefold
