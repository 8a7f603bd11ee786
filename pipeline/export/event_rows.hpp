// Sinks that make rows of the events of one process after the other.
//
// One thread for each. Rows of a process ascend by their ends.
#pragma once

#include "otf2/otf2_values.hpp"
#include "pipeline/events/call_path_cursor.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/export/exported_trace.hpp"
#include "pipeline/messages/operation_cursor.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace tracefold {

// Calls. Those on a stream of an accelerator do not call each other; each Leave ends the oldest
// open one of its function.
class CallRows {
 public:
  explicit CallRows(const ExportedTrace& trace) : trace_(trace), times_(trace.times()) {
    trace.path_ids().extend(cursor_.paths(), ids_);
  }

  void begin_unit(TablePart& part) { part_ = &part; }
  void begin_process(const ExportedProcess& process) {
    id_ = process.process.id;
    rank_ = process.process.rank;
    thread_ = process.process.thread;
    is_stream_ = trace_.functions().is_stream(process.location);
    cursor_.begin_location();
    depth_ = 0;
  }

  [[gnu::always_inline]] void enter(const CallBegin& call) {
    const auto path = cursor_.enter(call.function);
    if (path >= ids_.size()) [[unlikely]]
      trace_.path_ids().extend(cursor_.paths(), ids_);
    if (depth_ == open_.size()) [[unlikely]]
      open_.resize(2 * open_.size());
    open_[depth_++] = {times_.find_nanoseconds(call.time), 0, call.function, ids_[path]};
    if (is_stream_) [[unlikely]]
      cursor_.leave();
  }

  [[gnu::always_inline]] void leave(const CallEnd& call) {
    if (is_stream_) [[unlikely]] {
      leave_stream(call);
      return;
    }
    const auto end = times_.find_nanoseconds(call.time);
    const auto& open = open_[--depth_];
    cursor_.leave();
    const auto duration = end - open.begin;
    if (depth_ > 0)
      open_[depth_ - 1].in_callees += duration;
    put(open, end, depth_, duration - open.in_callees);
  }

  void skip_time(const SkippedTime& time) {
    if (depth_ > 0 && !is_stream_ && time.to > time.from)
      open_[depth_ - 1].in_callees +=
          times_.find_nanoseconds(time.to) - times_.find_nanoseconds(time.from);
  }

  // All paths so far, with their ids.
  std::span<const CallPath> paths() const { return cursor_.paths(); }
  const std::vector<std::uint64_t>& ids() const { return ids_; }

 private:
  struct Open {
    std::int64_t begin = 0;       // nanoseconds
    std::int64_t in_callees = 0;  // the same, with time that is not recorded
    FunctionIndex function = 0;
    std::uint64_t path = 0;  // its id
  };

  void leave_stream(const CallEnd& call) {
    const auto function = trace_.functions().find(call.region).function;
    const auto last = open_.begin() + static_cast<std::ptrdiff_t>(depth_);
    auto ended = std::find_if(open_.begin(), last,
                              [&](const Open& open) { return open.function == function; });
    if (ended == last)
      --ended;
    const auto end = times_.find_nanoseconds(call.time);
    put(*ended, end, 0, end - ended->begin);
    std::move(ended + 1, last, ended);
    --depth_;
  }

  [[gnu::always_inline]] void put(const Open& call, std::int64_t end, std::size_t depth,
                                  std::int64_t exclusive) {
    part_->add(id_)
        .add_optional(rank_)
        .add(thread_)
        .add(depth)
        .add(call.function)
        .add(call.path)
        .add(static_cast<std::uint64_t>(end))
        .add(static_cast<std::uint64_t>(end - call.begin))
        .add(static_cast<std::uint64_t>(exclusive))
        .end_row();
  }

  const ExportedTrace& trace_;
  const TraceTimes times_;
  TablePart* part_ = nullptr;
  std::uint64_t id_ = 0, thread_ = 0;
  std::optional<std::uint64_t> rank_;
  bool is_stream_ = false;
  CallPathCursor cursor_;
  std::vector<std::uint64_t> ids_;                  // by path
  std::vector<Open> open_ = std::vector<Open>(64);  // the first depth_ are open calls
  std::size_t depth_ = 0;
};

// Collective, file and one-sided operations, and metrics. Where the completion of an operation is
// not recorded, it lasts until the last record of its process.
class OperationRows {
 public:
  // Null: the table is not wanted.
  struct Parts {
    TablePart *collectives = nullptr, *metrics = nullptr, *io = nullptr, *rma = nullptr;

    bool wants_any() const { return collectives || metrics || io || rma; }
  };

  explicit OperationRows(const ExportedTrace& trace) : trace_(trace), times_(trace.times()) {}

  void begin_unit(const Parts& parts);
  void begin_process(const ExportedProcess& process);
  void add(const Event& event);
  // `last`: the time of its last record, in ticks.
  void end_process(std::uint64_t last);

  bool wants(EventKind kind) const;

 private:
  // An operation that is open.
  struct Begun {
    EventKind kind{};
    std::uint64_t time = 0;
    std::array<std::uint64_t, max_event_fields> fields{};
  };
  struct MetricMember {
    std::uint64_t name, unit;  // texts of the part
  };

  void add_operation(const Event& event);
  void end_operation(const Begun& begun, const Event* end, std::uint64_t time);
  void put_collective(const Begun& begun, const Event& end);
  void put_io(const Begun& begun, const Event* end, std::uint64_t time);
  void put_rma(const Begun& begun, bool is_complete, std::uint64_t time);
  void put_metric(const Event& event);
  void put_times(TablePart& part, std::uint64_t begin, std::uint64_t end) const;

  std::optional<std::uint64_t> find_root(std::uint64_t comm, std::uint64_t root) const;
  std::optional<std::uint64_t> find_target(std::uint64_t window, std::uint64_t rank) const;
  std::optional<std::string_view> find_file(std::uint64_t handle) const;
  const std::vector<MetricMember>& find_members(std::uint64_t metric);

  const ExportedTrace& trace_;
  const TraceTimes times_;
  Parts parts_;
  std::uint64_t location_ = 0, id_ = 0;
  std::optional<std::uint64_t> rank_;
  OperationCursor cursor_{OperationCursor::Reuse::queues};
  std::map<std::uint64_t, Begun> open_;  // by number
  std::map<std::tuple<std::uint64_t, std::uint64_t, bool>, std::uint64_t> instances_;
  std::unordered_map<std::uint64_t, std::vector<MetricMember>> members_;  // by metric
};

// Passes events on to the rows that are wanted.
struct EventRowsSink {
  static constexpr bool is_hot = true;
  static constexpr bool keeps_order = true;

  CallRows* calls = nullptr;
  OperationRows* operations = nullptr;

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute>) {
    if (calls)
      calls->enter(call);
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute>) {
    if (calls)
      calls->leave(call);
  }
  void other(const Event& event) {
    if (operations)
      operations->add(event);
  }
  void unknown(std::uint64_t) {}
  void skip_time(const SkippedTime& time) {
    if (calls)
      calls->skip_time(time);
  }
  [[gnu::always_inline]] bool wants(EventKind kind) const {
    return operations && operations->wants(kind);
  }
};

}  // namespace tracefold
