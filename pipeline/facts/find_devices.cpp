#include "pipeline/facts/find_devices.hpp"

#include "base/team.hpp"
#include "model/iterations/interval_lists.hpp"
#include "model/summary/accelerator_calls.hpp"
#include "otf2/event.hpp"
#include "otf2/otf2_values.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

// What runs on a stream, in any order.
struct StreamUse {
  std::vector<Interval> kernels, copies, communication;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> copied;  // when, and bytes

  void append(StreamUse more) {
    const auto add = [](auto& to, const auto& from) {
      to.insert(to.end(), from.begin(), from.end());
    };
    add(kernels, more.kernels);
    add(copies, more.copies);
    add(communication, more.communication);
    add(copied, more.copied);
  }
};

class StreamSink {
 public:
  explicit StreamSink(const std::vector<StreamWork>& works) : works_(works) {}

  void enter(const CallBegin&, std::span<const Attribute>) {}
  void leave(const CallEnd& call, std::span<const Attribute>) {
    const Interval run{call.time - call.inclusive, call.time};
    switch (works_[call.function]) {
      case StreamWork::kernel: use_.kernels.push_back(run); break;
      case StreamWork::copy: use_.copies.push_back(run); break;
      case StreamWork::communication: use_.communication.push_back(run); break;
      case StreamWork::idle: break;
    }
  }
  void other(const Event& event) {
    using enum EventKind;
    switch (event.kind) {
      case RmaPut: begin_copy<RmaPut>(event); break;
      case RmaGet: begin_copy<RmaGet>(event); break;
      case RmaOpCompleteBlocking: end_copy<RmaOpCompleteBlocking>(event); break;
      case RmaOpCompleteNonBlocking: end_copy<RmaOpCompleteNonBlocking>(event); break;
      default: break;
    }
  }
  void unknown(std::uint64_t) {}
  bool wants(EventKind kind) const {
    using enum EventKind;
    return kind == RmaPut || kind == RmaGet || kind == RmaOpCompleteBlocking ||
           kind == RmaOpCompleteNonBlocking;
  }

  StreamUse take() { return std::move(use_); }

 private:
  template <EventKind Kind>
  void begin_copy(const Event& event) {
    open_.insert_or_assign(get_field<"matchingId", Kind>(event), event.time);
    use_.copied.emplace_back(event.time, get_field<"bytes", Kind>(event));
  }
  template <EventKind Kind>
  void end_copy(const Event& event) {
    if (const auto begin = open_.extract(get_field<"matchingId", Kind>(event)))
      use_.copies.push_back({begin.mapped(), event.time});
  }

  const std::vector<StreamWork>& works_;         // by function
  std::map<std::uint64_t, std::uint64_t> open_;  // begins of copies, by matching id
  StreamUse use_;
};

// When a device is idle in a part of the run.
struct IdleTimes {
  std::size_t part;
  IntervalList gaps;
};

// By part, function and caller.
using HostSums = std::map<std::tuple<std::size_t, FunctionIndex, FunctionIndex>, std::uint64_t>;

// What a host does in the idle times of its devices.
class HostSink {
 public:
  explicit HostSink(const std::vector<IdleTimes>& idle) : idle_(idle), next_(idle.size()) {}

  void enter(const CallBegin& call, std::span<const Attribute>) {
    advance(call.time);
    open_.emplace_back(call.function, call.caller);
  }
  void leave(const CallEnd& call, std::span<const Attribute>) {
    advance(call.time);
    open_.pop_back();
  }
  void other(const Event&) {}
  void unknown(std::uint64_t) {}
  bool wants(EventKind) const { return false; }

  HostSums take() { return std::move(sums_); }

 private:
  void advance(std::uint64_t time) {
    for (std::size_t k = 0; k < idle_.size(); ++k)
      if (const auto ticks = count(idle_[k].gaps, next_[k], {last_, time});
          ticks > 0 && !open_.empty())
        sums_[{idle_[k].part, open_.back().first, open_.back().second}] += ticks;
    last_ = time;
  }
  // `next`: the first gap that does not end before the interval.
  static std::uint64_t count(const IntervalList& gaps, std::size_t& next, const Interval& in) {
    while (next < gaps.size() && gaps[next].end <= in.begin)
      ++next;
    std::uint64_t ticks = 0;
    for (auto k = next; k < gaps.size() && gaps[k].begin < in.end; ++k)
      ticks += std::min(gaps[k].end, in.end) - std::max(gaps[k].begin, in.begin);
    return ticks;
  }

