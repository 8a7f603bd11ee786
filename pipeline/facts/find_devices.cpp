#include "pipeline/facts/find_devices.hpp"

#include "base/team.hpp"
#include "model/iterations/interval_lists.hpp"
#include "model/summary/accelerator_calls.hpp"
#include "otf2/event.hpp"
#include "otf2/otf2_values.hpp"
#include "otf2/record.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

constexpr std::uint64_t tolerated_part = 100;  // of the length of a call

// A call on a stream, or a copy by one-sided operations.
struct StreamRun {
  std::uint64_t begin = 0, end = 0;
  FunctionIndex function = virtual_root;  // virtual_root: none that is waited for
  StreamWork work = StreamWork::copy;
};

// What calls of a function on a stream are.
struct StreamFunction {
  FunctionIndex waited_for = virtual_root;  // as StreamRun has it
  StreamWork work = StreamWork::idle;
};

struct StreamUse {
  std::size_t process = 0;
  std::uint64_t location = 0;
  std::vector<StreamRun> runs = {};                                  // in any order
  std::vector<std::pair<std::uint64_t, std::uint64_t>> copied = {};  // when, and bytes

  // Leaves what hosts may wait for, ascending by end.
  void keep_waited() {
    std::erase_if(runs, [](const StreamRun& run) { return run.function == virtual_root; });
    std::stable_sort(runs.begin(), runs.end(),
                     [](const StreamRun& a, const StreamRun& b) { return a.end < b.end; });
  }
  // Then: those that end in a call.
  std::span<const StreamRun> find_ending(const Interval& call) const {
    const auto ends_by = [](const StreamRun& run, std::uint64_t time) { return run.end <= time; };
    const auto last = call.end + (call.end - call.begin) / tolerated_part;
    const auto begin = std::lower_bound(runs.begin(), runs.end(), call.begin, ends_by);
    return {begin, std::lower_bound(begin, runs.end(), last, ends_by)};
  }
};

class StreamSink {
 public:
  StreamSink(const std::vector<StreamFunction>& functions, StreamUse& use)
      : functions_(functions), use_(use) {}

  void enter(const CallBegin&, std::span<const Attribute>) { is_innermost_ = true; }
  void leave(const CallEnd& call, std::span<const Attribute>) {
    const auto& of = functions_[call.function];
    const auto function = std::exchange(is_innermost_, false) ? of.waited_for : virtual_root;
    if (of.work != StreamWork::idle)
      use_.runs.push_back({call.time - call.inclusive, call.time, function, of.work});
  }
  void other(const Event& event) {
    using enum EventKind;
    if (event.kind == RmaPut || event.kind == RmaGet) {
      open_.insert_or_assign(get_field<"matchingId", RmaPut, RmaGet>(event), event.time);
      use_.copied.emplace_back(event.time, get_field<"bytes", RmaPut, RmaGet>(event));
    } else if (wants(event.kind)) {
      const auto id = get_field<"matchingId", RmaOpCompleteBlocking, RmaOpCompleteNonBlocking,
                                RmaOpCompleteRemote>(event);
      if (const auto begin = open_.extract(id))
        use_.runs.push_back({begin.mapped(), event.time});
    }
  }
  void unknown(std::uint64_t) {}
  bool wants(EventKind kind) const {
    using enum EventKind;
    return kind == RmaPut || kind == RmaGet || kind == RmaOpCompleteBlocking ||
           kind == RmaOpCompleteNonBlocking || kind == RmaOpCompleteRemote;
  }

 private:
  const std::vector<StreamFunction>& functions_;
  std::map<std::uint64_t, std::uint64_t> open_;  // begins of copies, by matching id
  bool is_innermost_ = false;                    // the call that ends next
  StreamUse& use_;
};

// What a thread does, by part of the run, function and caller.
struct HostSums {
  std::uint64_t idle = 0;                                                // while devices are idle
  std::map<std::pair<std::size_t, FunctionIndex>, std::uint64_t> waits;  // by stream and kernel
};

// A thread of a process with devices.
struct HostUse {
  std::vector<Interval> parts;                      // of the run, for this thread
  std::vector<const StreamUse*> streams;            // of its process, ascending
  std::vector<Interval> device_parts;               // of the run, for devices
  std::vector<std::pair<std::uint64_t, int>> idle;  // when, and how many more are idle
  std::map<std::tuple<std::size_t, FunctionIndex, FunctionIndex>, HostSums> sums;
};

// What a thread does while devices are idle, and which kernels it waits for.
class HostSink {
 public:
  HostSink(const std::vector<bool>& may_wait, HostUse& use) : may_wait_(may_wait), use_(use) {}

