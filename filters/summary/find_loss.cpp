#include "filters/summary/find_loss.hpp"

#include "filters/summary/explain_accelerators.hpp"
#include "filters/summary/explain_balance.hpp"
#include "filters/summary/explain_gain.hpp"
#include "filters/summary/explain_io.hpp"
#include "filters/summary/explain_serialisation.hpp"
#include "filters/summary/explain_threads.hpp"
#include "filters/summary/explain_transfer.hpp"
#include "filters/summary/long_iterations.hpp"
#include "filters/summary/loss_search.hpp"
#include "filters/summary/measure_run.hpp"

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

// What is waited for most, and whom.
void find_waiting(LossSearch& loss) {
  if (loss.out.waits.empty())
    return;
  WaitingFinding waiting;
  double time = 0;
  for (const auto& rank : loss.out.ranks)
    time += rank.time;
  for (const auto& wait : loss.out.waits)
    waiting.seconds += wait.seconds;
  waiting.share_of_time = time > 0 ? std::min(waiting.seconds / time, 1.0) : 0;
  waiting.worst = loss.out.waits.front();
  std::tie(waiting.late, waiting.late_share) = loss.blame.find_late(waiting.worst.kind);
  waiting.late_is_of_run = loss.is_blamed_outside(waiting.worst.kind);
  loss.out.waiting = std::move(waiting);
}

// Each as a share of the time of all ranks, or of all threads.
std::vector<std::pair<Loss, double>> list_losses(const Summary& summary) {
  std::vector<std::pair<Loss, double>> losses;
  const auto& all = summary.efficiencies;
  if (all.parallel && all.communication) {
    losses.emplace_back(Loss::load_balance,
                        *all.communication * (1 - all.load_balance.value_or(1)));
    if (all.serialisation && all.transfer) {
      losses.emplace_back(Loss::serialisation, *all.transfer * (1 - *all.serialisation));
      losses.emplace_back(Loss::transfer, 1 - *all.transfer);
    } else {
      losses.emplace_back(Loss::communication, 1 - *all.communication);
    }
  }
  if (all.threads)
    losses.emplace_back(Loss::threads, all.parallel.value_or(1) * (1 - *all.threads));
  double io = 0, present = 0;
  for (const auto& rank : summary.ranks) {
    io += rank.io;
    present += rank.present;
  }
  if (present > 0)
    losses.emplace_back(Loss::io, io / present);
  if (all.measurement)
    losses.emplace_back(Loss::measurement, 1 - *all.measurement);
  return losses;
}

void explain_found(LossSearch& loss) {
  auto& found = loss.out.finding;
  const auto& all = loss.out.efficiencies;
  switch (found.loss) {
    case Loss::load_balance:
      found.efficiency = all.load_balance;
      explain_balance(loss);
      break;
    case Loss::serialisation:
      found.efficiency = all.serialisation;
      explain_serialisation(loss);
      break;
    case Loss::communication:
      found.efficiency = all.communication;
      explain_transfer(loss);
      break;
    case Loss::transfer:
      found.efficiency = all.transfer;
      explain_transfer(loss);
      break;
    case Loss::threads:
      found.efficiency = all.threads;
      found.cost = found.share * loss.out.runtime;
      explain_threads(loss);
      break;
    case Loss::io:
      found.efficiency = all.io;
      explain_io(loss);
      break;
    case Loss::measurement:
      found.efficiency = all.measurement;
      found.value = found.share * loss.out.runtime;
      break;
    default: break;
  }
}

