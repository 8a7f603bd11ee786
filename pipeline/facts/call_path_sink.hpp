// Collects the call-path profile of one location after the other from clean events:
// the visits and the exclusive time of each of its call paths.
//
// One per thread. Memory: 16 bytes for each call path that any location of the thread
// had, and what call_path_cursor.hpp says of the tree.
//
// Source: dynamics 3 (call-path profiles).
#pragma once

#include "pipeline/events/call_path_cursor.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/events/context_calls.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

// What a location did by call path: one value for each column of CallPathSink.
struct LocationPaths {
  static constexpr std::size_t columns = 2;

  std::vector<PathIndex> paths;       // ascending
  std::vector<std::uint64_t> values;  // path by path

  std::uint64_t value(std::size_t k, std::size_t column) const {
    return values[columns * k + column];
  }
};

class CallPathSink {
 public:
  // The columns of the profiles.
  static constexpr std::size_t time_column = 0;
  static constexpr std::size_t visits_column = 1;
  static constexpr std::size_t width = LocationPaths::columns;
  static MetricColumns columns() { return {{Metric::execution_time, Metric::visits}, {}}; }

  explicit CallPathSink(std::size_t most_paths = CallPathCursor::most_paths)
      : cursor_(most_paths) {}

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute>) {
    const auto path = cursor_.enter(call.function);
    if (path >= tallies_.size()) [[unlikely]]
      tallies_.resize(cursor_.paths().size());
    ++tallies_[path].visits;
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute>) {
    tallies_[cursor_.leave()].exclusive += call.exclusive;
  }
  void other(const Event&) {}
  void unknown(std::uint64_t) {}

  PathIndex sample(const SampledCalls& calls) { return visit(calls); }
  void visit_sampled(const SampledCalls& calls) { ++tallies_[visit(calls)].visits; }
  void spend_sampled(PathIndex path, std::uint64_t from, std::uint64_t to) {
    tallies_[path].exclusive += to - from;
  }

  // The profile of the location whose events have all been seen; none of it is left.
  LocationPaths take();
  // The calls of that location that were folded; ask before take().
  std::uint64_t folded() const { return cursor_.folded(); }
  // The path of the innermost open call, 0 where none is open.
  PathIndex path() const { return cursor_.path(); }
  // All paths that any location had so far; the first stands for the virtual root.
  std::span<const CallPath> paths() const { return cursor_.paths(); }

 private:
  struct Tally {
    std::uint64_t exclusive = 0;  // ticks
    std::uint64_t visits = 0;
  };

  // Calls that a sample shows are never none.
  PathIndex visit(const SampledCalls& calls) {
    const auto path = cursor_.visit(calls.open_calls, calls.functions);
    if (path >= tallies_.size())
      tallies_.resize(cursor_.paths().size());
    return path;
  }

  CallPathCursor cursor_;
  std::vector<Tally> tallies_;  // by path, of the location that is read now
};

}  // namespace tracefold
