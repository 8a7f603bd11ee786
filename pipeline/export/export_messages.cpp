#include "base/output_error.hpp"
#include "model/profile/time_metric.hpp"
#include "pipeline/export/export_events.hpp"
#include "pipeline/viewers/message_links.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

// When a message is received, in nanoseconds. In the temporary file its place is by the number of
// the message.
struct ReceiveTimes {
  std::int64_t begin = 0, end = 0;
};

// The receives of all messages that have a number, in no order. Thread-safe.
class ReceiveFile {
 public:
  explicit ReceiveFile(const std::filesystem::path& folder) {
    const auto path = folder / ".receives";
    file_ = ::open(path.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (file_ < 0)
      throw output_error("cannot be written", errno);
    ::unlink(path.c_str());
  }
  ~ReceiveFile() { ::close(file_); }
  ReceiveFile(const ReceiveFile&) = delete;
  ReceiveFile& operator=(const ReceiveFile&) = delete;

  using Receive = std::pair<std::uint64_t, ReceiveTimes>;

  void write(std::vector<Receive>& receives) {
    for_each_run(receives, [&](std::vector<ReceiveTimes>& run, std::uint64_t first) {
      transfer(run, first, ::pwrite, "cannot be written");
    });
  }
  // Fills in the times of these numbers, in any order of these.
  void read(std::vector<Receive>& receives) {
    auto at = receives.begin();
    for_each_run(receives, [&](std::vector<ReceiveTimes>& run, std::uint64_t first) {
      transfer(run, first, ::pread, "what was written cannot be read again");
      for (const auto& times : run)
        (at++)->second = times;
    });
  }

 private:
  // Sorts them by number, and calls step() for neighbours together.
  template <class Step>
  static void for_each_run(std::vector<Receive>& receives, Step&& step) {
    std::sort(receives.begin(), receives.end(),
              [](const Receive& a, const Receive& b) { return a.first < b.first; });
    std::vector<ReceiveTimes> run;
    for (std::size_t i = 0; i < receives.size();) {
      const auto first = receives[i].first;
      run.clear();
      for (; i < receives.size() && receives[i].first == first + run.size(); ++i)
        run.push_back(receives[i].second);
      step(run, first);
    }
  }

  template <class Call>
  void transfer(std::vector<ReceiveTimes>& run, std::uint64_t first, Call&& call,
                const char* problem) const {
    auto* bytes = reinterpret_cast<char*>(run.data());
    auto left = run.size() * sizeof(ReceiveTimes);
    auto at = first * sizeof(ReceiveTimes);
    while (left > 0) {
      const auto moved = call(file_, bytes, left, static_cast<off_t>(at));
      if (moved < 0 && errno == EINTR)
        continue;
      if (moved <= 0)
        throw output_error(problem, moved < 0 ? errno : EIO);
      bytes += moved;
      left -= static_cast<std::size_t>(moved);
      at += static_cast<std::uint64_t>(moved);
    }
  }

  int file_ = -1;
};

constexpr std::size_t most_together = std::size_t{1} << 16;

// Follows the calls of MPI of a process.
class OpenMpiCalls {
 public:
  explicit OpenMpiCalls(const std::vector<Metric>& time_metrics) : time_metrics_(time_metrics) {}

  void enter(const CallBegin& call) {
    open_.emplace_back(call.time, is_mpi_time(time_metrics_[call.function]));
  }
  void leave() { open_.pop_back(); }
  // When the innermost one began, or else the time of the record.
  std::uint64_t find_begin(std::uint64_t time) const {
    return !open_.empty() && open_.back().second ? open_.back().first : time;
  }

 private:
  const std::vector<Metric>& time_metrics_;
  std::vector<std::pair<std::uint64_t, bool>> open_;
};

// A CleanEventSink that only calls on(event, begin of its call).
template <class On>
struct MessageSink {
  OpenMpiCalls calls;
  On on;

  void enter(const CallBegin& call, std::span<const Attribute>) { calls.enter(call); }
  void leave(const CallEnd&, std::span<const Attribute>) { calls.leave(); }
  void other(const Event& event) { on(event, calls.find_begin(event.time)); }
  void unknown(std::uint64_t) {}
  bool wants(EventKind kind) const {
    using enum EventKind;
    return sends_message(kind) || receives_message(kind) || kind == MpiIrecvRequest ||
           kind == MpiRequestCancelled;
  }
};

// The rows of one process. Their receives are looked up for many together.
class SentMessages {
 public:
  SentMessages(const ExportedTrace& trace, ReceiveFile& receives, TablePart& part)
      : trace_(trace), receives_(receives), part_(part) {}

  void add(std::uint64_t sender, const Event& event, std::uint64_t begin,
           const MessageNumbers::LinkEnd& end) {
    using enum EventKind;
    Sent sent;
    sent.number = end.number;
    sent.sender = sender;
    if (end.partner)
      sent.receiver = trace_.find_id(*end.partner);
    sent.tag = get_field<"msgTag", MpiSend, MpiIsend>(event);
    sent.communicator = get_field<"communicator", MpiSend, MpiIsend>(event);
    sent.bytes = get_field<"msgLength", MpiSend, MpiIsend>(event);
    sent.begin = trace_.times().find_nanoseconds(begin);
    sent.end = trace_.times().find_nanoseconds(event.time);
    waiting_.push_back(sent);
    if (waiting_.size() == most_together)
      put();
  }