  const std::vector<IdleTimes>& idle_;
  std::vector<std::size_t> next_;  // gap of each
  std::vector<std::pair<FunctionIndex, FunctionIndex>> open_;
  std::uint64_t last_ = 0;
  HostSums sums_;
};

// A process of the operating system with devices: processes of the plan.
struct Owner {
  std::vector<std::size_t> threads;
  std::size_t host = 0;                           // of these: the host of the devices
  std::vector<std::vector<std::size_t>> devices;  // streams of each
  std::uint64_t intervals = 0;                    // at most
};

// "CUDA[0" of "CUDA[0:7]".
std::string name_device(const std::string& stream) {
  const auto bracket = stream.rfind('['), colon = stream.rfind(':');
  return bracket == std::string::npos || colon == std::string::npos || colon < bracket
             ? std::string()
             : stream.substr(0, colon);
}

class DeviceFinder {
 public:
  DeviceFinder(const PlannedTrace& trace, const ProgramProfiles& program)
      : trace_(trace),
        all_functions_(keep_all_functions(trace.plan())),
        streams_(trace.archive(), all_functions_, trace.options(), trace.diagnostics()),
        program_(program) {
    for (const auto& function : streams_.functions().functions())
      works_.push_back(find_stream_work(function));
    for (const auto& scope : program.scopes)
      totals_.emplace_back().part = scope.name;
    totals_.emplace_back().part = ProgramReplay::run;
    find_owners();
  }

  std::vector<ProgramDevices> find() {
    const bool is_too_much = std::any_of(owners_.begin(), owners_.end(), [](const Owner& owner) {
      return owner.intervals > most_device_intervals;
    });
    if (owners_.empty() || is_too_much)
      return {};
    std::vector<const Owner*> together;
    std::uint64_t intervals = 0;
    for (const auto* owner : list_own()) {
      if (intervals + owner->intervals > most_device_intervals) {
        read(together);
        together.clear();
        intervals = 0;
      }
      together.push_back(owner);
      intervals += owner->intervals;
    }
    read(together);
    share();
    name_hosts();
    return std::move(totals_);
  }

 private:
  // What a kernel is called, or how long it is, is no reason for its device to be idle.
  static Plan keep_all_functions(Plan plan) {
    for (auto& filter : plan.filters)
      filter = {{}, {}, filter.locations, filter.time};
    return plan;
  }

  bool is_stream(std::size_t process) const {
    return program_.processes[process].type == otf2_value::location_type_accelerator;
  }

  // Also what filters and windows leave out.
  std::uint64_t count_recorded(const Process& process) const {
    const auto* location = trace_.definitions().find(Ref::location, process.id);
    return location ? get_field<"numberOfEvents", DefinitionKind::Location>(*location) : 0;
  }

  void find_owners() {
    struct Found {
      std::vector<std::size_t> threads;
      std::map<std::pair<std::uint64_t, std::string>, std::vector<std::size_t>> devices;
    };
    std::map<std::uint64_t, Found> found;  // by location group
    const auto& processes = trace_.plan().processes;
    for (std::size_t p = 0; p < processes.size(); ++p) {
      const auto& process = processes[p];
      if (std::max(process.events, is_stream(p) ? count_recorded(process) : 0) == 0)
        continue;
      if (is_stream(p))
        found[process.creator.value_or(process.location_group)]
            .devices[{process.location_group, name_device(process.name)}]
            .push_back(p);
      else if (program_.processes[p].type == otf2_value::location_type_cpu)
        found[process.location_group].threads.push_back(p);
    }
    for (auto& [group, of] : found) {
      if (of.threads.empty() || of.devices.empty())
        continue;
      auto& owner = owners_.emplace_back();
      owner.threads = std::move(of.threads);
      const auto host = std::find_if(owner.threads.begin(), owner.threads.end(),
                                     [&](std::size_t p) { return calls_accelerator(p); });
      owner.host = host == owner.threads.end() ? owner.threads.front() : *host;
      for (auto& [key, streams] : of.devices) {
        for (auto p : streams)
          owner.intervals += (trace_.functions().drops_any() ? count_recorded(processes[p])
                                                             : processes[p].events) /
                             2;
        owner.devices.push_back(std::move(streams));
      }
    }
  }
  bool calls_accelerator(std::size_t process) const {
    const auto& profiles = program_.calls.profiles;
    const auto& paths = profiles.shape(process).paths;
    return std::any_of(paths.begin(), paths.end(), [&](PathIndex path) {
      const auto function = profiles.paths[path].function;
      return function != virtual_root && is_of_accelerator(program_.calls.functions[function]);
    });
  }