  void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    advance(call.time);
    auto& open = open_.emplace_back(Open{call.function, call.caller});
    for (const auto& attribute : attributes)
      if (may_wait_[call.function] && ref_from_type(attribute.type) == Ref::location)
        open.stream = attribute.value;
  }
  void leave(const CallEnd& call, std::span<const Attribute>) {
    advance(call.time);
    if (may_wait_[call.function])
      add_waits({call.time - call.inclusive, call.time});
    open_.pop_back();
  }
  void other(const Event&) {}
  void unknown(std::uint64_t) {}
  bool wants(EventKind) const { return false; }

 private:
  struct Open {
    FunctionIndex function, caller;
    std::optional<std::uint64_t> stream = {};  // location that the call names
  };

  void advance(std::uint64_t time) {
    for (; next_ < use_.idle.size() && use_.idle[next_].first <= time; ++next_) {
      spend(use_.idle[next_].first);
      idle_ += use_.idle[next_].second;
    }
    spend(time);
  }
  void spend(std::uint64_t time) {
    if (idle_ > 0 && !open_.empty())
      for (std::size_t part = 0; part < use_.device_parts.size(); ++part) {
        const auto& span = use_.device_parts[part];
        const auto begin = std::max(last_, span.begin), end = std::min(time, span.end);
        if (begin < end)
          use_.sums[{part, open_.back().function, open_.back().caller}].idle +=
              static_cast<std::uint64_t>(idle_) * (end - begin);
      }
    last_ = time;
  }

  void add_waits(const Interval& call) {
    const auto& open = open_.back();
    const auto is_named = [&](const StreamUse* stream) { return stream->location == open.stream; };
    const bool names_one = std::any_of(use_.streams.begin(), use_.streams.end(), is_named);
    const StreamUse* waited_for = nullptr;
    std::uint64_t last = 0;
    for (const auto* stream : use_.streams)
      if (const auto ending = stream->find_ending(call);
          (!names_one || is_named(stream)) && !ending.empty() && ending.back().end > last) {
        last = ending.back().end;
        waited_for = stream;
      }
    if (!waited_for)
      return;

    std::map<FunctionIndex, std::vector<Interval>> kernels;  // some may overlap
    for (const auto& kernel : waited_for->find_ending(call))
      kernels[kernel.function].push_back(
          {std::max(kernel.begin, call.begin), std::min(kernel.end, call.end)});
    for (auto& [function, runs] : kernels) {
      std::erase_if(runs, [](const Interval& run) { return run.begin >= run.end; });
      const auto ticks = sum_lengths(unite(std::move(runs)));
      for (std::size_t part = 0; part < use_.parts.size(); ++part)
        if (const auto& span = use_.parts[part];
            ticks > 0 && call.begin >= span.begin && call.end <= span.end)
          use_.sums[{part, open.function, open.caller}].waits[{waited_for->process, function}] +=
              ticks;
    }
  }

  const std::vector<bool>& may_wait_;  // by function
  HostUse& use_;
  std::vector<Open> open_;
  std::uint64_t last_ = 0;
  std::size_t next_ = 0;  // of the changes of idle devices
  int idle_ = 0;          // devices
};

