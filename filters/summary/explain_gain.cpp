#include "filters/summary/explain_gain.hpp"

#include "filters/summary/explain_io.hpp"
#include "filters/summary/explain_serialisation.hpp"
#include "filters/summary/explain_threads.hpp"
#include "filters/summary/explain_transfer.hpp"

#include <algorithm>
#include <vector>

namespace tracefold {

namespace {

using GainKind = ProgramGain::Kind;

// By rank: its time in the function, with all of it where that is a parallel region; or what it
// computes in all.
std::vector<double> list_times(const LossSearch& loss, const std::string& function) {
  const auto& calls = loss.facts.calls;
  const auto is_of = [&](PathIndex path) {
    return name_call(calls, path).function == function ||
           name_call(calls, find_region(calls, loss.work.kinds(), path)).function == function;
  };
  std::vector<double> times;
  for (const auto& rank : loss.out.ranks) {
    times.push_back(function.empty() ? rank.useful : 0);
    for (const auto& [path, time] : loss.work.list(rank.master))
      if (!function.empty() && is_of(path))
        times.back() += time;
  }
  return times;
}

// What `who` takes, and the others that take any; without `who`, the most and the least.
void compare_times(LossSearch& loss, const std::vector<double>& times) {
  auto& found = loss.out.finding;
  std::vector<double> own, others;
  std::vector<std::size_t> ranks;
  for (std::size_t r = 0; r < times.size(); ++r)
    if (contains(found.who, loss.out.ranks[r].master)) {
      own.push_back(times[r]);
      ranks.push_back(r);
    } else if (times[r] > 0) {
      others.push_back(times[r]);
    }
  if (times.empty())
    return;
  if (own.empty()) {
    const auto [least, most] = std::minmax_element(times.begin(), times.end());
    found.value = *most;
    found.others = *least;
    found.culprit = Culprit::none;
    return;
  }
  found.value = compute_mean(own);
  found.others = compute_mean(others);
  found.is_alone = found.others < 0.02 * found.value;
  found.node = loss.find_node(ranks);
  found.culprit = own.size() == 1 ? Culprit::process : Culprit::few;
}

void explain_computation(LossSearch& loss, const Gain& gain) {
  auto& found = loss.out.finding;
  found.loss = Loss::load_balance;
  found.efficiency = loss.out.efficiencies.load_balance;
  const bool is_of_function = gain.kind == GainKind::function;
  found.call = gain.call;
  found.is_of_call = is_of_function;
  compare_times(loss, list_times(loss, is_of_function ? gain.call.function : std::string()));
  if (gain.kind != GainKind::spread && take_thread(loss, loss.find_ranks(found.who)))
    return;
  if (gain.kind == GainKind::spread) {
    found.culprit = Culprit::idle;
    loss.take_wait_for(loss.list_others(loss.find_ranks(found.who)));
  } else if (!found.who.empty()) {
    loss.take_wait_for(found.who);
    loss.take_counters();
  }
}

}  // namespace

const Gain* choose_gain(const Summary& summary) {
  const Gain *best = nullptr, *network = nullptr;
  for (const auto& gain : summary.gains) {
    auto& of_kind = gain.kind == GainKind::network ? network : best;
    if (!of_kind)
      of_kind = &gain;
  }
  // Who is named, and in what, says more than that all are uneven.
  constexpr double by_far = 2;
  if (best && best->kind == GainKind::computation && best->who.empty())
    for (const auto& gain : summary.gains)
      if (gain.kind == GainKind::function && !gain.who.empty() &&
          by_far * gain.seconds >= best->seconds) {
        best = &gain;
        break;
      }
  return !best || (network && network->seconds >= by_far * best->seconds) ? network : best;
}

void take_long(LossSearch& loss, const LongIterations& iterations) {
  auto& found = loss.out.finding;
  found.culprit = iterations.kind == LongKind::slower   ? Culprit::slower_iterations
                  : iterations.kind == LongKind::faster ? Culprit::faster_iterations
                                                        : Culprit::slow_iteration;
  found.change_at = iterations.change_at;
  found.loop = iterations.loop;
  found.first = iterations.first;
  found.last = iterations.last;
  found.iterations = iterations.count;
  if (!loss.out.rank_loops.empty())
    found.loop_ranks = iterations.ranks;
  found.usual = loss.facts.to_seconds(iterations.usual);
  found.value = loss.facts.to_seconds(iterations.value);
}

void explain_gain(LossSearch& loss, const Gain& gain) {
  auto& found = loss.out.finding;
  found = {};
  found.share = gain.share;
  found.cost = gain.seconds;
  found.when = gain.iterations;
  found.who = gain.who;
  switch (gain.kind) {
    case GainKind::iterations:
      found.call = gain.call;
      found.loss = Loss::iterations;
      if (const auto iterations = find_long_iterations(loss.facts.loops); iterations.share > 0)
        take_long(loss, iterations);
      break;
    case GainKind::order:
      found.loss = Loss::serialisation;
      found.efficiency = loss.out.efficiencies.serialisation;
      if (gain.who.empty()) {
        explain_serialisation(loss);
        break;
      }
      found.culprit = Culprit::chain;
      for (const auto& wait : loss.out.waits)
        if (wait.kind == Metric::mpi_late_sender_time)
          found.lost += wait.seconds;
      loss.take_wait(Metric::mpi_late_sender_time, found.lost);
      // Where they ask again and again whether a message is there, no wait is recorded.
      if (found.wait_call.empty())
        found.wait_call = gain.call;
      break;
    case GainKind::files:
      found.loss = Loss::io;
      found.efficiency = loss.out.efficiencies.io;
      explain_io(loss);
      break;
    case GainKind::network:
      found.loss = Loss::transfer;
      found.efficiency = loss.out.efficiencies.transfer;
      explain_transfer(loss);
      break;
    default: explain_computation(loss, gain); break;
  }
}

}  // namespace tracefold
