#include "pipeline/answers/read_timeline.hpp"

#include "pipeline/messages/channel.hpp"
#include "pipeline/viewers/message_links.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

constexpr FunctionIndex no_function = virtual_root;
constexpr std::size_t least_cells = 512, level_factor = 4;
constexpr std::size_t most_names = no_timeline_function;  // with that of all others

bool carries_message(EventKind kind) {
  using enum EventKind;
  return kind == MpiSend || kind == MpiIsend || kind == MpiRecv || kind == MpiIrecv;
}

// The cells of a level and a row. Times come in order.
class CellRow {
 public:
  CellRow(std::size_t cells, std::uint64_t ticks, std::size_t functions)
      : width_(static_cast<double>(ticks) / static_cast<double>(cells)),
        cells_(cells, no_function),
        ticks_(functions) {}

  // From a time up to another one, from the begin of the timeline on.
  void add(std::uint64_t from, std::uint64_t to, FunctionIndex function) {
    from = std::max(from, begin_of(cell_));
    while (from < to) {
      const auto cell = static_cast<std::size_t>(static_cast<double>(from) / width_);
      if (cell >= cells_.size())
        return;
      if (cell != cell_)
        finish_cell();
      cell_ = cell;
      const auto end = std::min(to, std::max(begin_of(cell + 1), from + 1));
      if (ticks_[function] == 0)
        used_.push_back(function);
      ticks_[function] += end - from;
      from = end;
    }
  }
  std::vector<FunctionIndex> take() {
    finish_cell();
    return std::move(cells_);
  }

 private:
  std::uint64_t begin_of(std::size_t cell) const {
    return static_cast<std::uint64_t>(std::ceil(static_cast<double>(cell) * width_));
  }
  void finish_cell() {
    std::uint64_t most = 0;
    for (const auto function : used_) {
      const auto ticks = std::exchange(ticks_[function], 0);
      if (ticks > most || (ticks == most && function < cells_[cell_])) {
        most = ticks;
        cells_[cell_] = function;
      }
    }
    used_.clear();
  }

  double width_;  // ticks
  std::size_t cell_ = 0;
  std::vector<FunctionIndex> cells_;
  std::vector<std::uint64_t> ticks_;  // by function, in the cell
  std::vector<FunctionIndex> used_;   // in the cell
};

// Fills the cells of a row, and counts its messages. A sink of clean events.
class TimelineSink {
 public:
  TimelineSink(const TimeSpan& span, std::vector<CellRow>& levels, const Definitions& definitions,
               std::uint64_t location)
      : span_(span), levels_(levels), messages_(definitions, location) {}

  void enter(const CallBegin& call, std::span<const Attribute>) {
    go_to(call.time);
    open_.push_back(call.function);
  }
  void leave(const CallEnd& call, std::span<const Attribute>) {
    go_to(call.time);
    open_.pop_back();
  }
  void other(const Event& event) { messages_.add(event); }
  void unknown(std::uint64_t) {}
  void skip_time(const SkippedTime& time) {
    go_to(time.from);
    last_ = time.to;
  }

  MessageCounts take_messages() { return messages_.take(); }

 private:
  void go_to(std::uint64_t time) {
    const auto from = std::max(last_, span_.begin), to = std::min(time, span_.end);
    if (!open_.empty() && from < to)
      for (auto& level : levels_)
        level.add(from - span_.begin, to - span_.begin, open_.back());
    last_ = time;
  }

  const TimeSpan span_;
  std::vector<CellRow>& levels_;
  MessageCounter messages_;
  std::vector<FunctionIndex> open_;
  std::uint64_t last_ = 0;
};

struct Receipt {
  std::uint64_t ticks = 0, number = 0, time = 0;  // of the call that receives
  std::uint32_t row = 0;

  bool operator<(const Receipt& other) const {  // the longest first
    return std::tie(other.ticks, number) < std::tie(ticks, other.number);
  }
};

// The messages of a row whose receives take longest. A sink of clean events.
class ReceiptSink {
 public:
  ReceiptSink(MessageNumbers numbers, std::uint32_t row, std::size_t most)
      : numbers_(std::move(numbers)), row_(row), most_(most) {}