// A process of the operating system with devices: processes of the plan.
struct DeviceOwner {
  std::vector<std::size_t> threads;
  std::size_t host = 0;             // of these: the host of the devices
  std::set<std::size_t> read = {};  // of these: the host, and those that may wait
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
        program_(program),
        functions_(trace.functions().functions()) {
    for (const auto& function : functions_) {
      const auto number = static_cast<FunctionIndex>(stream_functions_.size());
      const bool is_kept = !is_dropped(function, trace.plan().filters);
      stream_functions_.push_back({is_kept ? number : virtual_root, find_stream_work(function)});
      may_wait_.push_back(waits_for_accelerator(function) || may_wait_for_accelerator(function));
    }
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
      } else if (!is_stream(p) && events > 0 &&
                 program_.processes[p].type != otf2_value::location_type_metric) {
        owners_[process.location_group].threads.push_back(p);
      }
    }
    std::erase_if(owners_, [](const auto& one) {
      return one.second.threads.empty() || one.second.devices.empty();
    });
    for (auto& [group, owner] : owners_) {
      const auto& threads = owner.threads;
      const auto host = std::find_if(threads.begin(), threads.end(),
                                     [&](std::size_t p) { return calls(p, is_of_accelerator); });
      owner.host = host == threads.end() ? threads.front() : *host;
      owner.read = {owner.host};
      for (auto p : threads)
        if (calls(p, waits_for_accelerator) || calls(p, may_wait_for_accelerator))
          owner.read.insert(p);
    }
  }
  // Whether it calls functions of this kind.
  bool calls(std::size_t process, bool (&is_one)(const Function&)) const {
    const auto& profiles = program_.calls.profiles;
    const auto& paths = profiles.shape(process).paths;
    return std::any_of(paths.begin(), paths.end(), [&](PathIndex path) {
      const auto function = profiles.paths[path].function;
      return function != virtual_root && is_one(program_.calls.functions[function]);
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
    std::map<std::size_t, HostUse> of_hosts;
    std::vector<std::size_t> streams, hosts;
    for (const auto* owner : owners) {
      for (const auto& [name, device] : owner->devices)
        for (auto p : device)
          uses[p] = {p, trace_.plan().processes[p].id};
      for (auto p : owner->read)
        of_hosts[p];
    }
    for (const auto& [process, use] : uses)
      streams.push_back(process);
    for (const auto& [process, use] : of_hosts)
      hosts.push_back(process);
    streams_.read_each(streams, [&](std::size_t process, const auto& read_calls_to) {
      StreamSink sink(stream_functions_, uses.at(process));
      read_calls_to(sink);
    });
    for (const auto* owner : owners) {
      for (std::size_t part = 0; part < totals_.size(); ++part)
        of_hosts.at(owner->host).device_parts.push_back(find_span(*owner, part, owner->threads[0]));
      for (const auto& [name, device] : owner->devices)
        add_device(*owner, device, uses, of_hosts.at(owner->host));
      prepare_hosts(*owner, uses, of_hosts);
    }
    trace_.read_each(hosts, [&](std::size_t process, const auto& read_calls_to) {
      HostSink sink(may_wait_, of_hosts.at(process));
      read_calls_to(sink);
    });
    for (const auto& [process, host] : of_hosts)
      add_host(process, host);
  }

  void prepare_hosts(const DeviceOwner& owner, std::map<std::size_t, StreamUse>& uses,
                     std::map<std::size_t, HostUse>& of_hosts) const {
    std::set<std::size_t> streams;
    for (const auto& [name, device] : owner.devices)
      streams.insert(device.begin(), device.end());
    for (auto p : streams)
      uses.at(p).keep_waited();
    for (auto p : owner.read) {
      auto& host = of_hosts.at(p);
      for (auto stream : streams)
        host.streams.push_back(&uses.at(stream));
      for (std::size_t part = 0; part < totals_.size(); ++part)
        host.parts.push_back(find_span(owner, part, p));
      std::sort(host.idle.begin(), host.idle.end());
    }
  }

  void add_host(std::size_t process, const HostUse& host) {
    const auto find_function = [&](FunctionIndex function) {
      return function == virtual_root ? Function() : functions_[function];
    };
    for (const auto& [key, sums] : host.sums) {
      const auto& [part, function, caller] = key;
      const auto path = paths_.find({find_function(function), find_function(caller)});
      if (path == paths_.end())
        continue;
      if (sums.idle > 0)
        totals_[part].hosts[path->second] += sums.idle;
      for (const auto& [waited, ticks] : sums.waits) {
        const auto& [stream, kernel] = waited;
        totals_[part].waits[{process, stream, path->second, functions_[kernel].shown_name()}] +=
            ticks;
      }
    }
  }

  void add_device(const DeviceOwner& owner, const std::vector<std::size_t>& streams,
                  const std::map<std::size_t, StreamUse>& uses, HostUse& host) {
    const auto unite_streams = [&](std::initializer_list<StreamWork> works) {
      std::vector<Interval> all;
      for (auto p : streams)
        for (const auto& run : uses.at(p).runs)
          if (std::find(works.begin(), works.end(), run.work) != works.end())
            all.push_back({run.begin, run.end});
      return unite(std::move(all));
    };
    using Work = StreamWork;
    const auto kernels = unite_streams({Work::kernel}), copies = unite_streams({Work::copy}),
               operations = unite_streams({Work::communication});
    const auto known = list_known(owner, streams);
    const auto gaps = intersect(
        known, complement(unite_streams({Work::kernel, Work::copy, Work::communication})));
    for (const auto& gap : gaps) {
      host.idle.emplace_back(gap.begin, 1);
      host.idle.emplace_back(gap.end, -1);
    }
    for (std::size_t part = 0; part < totals_.size(); ++part) {
      const auto span = intersect(known, unite({host.device_parts[part]}));
      if (span.empty())
        continue;
      const auto own = intersect(kernels, span);
      ProgramDevices one{{}, 1, sum_lengths(span), sum_lengths(own)};
      one.copies = sum_lengths(intersect(copies, span));
      one.communication = sum_lengths(intersect(operations, span));
      one.hidden_copies = sum_lengths(intersect(copies, own));
      one.hidden_communication = sum_lengths(intersect(operations, own));
      one.idle = sum_lengths(intersect(gaps, span));
      for (auto p : streams)
        for (const auto& [time, bytes] : uses.at(p).copied)
          if (time >= span.front().begin && time < span.back().end)
            one.bytes += bytes;
      totals_[part].add(one);
    }
  }

  // When all of a device is recorded.
  IntervalList list_known(const DeviceOwner& owner, const std::vector<std::size_t>& streams) const {
    std::vector<Interval> known, unknown;
    if (trace_.plan().chosen)
      return {};
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

  // The part of the run, for a thread, or else the first one that has it. The whole run is that of
  // all threads.
  Interval find_span(const DeviceOwner& owner, std::size_t part, std::size_t thread) const {
    std::optional<Interval> all;
    auto threads = owner.threads;
    threads.insert(threads.begin(), thread);
    for (auto p : threads) {
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
  const std::vector<Function>& functions_;                    // of the trace, whatever filters drop
  std::vector<StreamFunction> stream_functions_;              // by function
  std::vector<bool> may_wait_;                                // by function of hosts
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
  if (!has_streams)
    return {};
  return DeviceFinder(trace, program).find();
}

}  // namespace tracefold