// Puts iterations that take longer in place of what was found before.
void take_iterations(LossSearch& loss, const LongIterations& iterations) {
  const auto before = std::exchange(loss.out.finding, {});
  auto& found = loss.out.finding;
  found.loss = Loss::iterations;
  found.share = iterations.share;
  take_long(loss, iterations);
  const bool is_of_one = iterations.most > 1.5 * iterations.computation &&
                         loss.facts.to_seconds(iterations.most - iterations.computation) >
                             0.4 * (found.value - found.usual);
  if (is_of_one) {
    found.who = {iterations.slowest};
    found.others = loss.facts.to_seconds(iterations.computation);
    found.lost = loss.facts.to_seconds(iterations.most);
  }
  // The call in which that is may be known from who takes longer in all.
  if (is_of_one && before.who == found.who) {
    found.call = before.call;
    found.paradigm = before.paradigm;
  }
  if (iterations.kind == LongKind::slower && !before.who.empty() &&
      (before.culprit == Culprit::process || before.culprit == Culprit::node ||
       before.culprit == Culprit::few)) {
    found.who = before.who;
    found.node = before.node;
    found.call = before.call;
  }
}

void find_largest_loss(LossSearch& loss) {
  find_waiting(loss);
  find_accelerator_waiting(loss);
  auto& found = loss.out.finding;
  const auto losses = list_losses(loss.out);
  const auto worst =
      std::max_element(losses.begin(), losses.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  const auto* const gain = choose_gain(loss.out);
  // What was not played may cost more: that of threads, or where not all of the run is known.
  const bool is_played =
      worst == losses.end() || (worst->first != Loss::threads && worst->first != Loss::measurement);
  const auto as_large = is_played ? 0.3 : 1.0;
  if (gain && (worst == losses.end() || gain->share >= as_large * worst->second)) {
    explain_gain(loss, *gain);
    take_accelerators(loss);
    return;
  }
  const auto iterations = find_long_iterations(loss.facts.loops);
  if (worst != losses.end() && worst->second >= least_loss) {
    found.loss = worst->first;
    found.share = worst->second;
    explain_found(loss);
  }
  // Where some iterations take longer, waiting may be a part of that, but not what threads lose.
  const auto part = found.loss == Loss::threads || found.loss == Loss::io ? 1.0 : 0.6;
  if (iterations.share >= least_loss && iterations.share >= found.share * part)
    take_iterations(loss, iterations);
  take_accelerators(loss);
}

double sum_lost(const Summary& summary) {
  return summary.runtime * static_cast<double>(summary.ranks.size()) - summary.useful;
}

// What ranks lose in the loop since others begin it late: that happened before it.
double sum_late_begins(const RunFacts& facts, const Summary& summary) {
  if (facts.spans.empty())
    return 0;
  const auto& spans = facts.spans.front();
  std::uint64_t last = 0;
  for (const auto& rank : summary.ranks)
    last = std::max(last, spans[rank.master].begin);
  double sum = 0;
  for (const auto& rank : summary.ranks)
    if (const auto& span = spans[rank.master]; span.end > 0)
      sum += facts.to_seconds(static_cast<double>(last - span.begin));
  return sum;
}

double sum_rank_times(const Summary& summary) {
  double sum = 0;
  for (const auto& rank : summary.ranks)
    sum += rank.time;
  return sum;
}

}  // namespace

void find_loss(const RunFacts& facts, Summary& summary) {
  LossSearch search(facts, summary);
  find_largest_loss(search);
  if (!facts.around)
    return;

  auto around = measure_run(*facts.around);
  if (const auto all = sum_rank_times(around); all > 0)
    summary.loop_share = std::min(sum_rank_times(summary) / all, 1.0);
  const auto lost = sum_lost(summary);
  const auto inside = std::max(lost - sum_late_begins(facts, summary), 0.0);
  const auto outside = sum_lost(around) - inside;
  if (outside <= inside || outside < 0.05 * sum_rank_times(around))
    return;
  summary.around = around.efficiencies;
  find_loss(*facts.around, around);
  if (around.finding.loss == Loss::none)
    return;
  summary.finding = std::move(around.finding);
  summary.gains = std::move(around.gains);
  summary.finding_is_around = true;
}

}  // namespace tracefold
