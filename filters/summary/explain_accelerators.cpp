#include "filters/summary/explain_accelerators.hpp"

#include "filters/summary/find_loss.hpp"
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
  if (!facts.accelerator_waits)
    return {};
  struct KernelWaits {
    double ticks = 0;
    std::set<std::size_t> streams;
  };
  std::map<std::string, KernelWaits> sums;
  for (const auto& wait : *facts.accelerator_waits)
    if (counts(wait)) {
      auto& sum = sums[wait.kernel];
      sum.ticks += static_cast<double>(wait.ticks);
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
  if (loss.facts.accelerator_waits)
    for (const auto& wait : *loss.facts.accelerator_waits)
      if (!waits(loss.facts, wait.call))
        sums[{wait.call, wait.caller}] += loss.facts.to_seconds(static_cast<double>(wait.ticks));
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
    return wait.call == found.call.function && wait.caller == found.call.caller &&
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

// Streams are idle, and hosts do what takes them most time outside of MPI and of the accelerator's
// interface, or copy.
void take_idle_streams(LossSearch& loss) {
  Finding found;
  found.loss = Loss::accelerator;
  found.culprit = Culprit::idle_streams;
  found.efficiency = loss.out.efficiencies.accelerator;
  found.share = 1 - *found.efficiency;
  CallSums sums, copies;
  double all = 0;
  for (const auto& rank : loss.out.ranks) {
    all += rank.time;
    for (const auto& [path, time] : loss.work.list(rank.master)) {
      const auto& kind = loss.work.kind(path);
      const auto call = name_call(loss.facts.calls, path);
      if (kind.is_mpi || call.empty())
        continue;
      if (kind.paradigm != Paradigm::accelerator)
        sums[{call.function, call.caller}] += time;
      else if (copies_to_accelerator(loss.facts.calls, path))
        copies[{call.function, call.caller}] += time;
    }
  }
  std::tie(found.call, found.value) = find_most(sums);
  if (const auto [copy, time] = find_most(copies); time > found.value) {
    found.culprit = Culprit::copies;
    found.call = copy;
    found.value = time;
    found.share = all > 0 ? std::min(time / all, 1.0) : 0;
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
  waiting.kernel = find_kernel(
      loss.facts, [&](const AcceleratorWait& wait) { return wait.call == waiting.call.function; });
  loss.out.accelerator_waiting = std::move(waiting);
}

void take_accelerators(LossSearch& loss) {
  auto& found = loss.out.finding;
  if (found.loss != Loss::none && !found.call.empty()) {
    found.kernel = find_kernel_of_call(loss);
    if (!found.kernel.name.empty() || waits(loss.facts, found.call.function))
      return;
  }

  const auto& waiting = loss.out.accelerator_waiting;
  const auto busy = loss.out.efficiencies.accelerator.value_or(1);
  if (found.loss == Loss::none && busy < idle_efficiency && (!waiting || waiting->share < 1 - busy))
    take_idle_streams(loss);
  else if (waiting && waiting->share >= least_loss &&
           (found.loss == Loss::none || waiting->share > by_far * found.share))
    take_waiting(loss);
}

}  // namespace tracefold