  void enter(const CallBegin&, std::span<const Attribute>) {}
  void leave(const CallEnd& call, std::span<const Attribute>) {
    for (auto& receipt : in_call_)
      receipt.ticks = call.inclusive;
    longest_.insert(longest_.end(), in_call_.begin(), in_call_.end());
    in_call_.clear();
    if (longest_.size() >= 2 * most_)
      keep_longest();
  }
  void other(const Event& event) {
    if (!carries_message(event.kind))
      return;
    const auto number = numbers_.find(event).number;
    if (number == 0)
      return;
    ++messages_;
    if (receives_message(event.kind))
      in_call_.push_back({0, number, event.time, row_});
  }
  void unknown(std::uint64_t) {}

  std::vector<Receipt> take() {
    keep_longest();
    return std::move(longest_);
  }
  std::uint64_t messages() const { return messages_; }

 private:
  void keep_longest() {
    std::sort(longest_.begin(), longest_.end());
    longest_.resize(std::min(longest_.size(), most_));
  }

  MessageNumbers numbers_;
  std::uint32_t row_;
  std::size_t most_;
  std::vector<Receipt> in_call_, longest_;
  std::uint64_t messages_ = 0;
};

// Finds when and where messages of these numbers are sent. A sink of clean events.
class SendSink {
 public:
  struct Send {
    std::uint64_t number, time;
    std::uint32_t row;
  };
  SendSink(MessageNumbers numbers, std::uint32_t row, const std::vector<std::uint64_t>& wanted)
      : numbers_(std::move(numbers)), row_(row), wanted_(wanted) {}

  void enter(const CallBegin&, std::span<const Attribute>) {}
  void leave(const CallEnd&, std::span<const Attribute>) {}
  void other(const Event& event) {
    if (!carries_message(event.kind))
      return;
    const auto number = numbers_.find(event).number;
    if (!receives_message(event.kind) && std::binary_search(wanted_.begin(), wanted_.end(), number))
      sends_.push_back({number, event.time, row_});
  }
  void unknown(std::uint64_t) {}

  std::vector<Send> take() { return std::move(sends_); }

 private:
  MessageNumbers numbers_;
  std::uint32_t row_;
  const std::vector<std::uint64_t>& wanted_;
  std::vector<Send> sends_;
};

class TimelineReader {
 public:
  TimelineReader(const PlannedTrace& trace, const std::vector<std::size_t>& processes,
                 const TimeSpan& span, const TimelineLimits& most)
      : trace_(trace), processes_(processes), span_(span), most_(most) {
    for (std::uint32_t row = 0; row < processes.size(); ++row)
      row_of_.emplace(processes[row], row);
    auto cells = std::min({most.cells, most.all_cells / processes.size(), span.end - span.begin});
    do
      cells_of_.push_back(cells);
    while ((cells /= level_factor) >= least_cells);
  }

  std::optional<ReportTimeline> read(const std::map<std::string, Paradigm>& kinds) {
    const auto counts = read_cells();
    name_functions(kinds);
    if (out_.functions.empty())
      return std::nullopt;
    out_.seconds = to_seconds(span_.end);
    read_messages(MessageLinks(counts));
    return std::move(out_);
  }

 private:
  double to_seconds(std::uint64_t time) const {
    const auto resolution = trace_.plan().trace.ticks_per_second;
    return static_cast<double>(time - span_.begin) /
           (resolution ? static_cast<double>(resolution) : 1e9);
  }
  std::uint64_t find_location(std::size_t process) const {
    return trace_.plan().processes[process].id;
  }

  std::vector<MessageCounts> read_cells() {
    std::vector<MessageCounts> counts(processes_.size());
    levels_.assign(cells_of_.size(), std::vector<std::vector<FunctionIndex>>(processes_.size()));
    trace_.read_each(processes_, [&](std::size_t process, const auto& read_calls_to) {
      std::vector<CellRow> rows;
      for (const auto cells : cells_of_)
        rows.emplace_back(cells, span_.end - span_.begin, trace_.functions().functions().size());
      TimelineSink sink(span_, rows, trace_.definitions(), find_location(process));
      read_calls_to(sink);
      const auto row = row_of_.at(process);
      counts[row] = sink.take_messages();
      for (std::size_t level = 0; level < rows.size(); ++level)
        levels_[level][row] = rows[level].take();
    });
    return counts;
  }

