#include "pipeline/messages/find_crossing.hpp"

#include "base/packed_values.hpp"
#include "base/team.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/messages/operation_channels.hpp"
#include "pipeline/messages/operation_cursor.hpp"
#include "pipeline/messages/operation_matching.hpp"
#include "pipeline/messages/stored_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tracefold {

auto list_members(Like<CrossingRecord> auto& record) {
  return std::tie(record.number, record.kind);
}

namespace {

struct NoCalls {
  void enter(const CallBegin&, std::span<const Attribute>) {}
  void leave(const CallEnd&, std::span<const Attribute>) {}
  void unknown(std::uint64_t) {}
};

struct TimesSink : NoCalls {
  void other(Event&) {}
  bool wants(EventKind) const { return false; }
};

// Finds which operations of a location are wholly inside.
class OperationsSink : public NoCalls {
 public:
  OperationsSink(const Definitions& definitions, std::uint64_t location, const TimeWindow& window)
      : spans_(window.find_spans(location)), channels_(definitions, location) {
    found_.process = definitions.endpoint(location);
  }

  void other(Event& event) {
    const auto record = operations_.follow(event);
    if (record.operation == Followed::none)
      return;
    if (record.is_first()) {
      found_.stays.push_back(true);
      found_.channel.push_back(LocationOperations::unmatched);
    }

    if (record.step != Step::tests && !is_inside(spans_, event.time))
      found_.stays[record.operation] = false;
    if (const auto channel = channels_.find(event))
      found_.channel[record.operation] = *channel;
  }

  LocationOperations take() {
    found_.channels = channels_.ends();
    return std::move(found_);
  }

 private:
  const TimeSpans& spans_;
  OperationCursor operations_;
  OperationChannels channels_;
  LocationOperations found_;
};

// Lists the records inside of operations that do not stay, and tells whether anything is inside.
class CrossingSink : public NoCalls {
 public:
  CrossingSink(const TimeSpans& spans, const std::vector<bool>& stays)
      : spans_(spans), stays_(stays) {}

  void leave(const CallEnd& call, std::span<const Attribute>) {
    has_any_ = has_any_ || is_open_inside(spans_, call.time - call.inclusive, call.time);
  }
  void other(Event& event) {
    const auto record = operations_.follow(event);
    if (is_inside(spans_, event.time)) {
      has_any_ = true;
      if (record.operation != Followed::none && !stays_[record.operation])
        crossing_.push_back({number_, event.kind});
    }
    ++number_;
  }

  bool has_any() const { return has_any_; }
  std::vector<CrossingRecord> take() { return std::move(crossing_); }

 private:
  const TimeSpans& spans_;
  const std::vector<bool>& stays_;
  OperationCursor operations_;
  std::uint64_t number_ = 0;
  std::vector<CrossingRecord> crossing_;
  bool has_any_ = false;
};

struct FoundInWindow {
  CrossingRecords crossing;
  bool has_any = false;  // anything that was recorded or is open inside

  // What was found in other locations.
  void append(FoundInWindow other) {
    crossing.merge(other.crossing);
    has_any |= other.has_any;
  }
};

auto list_members(Like<FoundInWindow> auto& found) {
  return std::tie(found.crossing, found.has_any);
}

// When the trace was recorded.
struct FoundTimes {
  std::optional<std::pair<std::uint64_t, std::uint64_t>> times;  // none without events

  void append(const FoundTimes& other) {
    if (!times)
      times = other.times;
    if (!other.times)
      return;
    times->first = std::min(times->first, other.times->first);
    times->second = std::max(times->second, other.times->second);
  }
};

auto list_members(Like<FoundTimes> auto& found) {
  return std::tie(found.times);
}

// Plans are not trusted.
void check_locations(const Archive& archive, const TimeWindow& window) {
  for (const auto& [location, spans] : window.own)
    if (!archive.definitions().find(Ref::location, location))
      throw Error(ErrorKind::input,
                  fmt::format("the plan has parts of the time of location {}, which is not in the "
                              "trace",
                              location))
          .in(archive.paths().anchor.string());
}

FoundInWindow look_at(const Archive& archive, const TimeWindow& window,
                      const ReadOptions& options) {
  const auto& definitions = archive.definitions();
  const FunctionTable functions(definitions, {});
  const auto& ids = definitions.locations();
  Diagnostics ignored;  // the passes that follow tell what is odd

  std::vector<LocationOperations> operations(ids.size());
  for_each_own_location(archive, ids, options, ignored, [&](EventReader& reader, std::size_t i) {
    OperationsSink sink(definitions, ids[i], window);
    read_clean_events(reader, ids[i], functions, sink);
    operations[i] = sink.take();
  });
  keep_matched_together(operations, options.team);

  std::mutex merging;
  FoundInWindow found;
  for_each_own_location(archive, ids, options, ignored, [&](EventReader& reader, std::size_t i) {
    CrossingSink sink(window.find_spans(ids[i]), operations[i].stays);
    read_clean_events(reader, ids[i], functions, sink);
    auto records = sink.take();
    const std::lock_guard lock(merging);
    found.has_any |= sink.has_any();
    if (!records.empty())
      found.crossing.emplace(ids[i], std::move(records));
  });

  return share_merged(options.team, std::move(found),
                      [](FoundInWindow lower, FoundInWindow higher) {
                        lower.append(std::move(higher));
                        return lower;
                      });
}

}  // namespace

std::pair<std::uint64_t, std::uint64_t> find_times(const Archive& archive, const Context& context) {
  const FunctionTable functions(archive.definitions(), {});
  const auto& ids = archive.definitions().locations();
  std::mutex merging;
  FoundTimes found;
  Diagnostics ignored;

  const auto options = context.read_as("times");
  for_each_own_location(archive, ids, options, ignored, [&](EventReader& reader, std::size_t i) {
    TimesSink sink;
    const auto read = read_clean_events(reader, ids[i], functions, sink);
    if (read.records == 0)
      return;
    const std::lock_guard lock(merging);
    found.append({{{read.first_time, read.last_time}}});
  });

  found = share_merged(options.team, found, [](FoundTimes lower, const FoundTimes& higher) {
    lower.append(higher);
    return lower;
  });
  return found.times.value_or(std::pair<std::uint64_t, std::uint64_t>{});
}

void narrow_to(std::vector<FilterSection>& filters, TimeWindow window) {
  for (auto& filter : filters)
    if (const auto earlier = std::exchange(filter.time, std::nullopt))
      window = intersect(window, *earlier);
  filters.back().time = std::move(window);
}

bool look_at_window(const Archive& archive, std::vector<FilterSection>& filters,
                    const ReadOptions& options) {
  bool has_any = true;
  for (auto& filter : filters) {
    if (!filter.time || filter.time->crossing)
      continue;
    if (was_reduced(archive))
      throw Error(ErrorKind::usage, "a part of the time is taken of original traces only")
          .in(archive.paths().anchor.string())
          .hint("filter the original, and reduce it again");
    check_locations(archive, *filter.time);
    auto found = look_at(archive, *filter.time, options);
    has_any = found.has_any;
    filter.time->crossing = std::make_shared<const CrossingRecords>(std::move(found.crossing));
  }

  return has_any;
}

}  // namespace tracefold
