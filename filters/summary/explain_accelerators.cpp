#include "filters/summary/explain_accelerators.hpp"

#include "filters/summary/find_loss.hpp"
#include "filters/summary/outliers.hpp"
#include "model/summary/accelerator_calls.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <tuple>

namespace tracefold {

namespace {

constexpr double by_far = 3, idle_efficiency = 0.5;

// Among the waiting that counts, the kernel that is waited for longest, on its streams.
template <class Counts>
WaitedKernel find_kernel(const RunFacts& facts, Counts&& counts) {
  if (!facts.devices)
    return {};
  struct KernelWaits {
    double ticks = 0;
    std::set<std::size_t> streams;
  };
  std::map<std::string, KernelWaits> sums;
  for (const auto& [wait, ticks] : facts.devices->waits)
    if (counts(wait)) {
      auto& sum = sums[wait.kernel];
      sum.ticks += static_cast<double>(ticks);
      sum.streams.insert(wait.stream);
    }
  const auto most = std::max_element(sums.begin(), sums.end(), [](const auto& a, const auto& b) {
    return a.second.ticks < b.second.ticks;
  });
  if (most == sums.end() || most->second.ticks <= 0)
    return {};
  const auto& streams = most->second.streams;
  return {most->first, {streams.begin(), streams.end()}, facts.to_seconds(most->second.ticks)};
}

bool waits(const RunFacts& facts, const std::string& shown_name) {
  const auto& functions = facts.calls.functions;
  return std::any_of(functions.begin(), functions.end(), [&](const Function& function) {
    return function.shown_name() == shown_name && waits_for_accelerator(function);
  });
}

// By function and caller, the time of calls that wait: all of those that do nothing else, and of
// others what they are known to wait.
CallSums list_waiting(const LossSearch& loss) {
  CallSums sums;
  for (const auto& rank : loss.out.ranks)
    for (auto p : rank.threads)
      for (const auto& [path, time] : loss.work.list(p)) {
        const auto call = name_call(loss.facts.calls, path);
        if (waits(loss.facts, call.function))
          sums[{call.function, call.caller}] += time;
      }
  if (loss.facts.devices)
    for (const auto& [wait, ticks] : loss.facts.devices->waits)
      if (const auto call = name_call(loss.facts.calls, wait.call);
          !waits(loss.facts, call.function))
        sums[{call.function, call.caller}] += loss.facts.to_seconds(static_cast<double>(ticks));
  return sums;
}

// The time of all ranks, which counts once for each of their threads that wait in this function.
double sum_time_of_waiting(const LossSearch& loss, const std::string& function) {
  std::set<std::size_t> waiting;  // processes
  for (const auto& rank : loss.out.ranks)
    for (auto p : rank.threads)
      for (const auto& [path, time] : loss.work.list(p))
        if (time > 0 && name_call(loss.facts.calls, path).function == function)
          waiting.insert(p);

  double all = 0;
  for (const auto& rank : loss.out.ranks) {
    const auto threads = std::count_if(rank.threads.begin(), rank.threads.end(),
                                       [&](std::size_t p) { return waiting.contains(p); });
    all += rank.time * static_cast<double>(std::max<std::ptrdiff_t>(threads, 1));
  }
  return all;
}

// The kernel that the call of the finding waits for.
WaitedKernel find_kernel_of_call(const LossSearch& loss) {
  const auto& found = loss.out.finding;
  return find_kernel(loss.facts, [&](const AcceleratorWait& wait) {
    return name_call(loss.facts.calls, wait.call) == found.call &&
           (found.who.empty() ||
            std::find(found.who.begin(), found.who.end(), wait.process) != found.who.end());
  });
}

bool copies_to_accelerator(const Aggregates& calls, PathIndex path) {
  return may_wait_for_accelerator(calls.functions[calls.profiles.paths[path].function]);
}

void take_waiting(LossSearch& loss) {
  const auto& waiting = *loss.out.accelerator_waiting;
  Finding found;
  found.loss = Loss::accelerator;
  found.culprit = Culprit::waits_for_accelerator;
  found.share = waiting.share;
  found.call = waiting.call;
  found.paradigm = Paradigm::accelerator;
  found.value = waiting.seconds;
  found.kernel = waiting.kernel;
  loss.out.finding = std::move(found);
}

// Streams are idle, and hosts do what takes them most of that time, or copy.
void take_idle_streams(LossSearch& loss) {
  Finding found;
  found.loss = Loss::accelerator;
  found.culprit = Culprit::idle_streams;
  found.efficiency = loss.out.efficiencies.accelerator;
  found.share = 1 - *loss.out.find_busy_accelerators();
  CallSums meanwhile, copies;
  double of_devices = 0;
  if (const auto& devices = loss.facts.devices) {
    of_devices = loss.facts.to_seconds(static_cast<double>(devices->time));
    for (const auto& [path, ticks] : devices->hosts)
      if (!copies_to_accelerator(loss.facts.calls, path)) {
        const auto call = name_call(loss.facts.calls, path);
        meanwhile[{call.function, call.caller}] +=
            loss.facts.to_seconds(static_cast<double>(ticks));
      }
  }
  double all = 0;
  for (const auto& rank : loss.out.ranks) {
    all += rank.time;
    for (const auto& [path, time] : loss.work.list(rank.master)) {
      const auto call = name_call(loss.facts.calls, path);
      if (!call.empty() && copies_to_accelerator(loss.facts.calls, path))
        copies[{call.function, call.caller}] += time;
    }
  }
  std::tie(found.call, found.value) = find_most(meanwhile);
  // Hosts copy one call after the other, for whatever device.
  const auto [copy, time] = find_most(copies);
  const auto copy_share = all > 0 ? std::min(time / all, 1.0) : 0;
  if (copy_share > found.value / std::max(of_devices, 1e-9)) {
    found.culprit = Culprit::copies;
    found.call = copy;
    found.value = time;
    found.share = copy_share;
  }
  loss.out.finding = std::move(found);
}

// Where hosts wait for accelerators, or these for hosts.
void take_waiting_hosts(LossSearch& loss) {
  auto& found = loss.out.finding;
  if (found.loss != Loss::none && !found.call.empty()) {
    found.kernel = find_kernel_of_call(loss);
    if (!found.kernel.name.empty() || waits(loss.facts, found.call.function))
      return;
  }

  const auto& waiting = loss.out.accelerator_waiting;
  const auto busy = loss.out.find_busy_accelerators().value_or(1);
  if (found.loss == Loss::none && busy < idle_efficiency && (!waiting || waiting->share < 1 - busy))
    take_idle_streams(loss);
  else if (waiting && waiting->share >= least_loss &&
           (found.loss == Loss::none || waiting->share > by_far * found.share))
    take_waiting(loss);
}

// What a stream of a rank does, in seconds, on average over those with collective operations; by
// function.
struct OnStreams {
  double collectives = 0;
  CallSums of_collectives, of_kernels;
};

void add(const OnStreams& from, double part, OnStreams& to) {
  to.collectives += from.collectives * part;
  for (const auto& [name, time] : from.of_collectives)
    to.of_collectives[name] += time * part;
  for (const auto& [name, time] : from.of_kernels)
    to.of_kernels[name] += time * part;
}

std::vector<OnStreams> sum_streams(const LossSearch& loss) {
  std::map<std::uint64_t, std::size_t> ranks;  // by number
  for (std::size_t r = 0; r < loss.out.ranks.size(); ++r)
    if (const auto rank = loss.facts.processes[loss.out.ranks[r].master].rank)
      ranks.emplace(*rank, r);
  std::vector<OnStreams> out(loss.out.ranks.size());
  std::vector<double> streams(out.size());
  for (std::size_t p = 0; p < loss.facts.processes.size(); ++p) {
    const auto rank = loss.facts.processes[p].rank;
    const auto place = rank ? ranks.find(*rank) : ranks.end();
    if (place == ranks.end() || loss.facts.types[p] != otf2_value::location_type_accelerator)
      continue;
    OnStreams own;
    for (const auto& [path, time] : loss.work.list(p)) {
      const auto function = loss.facts.calls.profiles.paths[path].function;
      if (function == virtual_root)
        continue;
      const auto& called = loss.facts.calls.functions[function];
      const auto work = find_stream_work(called);
      const std::pair<std::string, std::string> name(called.shown_name(), "");
      if (work == StreamWork::communication) {
        own.of_collectives[name] += time;
        own.collectives += time;
      } else if (work == StreamWork::kernel) {
        own.of_kernels[name] += time;
      }
    }
    if (own.collectives > 0) {
      add(own, 1, out[place->second]);
      ++streams[place->second];
    }
  }
  for (std::size_t r = 0; r < out.size(); ++r)
    if (streams[r] > 0) {
      OnStreams mean;
      add(out[r], 1 / streams[r], mean);
      out[r] = std::move(mean);
    }
  return out;
}

// Collective operations on accelerators begin on each when it comes to them, and end when the last
// one has come: so who spends least time in them came last, and the others waited for it.
void take_straggler(LossSearch& loss) {
  if (loss.out.streams == 0)
    return;
  const auto streams = sum_streams(loss);
  double most = 0;
  for (const auto& one : streams)
    most = std::max(most, one.collectives);
  std::vector<double> later;
  for (const auto& one : streams)
    later.push_back(one.collectives > 0 ? most - one.collectives : 0);
  const auto last = find_largest(later);
  if (!last.are_clear || 2 * last.places.size() > streams.size())
    return;

  OnStreams own, others;
  const auto count = static_cast<double>(last.places.size());
  for (std::size_t r = 0; r < streams.size(); ++r) {
    const auto is_last = contains(last.places, r);
    add(streams[r], 1 / (is_last ? count : static_cast<double>(streams.size()) - count),
        is_last ? own : others);
  }
  const auto cost = std::min(others.collectives - own.collectives, loss.out.runtime);
  const auto share = loss.out.runtime > 0 ? cost / loss.out.runtime : 0;
  // That hosts wait for accelerators costs nothing as long as these compute.
  const auto& before = loss.out.finding;
  if (share < least_loss || (before.loss != Loss::accelerator && share < before.share))
    return;

  Finding found;
  found.loss = Loss::accelerator;
  found.culprit = Culprit::straggler;
  found.efficiency = loss.out.efficiencies.accelerator;
  found.share = share;
  found.cost = cost;
  found.who = loss.list_masters(last.places);
  found.node = loss.find_node(last.places);
  found.wait_call = find_most(others.of_collectives).first;
  // A kernel that takes longer there, or else what the host does.
  CallSums longer;
  for (const auto& [name, time] : own.of_kernels) {
    const auto other = others.of_kernels.find(name);
    longer[name] = time - (other == others.of_kernels.end() ? 0 : other->second);
  }
  const auto [kernel, excess] = find_most(longer);
  constexpr double explains = 0.5;
  if (excess >= explains * cost) {
    const auto of = std::pair(kernel.function, std::string());
    found.call = kernel;
    found.value = own.of_kernels[of];
    found.others = others.of_kernels[of];
    found.paradigm = Paradigm::accelerator;
  } else if (const auto of_host = loss.work.find_excess(found.who, loss.list_all_masters(), false);
             of_host.difference() >= explains * cost) {
    found.call = of_host.call;
    found.value = of_host.own;
    found.others = of_host.others;
    found.paradigm = of_host.paradigm;
  }
  loss.out.finding = std::move(found);
}

}  // namespace

void find_accelerator_waiting(LossSearch& loss) {
  const auto calls = list_waiting(loss);
  CallSums functions;
  for (const auto& [names, time] : calls)
    functions[{names.first, ""}] += time;
  const auto [function, seconds] = find_most(functions);
  if (function.empty())
    return;

  AcceleratorWaiting waiting;
  CallSums callers;
  for (const auto& [names, time] : calls)
    if (names.first == function.function)
      callers[names] = time;
  // Only a caller with most of it is named.
  const auto [call, of_caller] = find_most(callers);
  waiting.call = of_caller > seconds / 2 ? call : function;
  waiting.seconds = seconds;
  const auto all = sum_time_of_waiting(loss, function.function);
  waiting.share = all > 0 ? std::min(seconds / all, 1.0) : 0;
  waiting.kernel = find_kernel(loss.facts, [&](const AcceleratorWait& wait) {
    return name_call(loss.facts.calls, wait.call).function == waiting.call.function;
  });
  loss.out.accelerator_waiting = std::move(waiting);
}

void take_accelerators(LossSearch& loss) {
  take_waiting_hosts(loss);
  take_straggler(loss);
}

}  // namespace tracefold
