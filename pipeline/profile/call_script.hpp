// What is common to all locations that make the same calls with the same records in them
// (record_hash.hpp): which calls make iterations, where the time between two of their ends goes,
// what records add to metrics, and what calls wait for. Besides, only the times of each location
// are needed (collected_times.hpp).
//
// Memory: a byte for each begin and end of a call; 44 for each iteration, and for each different
// one what it adds to metrics; and what wait_script.hpp says. Source: dynamics 3 (time-series
// profiles of iterations).
#pragma once

#include "otf2/definitions.hpp"
#include "pipeline/events/counted_iterations.hpp"
#include "pipeline/messages/message_matcher.hpp"
#include "pipeline/messages/wait_script.hpp"
#include "pipeline/profile/column_totals.hpp"
#include "pipeline/profile/profile_columns.hpp"
#include "pipeline/profile/record_hash.hpp"
#include "pipeline/profile/record_metrics.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

// A value.
struct CallScript {
  // At this begin or end of a call, after the time before it, earlier iterations than this one have
  // ended.
  struct Mark {
    std::uint64_t event = 0;  // of all begins and ends
    std::uint32_t iteration = 0;
  };
  using Amounts = std::vector<MetricAmount>;  // by metric, without those that are 0
  // A slot that is not wanted: time in no iteration, or in no call.
  static constexpr std::uint8_t no_slot = 0;

  CallHashes hashes;  // of whoever does this
  IterationCounts iterations;
  // Time before each begin or end of a call goes to a slot; of these the metrics, and none for
  // no_slot.
  std::vector<std::uint8_t> steps;
  std::vector<Metric> slots;
  std::vector<Mark> marks;  // ascending
  // What calls and records add to each iteration: one of these.
  std::vector<Amounts> distinct_amounts;
  std::vector<std::uint32_t> amounts;
  WaitScript waits;

  const Amounts& amounts_of(std::size_t iteration) const {
    return distinct_amounts[amounts[iteration]];
  }
  // Nearly all of them: without what waits hold.
  std::uint64_t bytes() const {
    return steps.size() + marks.size() * sizeof(Mark) + amounts.size() * sizeof(amounts[0]) +
           iterations.size() * sizeof(CountedIteration) +
           distinct_amounts.size() *
               (sizeof(Amounts) + measured_metric_count * sizeof(MetricAmount));
  }
};

// Makes the script of a location, whose iterations are known. A sink of clean events; one location,
// one thread. Memory besides: what collective_matcher.hpp says.
class CallScripter {
 public:
  // All must stay. The script takes about `most_bytes` at most.
  CallScripter(const ProfileColumns& columns, const Definitions& definitions,
               std::uint64_t location, const IterationCounts& iterations, std::uint64_t most_bytes);
  CallScripter(const CallScripter&) = delete;
  CallScripter& operator=(const CallScripter&) = delete;

  void enter(const CallBegin& call, std::span<const Attribute>);
  void leave(const CallEnd& call, std::span<const Attribute>);
  void other(const Event& event);
  void unknown(std::uint64_t time);

  // Call once, after the last event. None where records are between the calls of iterations, so
  // that it depends on times, too, in which one they are; where metrics are recorded, which have
  // values that differ; where messages are not received in the order in which receives were posted;
  // and where it takes too many bytes.
  std::optional<CallScript> take();

 private:
  void give_up();
  bool is_deep() const;
  void step();
  void change_to(std::size_t iteration);
  void add_record(const Event& event, const WaitSink::Numbers& numbers);
  void add_amount(Metric metric, std::uint64_t amount);
  void end_iterations_before(std::size_t iteration);
  std::uint8_t find_slot(Metric metric);

  const ProfileColumns& columns_;
  const Definitions& definitions_;
  std::uint64_t location_;
  std::uint64_t most_bytes_;
  CountedIterations iterations_;
  OpenFunctions functions_;
  // These number messages and operations.
  MessageCollector messages_;
  CollectiveMatcher matcher_;
  CollectiveMatcher::Location collectives_;
  WaitSink numbers_;
  RecordHashSink hashes_;
  WaitScripter waits_;
  std::size_t iteration_ = CountedIterations::outside;  // that the last event was in
  std::size_t making_ = 0;                              // that `amounts_` are of
  std::array<std::uint64_t, measured_metric_count> amounts_{};
  std::map<CallScript::Amounts, std::uint32_t> distinct_;
  CallScript script_;
  bool is_whole_ = true;
  // Whether a record since the last begin or end of a call was behind the loop, as its time shows.
  bool has_left_by_time_ = false;
};

}  // namespace tracefold