  // Those with most cells have names; all others share one.
  void name_functions(const std::map<std::string, Paradigm>& kinds) {
    const auto& functions = trace_.functions().functions();
    std::vector<std::uint64_t> cells(functions.size());
    for (const auto& level : levels_)
      for (const auto& row : level)
        for (const auto function : row)
          if (function != no_function)
            ++cells[function];
    std::vector<FunctionIndex> order;
    for (FunctionIndex f = 0; f < functions.size(); ++f)
      if (cells[f] > 0)
        order.push_back(f);
    std::stable_sort(order.begin(), order.end(),
                     [&](FunctionIndex a, FunctionIndex b) { return cells[a] > cells[b]; });

    const bool has_others = order.size() > most_names;
    std::vector<std::uint8_t> place(functions.size(), most_names - 1);
    for (std::size_t k = 0; k < order.size() && k + has_others < most_names; ++k) {
      const auto& name = functions[order[k]].shown_name();
      const auto kind = kinds.find(name);
      place[order[k]] = static_cast<std::uint8_t>(k);
      out_.functions.push_back({name, kind == kinds.end() ? Paradigm::computation : kind->second});
    }
    if (has_others)
      out_.functions.push_back({"other functions", Paradigm::computation});

    for (std::size_t level = 0; level < levels_.size(); ++level) {
      auto& shown = out_.levels.emplace_back(ReportTimeline::Level{cells_of_[level], {}});
      for (const auto& row : levels_[level])
        for (const auto function : row)
          shown.functions.push_back(function == no_function ? no_timeline_function
                                                            : place[function]);
    }
  }

  MessageNumbers number_messages(const MessageLinks& links, std::size_t process) const {
    return {links, row_of_.at(process), trace_.definitions(), find_location(process)};
  }

  void read_messages(const MessageLinks& links) {
    std::vector<std::vector<Receipt>> of_rows(processes_.size());
    std::vector<std::uint64_t> counts(processes_.size());
    trace_.read_each(processes_, [&](std::size_t process, const auto& read_calls_to) {
      const auto row = row_of_.at(process);
      ReceiptSink sink(number_messages(links, process), row, most_.messages);
      read_calls_to(sink);
      of_rows[row] = sink.take();
      counts[row] = sink.messages();
    });
    out_.all_messages = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}) / 2;
    std::vector<Receipt> longest;
    for (const auto& of_row : of_rows)
      longest.insert(longest.end(), of_row.begin(), of_row.end());
    std::sort(longest.begin(), longest.end());
    longest.resize(std::min(longest.size(), most_.messages));
    if (!longest.empty())
      find_sends(links, longest);
  }

  void find_sends(const MessageLinks& links, const std::vector<Receipt>& longest) {
    std::vector<std::uint64_t> wanted;
    for (const auto& receipt : longest)
      wanted.push_back(receipt.number);
    std::sort(wanted.begin(), wanted.end());
    std::vector<std::vector<SendSink::Send>> of_rows(processes_.size());
    trace_.read_each(processes_, [&](std::size_t process, const auto& read_calls_to) {
      const auto row = row_of_.at(process);
      SendSink sink(number_messages(links, process), row, wanted);
      read_calls_to(sink);
      of_rows[row] = sink.take();
    });

    std::unordered_map<std::uint64_t, SendSink::Send> sends;
    for (const auto& of_row : of_rows)
      for (const auto& send : of_row)
        sends.emplace(send.number, send);
    for (const auto& receipt : longest)
      if (const auto send = sends.find(receipt.number);
          send != sends.end() && send->second.time >= span_.begin && receipt.time <= span_.end)
        out_.messages.push_back({send->second.row, receipt.row,
                                 static_cast<float>(to_seconds(send->second.time)),
                                 static_cast<float>(to_seconds(receipt.time))});
  }

  const PlannedTrace& trace_;
  const std::vector<std::size_t>& processes_;
  const TimeSpan span_;
  const TimelineLimits most_;
  std::unordered_map<std::size_t, std::uint32_t> row_of_;
  std::vector<std::size_t> cells_of_;                            // by level
  std::vector<std::vector<std::vector<FunctionIndex>>> levels_;  // by level, row and cell
  ReportTimeline out_;
};

}  // namespace

std::optional<ReportTimeline> read_timeline(const PlannedTrace& trace,
                                            const std::vector<std::size_t>& processes,
                                            const TimeSpan& span,
                                            const std::map<std::string, Paradigm>& kinds,
                                            const TimelineLimits& most) {
  if (processes.empty() || span.end <= span.begin)
    return std::nullopt;
  return TimelineReader(trace, processes, span, most).read(kinds);
}

}  // namespace tracefold