  std::vector<const Owner*> list_own() const {
    std::vector<std::size_t> hosts;
    for (const auto& owner : owners_)
      hosts.push_back(owner.host);
    const auto ids = find_locations(trace_.archive(), trace_.plan(), hosts);
    const Shares shares(trace_.definitions(), ids, trace_.options().team);
    std::vector<const Owner*> own;
    for (std::size_t o = 0; o < owners_.size(); ++o)
      if (shares.is_own(ids[o]))
        own.push_back(&owners_[o]);
    return own;
  }

  void read(const std::vector<const Owner*>& owners) {
    std::map<std::size_t, StreamUse> uses;
    std::map<std::size_t, std::vector<IdleTimes>> idle;  // by host
    std::map<std::size_t, HostSums> sums;
    std::vector<std::size_t> streams, hosts;
    for (const auto* owner : owners) {
      for (const auto& device : owner->devices)
        streams.insert(streams.end(), device.begin(), device.end());
      hosts.push_back(owner->host);
      sums[owner->host];
      idle[owner->host];
    }
    for (auto p : streams)
      uses[p];
    streams_.read_each(streams, [&](std::size_t process, const auto& read_calls_to) {
      StreamSink sink(works_);
      read_calls_to(sink);
      uses.at(process) = sink.take();
    });
    for (const auto* owner : owners)
      for (const auto& device : owner->devices) {
        StreamUse all;
        for (auto p : device)
          all.append(std::move(uses.at(p)));
        add_device(*owner, device, std::move(all), idle.at(owner->host));
      }
    trace_.read_each(hosts, [&](std::size_t process, const auto& read_calls_to) {
      HostSink sink(idle.at(process));
      read_calls_to(sink);
      sums.at(process) = sink.take();
    });
    for (const auto& [host, of_host] : sums)
      for (const auto& [key, ticks] : of_host)
        sums_[key] += ticks;
  }

  void add_device(const Owner& owner, const std::vector<std::size_t>& streams, StreamUse use,
                  std::vector<IdleTimes>& idle) {
    const auto known = list_known(owner, streams);
    const auto kernels = unite(std::move(use.kernels)), copies = unite(std::move(use.copies)),
               communication = unite(std::move(use.communication));
    auto busy = kernels;
    busy.insert(busy.end(), copies.begin(), copies.end());
    busy.insert(busy.end(), communication.begin(), communication.end());
    busy = unite(std::move(busy));

    for (std::size_t part = 0; part < totals_.size(); ++part) {
      const auto span = intersect(known, unite({find_span(owner, part)}));
      if (span.empty())
        continue;
      const auto own_kernels = intersect(kernels, span), own_copies = intersect(copies, span),
                 own_communication = intersect(communication, span);
      auto gaps = subtract(span, busy);
      auto& to = totals_[part];
      ++to.devices;
      to.time += sum_lengths(span);
      to.kernels += sum_lengths(own_kernels);
      to.copies += sum_lengths(own_copies);
      to.communication += sum_lengths(own_communication);
      to.hidden_copies += sum_lengths(intersect(own_copies, own_kernels));
      to.hidden_communication += sum_lengths(intersect(own_communication, own_kernels));
      to.idle += sum_lengths(gaps);
      for (const auto& [time, bytes] : use.copied)
        if (time >= span.front().begin && time < span.back().end)
          to.bytes += bytes;
      idle.push_back({part, std::move(gaps)});
    }
  }

