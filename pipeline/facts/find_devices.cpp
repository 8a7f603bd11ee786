#include "pipeline/facts/find_devices.hpp"

#include "base/team.hpp"
#include "model/iterations/interval_lists.hpp"
#include "model/summary/accelerator_calls.hpp"
#include "otf2/event.hpp"
#include "otf2/otf2_values.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

// What runs on a stream.
struct StreamUse {
  std::array<std::vector<Interval>, 3> runs;                    // by StreamWork, in any order
  std::vector<std::pair<std::uint64_t, std::uint64_t>> copied;  // when, and bytes

  std::vector<Interval>& of(StreamWork work) { return runs[static_cast<std::size_t>(work)]; }
};

class StreamSink {
 public:
  StreamSink(const std::vector<StreamWork>& works, StreamUse& use) : works_(works), use_(use) {}

  void enter(const CallBegin&, std::span<const Attribute>) {}
  void leave(const CallEnd& call, std::span<const Attribute>) {
    if (const auto work = works_[call.function]; work != StreamWork::idle)
      use_.of(work).push_back({call.time - call.inclusive, call.time});
  }
  void other(const Event& event) {
    using enum EventKind;
    if (event.kind == RmaPut || event.kind == RmaGet) {
      open_.insert_or_assign(get_field<"matchingId", RmaPut, RmaGet>(event), event.time);
      use_.copied.emplace_back(event.time, get_field<"bytes", RmaPut, RmaGet>(event));
    } else if (event.kind == RmaOpCompleteBlocking) {
      if (const auto begin = open_.extract(get_field<"matchingId", RmaOpCompleteBlocking>(event)))
        use_.of(StreamWork::copy).push_back({begin.mapped(), event.time});
    }
  }
  void unknown(std::uint64_t) {}
  bool wants(EventKind kind) const {
    using enum EventKind;
    return kind == RmaPut || kind == RmaGet || kind == RmaOpCompleteBlocking;
  }

 private:
  const std::vector<StreamWork>& works_;         // by function
  std::map<std::uint64_t, std::uint64_t> open_;  // begins of copies, by matching id
  StreamUse& use_;
};

// When a device is idle in a part of the run, which comes first.
using IdleTimes = std::pair<std::size_t, IntervalList>;

// By part, function and caller.
using HostSums = std::map<std::tuple<std::size_t, FunctionIndex, FunctionIndex>, std::uint64_t>;

// What a host does in the idle times of its devices.
class HostSink {
 public:
  HostSink(const std::vector<IdleTimes>& idle, HostSums& sums)
      : idle_(idle), next_(idle.size()), sums_(sums) {}

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

 private:
  void advance(std::uint64_t time) {
    for (std::size_t k = 0; k < idle_.size(); ++k) {
      const auto& [part, gaps] = idle_[k];
      if (const auto ticks = count(gaps, next_[k], {last_, time}); ticks > 0 && !open_.empty())
        sums_[{part, open_.back().first, open_.back().second}] += ticks;
    }
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
  HostSums& sums_;
};

// A process of the operating system with devices: processes of the plan.
struct DeviceOwner {
  std::vector<std::size_t> threads;
  std::size_t host = 0;  // of these: the host of the devices
  // The streams of each, by location group and by name.
  std::map<std::pair<std::uint64_t, std::string>, std::vector<std::size_t>> devices;
  std::uint64_t intervals = 0;  // at most
};

// "CUDA[0" of "CUDA[0:7]".
std::string name_device(const std::string& stream) {
  const auto bracket = stream.rfind('['), colon = stream.rfind(':');
  return bracket == std::string::npos || colon == std::string::npos || colon < bracket
             ? std::string()
             : stream.substr(0, colon);
}

// What a kernel is called, or how long it is, is no reason for its device to be idle.
Plan keep_all_functions(Plan plan) {
  for (auto& filter : plan.filters)
    filter = {{}, {}, filter.locations, filter.time};
  return plan;
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
    number_paths();
  }