  void put() {
    std::vector<ReceiveFile::Receive> wanted;
    for (const auto& sent : waiting_)
      if (sent.number > 0)
        wanted.emplace_back(sent.number, ReceiveTimes());
    receives_.read(wanted);

    for (const auto& sent : waiting_) {
      part_.add(sent.sender).add_optional(sent.receiver).add(sent.tag).add(sent.communicator);
      part_.add(sent.bytes);
      part_.add_optional(to_unsigned(sent.begin)).add_optional(to_unsigned(sent.end));
      if (sent.number == 0) {
        part_.add_optional({}).add_optional({}).add_optional({}).end_row();
        continue;
      }
      const auto at = std::lower_bound(
          wanted.begin(), wanted.end(), sent.number,
          [](const ReceiveFile::Receive& one, std::uint64_t n) { return one.first < n; });
      const auto [begin, end] = at->second;
      const auto late = std::clamp<std::int64_t>(sent.begin - begin, 0, end - begin);
      part_.add_optional(to_unsigned(begin)).add_optional(to_unsigned(end));
      part_.add_optional(to_unsigned(late)).end_row();
    }
    waiting_.clear();
  }

 private:
  struct Sent {
    std::uint64_t number = 0, sender = 0;
    std::optional<std::uint64_t> receiver;
    std::uint64_t tag = 0, communicator = 0, bytes = 0;
    std::int64_t begin = 0, end = 0;
  };
  static std::uint64_t to_unsigned(std::int64_t time) { return static_cast<std::uint64_t>(time); }

  const ExportedTrace& trace_;
  ReceiveFile& receives_;
  TablePart& part_;
  std::vector<Sent> waiting_;
};

}  // namespace

void export_messages(const ExportedTrace& trace, const TableOutput& output,
                     const ReadOptions& options) {
  const auto& definitions = trace.definitions();
  const auto time_metrics = find_time_metrics(definitions, trace.functions());
  // Calls on(process, event, begin of its call) for the messages of each process of a unit.
  const auto read = [&](EventReader& reader, std::span<const std::size_t> processes, auto&& make) {
    for (auto p : processes) {
      auto on = make(p);
      MessageSink<decltype(on)> sink{OpenMpiCalls(time_metrics), std::move(on)};
      read_calls(reader, trace.processes()[p].location, trace.functions(), sink);
      sink.on.finish();
    }
  };

  std::vector<MessageCounts> counts(trace.processes().size());
  struct Counting {
    MessageCounter counter;
    MessageCounts& found;
    void operator()(const Event& event, std::uint64_t) { counter.add(event); }
    void finish() { found = counter.take(); }
  };
  read_units(
      trace, options,
      [&](EventReader& reader, std::size_t, std::span<const std::size_t> processes) {
        read(reader, processes, [&](std::size_t p) {
          return Counting{MessageCounter(definitions, trace.processes()[p].location), counts[p]};
        });
      },
      {});
  const MessageLinks links(std::move(counts));

  ReceiveFile receives(output.folder);
  std::atomic<std::uint64_t> unlinked{0};
  struct Receiving {
    MessageNumbers numbers;
    const TraceTimes& times;
    ReceiveFile& file;
    std::atomic<std::uint64_t>& unlinked;
    std::vector<ReceiveFile::Receive> found = {};
    void operator()(const Event& event, std::uint64_t begin) {
      if (!sends_message(event.kind) && !receives_message(event.kind))
        return;
      const auto number = numbers.find(event).number;
      if (sends_message(event.kind))
        return;
      if (number == 0) {
        ++unlinked;
        return;
      }
      found.emplace_back(
          number, ReceiveTimes{times.find_nanoseconds(begin), times.find_nanoseconds(event.time)});
      if (found.size() == most_together)
        finish();
    }
    void finish() {
      file.write(found);
      found.clear();
    }
  };
  read_units(trace, options,
             [&](EventReader& reader, std::size_t, std::span<const std::size_t> processes) {
               read(reader, processes, [&](std::size_t p) {
                 return Receiving{
                     MessageNumbers(links, p, definitions, trace.processes()[p].location),
                     trace.times(), receives, unlinked};
               });
             },
             {});

  TableFile file(ExportTable::messages, output.folder, output.format, trace.count_units(),
                 output.metadata);
  TableFile* const files[] = {&file};
  struct Sending {
    MessageNumbers numbers;
    std::uint64_t sender;
    SentMessages rows;
    void operator()(const Event& event, std::uint64_t begin) {
      if (!sends_message(event.kind) && !receives_message(event.kind))
        return;
      const auto link = numbers.find(event);
      if (sends_message(event.kind))
        rows.add(sender, event, begin, link);
    }
    void finish() { rows.put(); }
  };
  read_units(
      trace, options,
      [&](EventReader& reader, std::size_t unit, std::span<const std::size_t> processes) {
        TablePart part(file, unit);
        read(reader, processes, [&](std::size_t p) {
          const auto& process = trace.processes()[p];
          return Sending{MessageNumbers(links, p, definitions, process.location),
                         process.process.id, SentMessages(trace, receives, part)};
        });
        part.finish();
      },
      files);
  file.finish();
  if (unlinked > 0)
    trace.diagnostics().note(std::to_string(unlinked) +
                             " receives are in no row of messages, as it is not known what they "
                             "receive");
  output.written(file);
}

}  // namespace tracefold