  // When all of a device is recorded.
  IntervalList list_known(const Owner& owner, const std::vector<std::size_t>& streams) const {
    const auto host = owner.host;
    std::vector<Interval> known, unknown;
    if (const auto* window = find_window(trace_.plan().filters))
      for (const auto& span : window->find_spans(trace_.plan().processes[host].id))
        known.push_back({span.begin, span.end});
    else
      known.push_back({0, ~std::uint64_t{0}});
    const auto add = [&](const SpreadTicks& ticks) {
      for (const auto& one : ticks.list_intervals())
        unknown.push_back(one);
    };
    add(program_.processes[host].set_aside.flushes);
    add(program_.processes[host].set_aside.off);
    for (auto p : streams)
      add(program_.processes[p].set_aside.off);
    return subtract(unite(std::move(known)), unite(std::move(unknown)));
  }

  // The part of the run, for the first thread that has it. The whole run is that of all threads.
  Interval find_span(const Owner& owner, std::size_t part) const {
    std::optional<Interval> all;
    for (auto p : owner.threads) {
      const auto& process = program_.processes[p];
      if (part == program_.scopes.size()) {
        const Interval life{process.first_time, process.last_time};
        all = all ? Interval{std::min(all->begin, life.begin), std::max(all->end, life.end)} : life;
        continue;
      }
      const auto& spans = program_.scopes[part].spans;
      const auto span = spans.empty() ? Interval{process.mpi_begin, process.mpi_end} : spans[p];
      if (span.end > 0)
        return span;
    }
    return all.value_or(Interval{});
  }

  // What the members of a team have found is known to all of them then.
  void share() {
    using Found = std::pair<std::vector<ProgramDevices>, HostSums>;
    auto found = share_merged(trace_.options().team, Found(std::move(totals_), std::move(sums_)),
                              [](Found lower, const Found& higher) {
                                for (std::size_t part = 0; part < lower.first.size(); ++part) {
                                  lower.first[part].devices += higher.first[part].devices;
                                  lower.first[part].add_times(higher.first[part]);
                                }
                                for (const auto& [key, ticks] : higher.second)
                                  lower.second[key] += ticks;
                                return lower;
                              });
    std::tie(totals_, sums_) = std::move(found);
  }

  // By the call paths of the program.
  void name_hosts() {
    const auto& functions = program_.calls.functions;
    const auto& paths = program_.calls.profiles.paths;
    const auto find_function = [&](PathIndex path) {
      const auto function = path == no_path ? virtual_root : paths[path].function;
      return function == virtual_root ? Function() : functions[function];
    };
    std::map<std::pair<Function, Function>, PathIndex> numbers;
    for (PathIndex path = 0; path < paths.size(); ++path)
      numbers.emplace(std::pair(find_function(path), find_function(paths[path].caller)), path);
    const auto find_read = [&](FunctionIndex function) {
      return function == virtual_root ? Function() : trace_.functions().functions()[function];
    };
    for (const auto& [key, ticks] : sums_) {
      const auto& [part, function, caller] = key;
      if (const auto at = numbers.find({find_read(function), find_read(caller)});
          at != numbers.end())
        totals_[part].hosts.push_back({at->second, ticks});
    }
    for (auto& total : totals_) {
      std::stable_sort(total.hosts.begin(), total.hosts.end(),
                       [](const auto& a, const auto& b) { return a.ticks > b.ticks; });
      total.hosts.resize(std::min(total.hosts.size(), ProgramDevices::most_hosts));
    }
  }

  const PlannedTrace& trace_;
  const Plan all_functions_;
  const PlannedTrace streams_;  // with these
  const ProgramProfiles& program_;
  std::vector<StreamWork> works_;  // by function
  std::vector<Owner> owners_;
  std::vector<ProgramDevices> totals_;  // by part; the whole run is the last
  HostSums sums_;
};

}  // namespace

std::vector<ProgramDevices> find_devices(const PlannedTrace& trace,
                                         const ProgramProfiles& program) {
  const bool has_streams = std::any_of(
      program.processes.begin(), program.processes.end(), [](const ProgramProcess& process) {
        return process.type == otf2_value::location_type_accelerator;
      });
  if (!has_streams || trace.plan().chosen)
    return {};
  return DeviceFinder(trace, program).find();
}

}  // namespace tracefold