  std::vector<ProgramDevices> find() {
    std::vector<std::size_t> hosts;
    for (const auto& [group, owner] : owners_) {
      if (owner.intervals > most_device_intervals)
        return {};
      hosts.push_back(owner.host);
    }
    if (hosts.empty())
      return {};
    const auto listed = trace_.list_own(hosts);
    const std::set<std::size_t> own(listed.begin(), listed.end());
    std::vector<const DeviceOwner*> together;
    std::uint64_t intervals = 0;
    for (const auto& [group, owner] : owners_) {
      if (!own.contains(owner.host))
        continue;
      if (intervals + owner.intervals > most_device_intervals) {
        read(std::exchange(together, {}));
        intervals = 0;
      }
      together.push_back(&owner);
      intervals += owner.intervals;
    }
    read(together);

    using Totals = std::vector<ProgramDevices>;
    totals_ = share_merged(trace_.options().team, std::move(totals_),
                           [](Totals lower, const Totals& higher) {
                             for (std::size_t part = 0; part < lower.size(); ++part)
                               lower[part].add(higher[part]);
                             return lower;
                           });
    for (auto& total : totals_)
      std::erase_if(total.hosts, [&](const auto& host) { return host.second < total.idle / 1000; });
    return std::move(totals_);
  }

 private:
  bool is_stream(std::size_t process) const {
    return program_.processes[process].type == otf2_value::location_type_accelerator;
  }
  // Also what filters and windows leave out.
  std::uint64_t count_recorded(const Process& process) const {
    const auto* location = trace_.definitions().find(Ref::location, process.id);
    return location ? get_field<"numberOfEvents", DefinitionKind::Location>(*location) : 0;
  }

  void find_owners() {
    const auto& processes = trace_.plan().processes;
    for (std::size_t p = 0; p < processes.size(); ++p) {
      const auto& process = processes[p];
      const auto events =
          is_stream(p) && trace_.functions().drops_any() ? count_recorded(process) : process.events;
      if (is_stream(p) && std::max(events, count_recorded(process)) > 0) {
        auto& owner = owners_[process.creator.value_or(process.location_group)];
        owner.devices[{process.location_group, name_device(process.name)}].push_back(p);
        owner.intervals += events / 2;
      } else if (program_.processes[p].type == otf2_value::location_type_cpu && events > 0) {
        owners_[process.location_group].threads.push_back(p);
      }
    }
    std::erase_if(owners_, [](const auto& one) {
      return one.second.threads.empty() || one.second.devices.empty();
    });
    for (auto& [group, owner] : owners_) {
      const auto& threads = owner.threads;
      const auto host = std::find_if(threads.begin(), threads.end(),
                                     [&](std::size_t p) { return calls_accelerator(p); });
      owner.host = host == threads.end() ? threads.front() : *host;
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

  void number_paths() {
    const auto& paths = program_.calls.profiles.paths;
    const auto find_function = [&](PathIndex path) {
      const auto function = path == no_path ? virtual_root : paths[path].function;
      return function == virtual_root ? Function() : program_.calls.functions[function];
    };
    for (PathIndex path = 0; path < paths.size(); ++path)
      paths_.emplace(std::pair(find_function(path), find_function(paths[path].caller)), path);
  }

  void read(const std::vector<const DeviceOwner*>& owners) {
    std::map<std::size_t, StreamUse> uses;
    std::map<std::size_t, std::vector<IdleTimes>> idle;  // by host
    std::map<std::size_t, HostSums> sums;                // likewise
    std::vector<std::size_t> streams, hosts;
    for (const auto* owner : owners) {
      for (const auto& [name, device] : owner->devices)
        streams.insert(streams.end(), device.begin(), device.end());
      hosts.push_back(owner->host);
      idle[owner->host];
      sums[owner->host];
    }
    for (auto p : streams)
      uses[p];
    streams_.read_each(streams, [&](std::size_t process, const auto& read_calls_to) {
      StreamSink sink(works_, uses.at(process));
      read_calls_to(sink);
    });
    for (const auto* owner : owners)
      for (const auto& [name, device] : owner->devices)
        add_device(*owner, device, uses, idle.at(owner->host));
    trace_.read_each(hosts, [&](std::size_t process, const auto& read_calls_to) {
      HostSink sink(idle.at(process), sums.at(process));
      read_calls_to(sink);
    });

    const auto find_function = [&](FunctionIndex function) {
      return function == virtual_root ? Function() : trace_.functions().functions()[function];
    };
    for (const auto& [host, of_host] : sums)
      for (const auto& [key, ticks] : of_host) {
        const auto& [part, function, caller] = key;
        if (const auto at = paths_.find({find_function(function), find_function(caller)});
            at != paths_.end())
          totals_[part].hosts[at->second] += ticks;
      }
  }

  void add_device(const DeviceOwner& owner, const std::vector<std::size_t>& streams,
                  std::map<std::size_t, StreamUse>& uses, std::vector<IdleTimes>& idle) {
    const auto unite_streams = [&](std::initializer_list<StreamWork> works) {
      std::vector<Interval> all;
      for (auto p : streams)
        for (auto work : works) {
          const auto& own = uses.at(p).of(work);
          all.insert(all.end(), own.begin(), own.end());
        }
      return unite(std::move(all));
    };
    using Work = StreamWork;
    const auto kernels = unite_streams({Work::kernel}), copies = unite_streams({Work::copy}),
               operations = unite_streams({Work::communication});
    const auto not_busy =
        complement(unite_streams({Work::kernel, Work::copy, Work::communication}));
    const auto known = list_known(owner, streams);
    for (std::size_t part = 0; part < totals_.size(); ++part) {
      const auto span = intersect(known, unite({find_span(owner, part)}));
      if (span.empty())
        continue;
      const auto own = intersect(kernels, span);
      auto gaps = intersect(not_busy, span);
      ProgramDevices one{{}, 1, sum_lengths(span), sum_lengths(own)};
      one.copies = sum_lengths(intersect(copies, span));
      one.communication = sum_lengths(intersect(operations, span));
      one.hidden_copies = sum_lengths(intersect(copies, own));
      one.hidden_communication = sum_lengths(intersect(operations, own));
      one.idle = sum_lengths(gaps);
      for (auto p : streams)
        for (const auto& [time, bytes] : uses.at(p).copied)
          if (time >= span.front().begin && time < span.back().end)
            one.bytes += bytes;
      totals_[part].add(one);
      idle.emplace_back(part, std::move(gaps));
    }
  }

  // When all of a device is recorded.
  IntervalList list_known(const DeviceOwner& owner, const std::vector<std::size_t>& streams) const {
    std::vector<Interval> known, unknown;
    if (const auto* window = find_window(trace_.plan().filters))
      for (const auto& span : window->find_spans(trace_.plan().processes[owner.host].id))
        known.push_back({span.begin, span.end});
    else
      known = complement({});
    const auto add = [&](const SpreadTicks& ticks) {
      const auto own = ticks.list_intervals();
      unknown.insert(unknown.end(), own.begin(), own.end());
    };
    add(program_.processes[owner.host].set_aside.flushes);
    add(program_.processes[owner.host].set_aside.off);
    for (auto p : streams)
      add(program_.processes[p].set_aside.off);
    return intersect(unite(std::move(known)), complement(unite(std::move(unknown))));
  }

  // The part of the run, for the first thread that has it. The whole run is that of all threads.
  Interval find_span(const DeviceOwner& owner, std::size_t part) const {
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

  const PlannedTrace& trace_;
  const Plan all_functions_;
  const PlannedTrace streams_;  // with these
  const ProgramProfiles& program_;
  std::vector<StreamWork> works_;                             // by function
  std::map<std::uint64_t, DeviceOwner> owners_;               // by location group
  std::map<std::pair<Function, Function>, PathIndex> paths_;  // the first, by function and caller
  std::vector<ProgramDevices> totals_;                        // by part; the whole run is the last
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
