#include "filters/summary/explain_serialisation.hpp"

#include "filters/summary/find_chain.hpp"
#include "model/profile/time_metric.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

constexpr std::size_t most_victims = 8;

// Who waits for those in `who`, if these are some.
void take_victims(LossSearch& loss, Metric metric) {
  auto& found = loss.out.finding;
  if (!loss.facts.pairs)
    return;
  std::map<std::size_t, double> waited;
  for (const auto& pair : *loss.facts.pairs) {
    if (metric == Metric::mpi_late_sender_time && contains(found.who, pair.sender))
      waited[pair.receiver] += static_cast<double>(pair.late_sender);
    if (metric == Metric::mpi_late_receiver_time && contains(found.who, pair.receiver))
      waited[pair.sender] += static_cast<double>(pair.late_receiver);
  }
  double most = 0;
  for (const auto& [process, time] : waited)
    most = std::max(most, time);
  for (const auto& [process, time] : waited)
    if (time > 0.25 * most)
      found.victims.push_back(process);
  if (found.victims.size() > most_victims)
    found.victims.clear();
}

// In which call those who come late take longer than others. That in which others wait for them
// explains nothing, where another one does.
void take_work(LossSearch& loss) {
  auto& found = loss.out.finding;
  const auto all = loss.list_all_masters();
  const auto excess = loss.work.find_excess(found.who, all, true);
  if (excess.call == found.wait_call)
    loss.take(loss.work.find_excess(found.who, all, false));
  if (found.call.empty())
    loss.take(excess);
}

void take_late(LossSearch& loss, std::vector<std::size_t> late, Metric metric, double lost) {
  auto& found = loss.out.finding;
  found.who = std::move(late);
  std::sort(found.who.begin(), found.who.end());
  loss.take_wait(metric, lost);
  switch (metric) {
    case Metric::mpi_late_sender_time: found.culprit = Culprit::sender; break;
    case Metric::mpi_late_receiver_time: found.culprit = Culprit::receiver; break;
    case Metric::mpi_late_broadcast_time: found.culprit = Culprit::root; break;
    default: found.culprit = Culprit::last; break;
  }
  take_victims(loss, metric);
  take_work(loss);
}

// Each waits for the one before, which waited itself. True where most of the waiting is along such
// a chain: else it is one of many ways that delays go.
bool take_chain(LossSearch& loss) {
  auto& found = loss.out.finding;
  const auto all = loss.sum_waits(Metric::mpi_late_sender_time);
  auto chain = find_chain(loss.blame.list_one_way_waits());
  constexpr std::size_t least_chain = 4;
  if (chain.processes.size() < least_chain || chain.waiting < 0.4 * all)
    return false;

  found.culprit = Culprit::chain;
  found.who = std::move(chain.processes);
  loss.take_wait(Metric::mpi_late_sender_time, all);
  const auto excess = loss.work.find_excess({found.who.front()}, loss.list_all_masters(), false);
  if (excess.difference() > 0.05 * loss.out.runtime) {
    found.call = excess.call;
    found.paradigm = excess.paradigm;
  }
  return true;
}

// Who comes last may do so since it waited for another one before, and that one for another: the
// cause is who began it. True where it is not who comes last.
bool take_root(LossSearch& loss, const std::vector<std::size_t>& late) {
  const auto [roots, own] = loss.blame.find_roots();
  if (roots.empty() ||
      std::any_of(roots.begin(), roots.end(), [&](auto root) { return contains(late, root); }))
    return false;
  std::map<Metric, double> direct;
  for (const auto& [metric, times] : loss.blame.times())
    for (auto root : roots)
      if (const auto at = times.find(root); at != times.end())
        direct[metric] += at->second;
  if (direct.empty())
    return false;
  const auto most =
      std::max_element(direct.begin(), direct.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  take_late(loss, roots, most->first, own);
  loss.out.finding.lost_is_of_run = loss.is_blamed_outside(most->first);
  return true;
}

}  // namespace

void explain_serialisation(LossSearch& loss) {
  std::map<Metric, double> waits;
  for (const auto& wait : loss.out.waits)
    waits[wait.kind] += wait.seconds;
  if (waits.empty())  // ranks begin late or end early, and nothing tells who waits for them
    return;

  const auto metric =
      std::max_element(waits.begin(), waits.end(), [](const auto& a, const auto& b) {
        return a.second < b.second;
      })->first;
  loss.take_wait(metric, waits[metric]);
  // A run that was played tells chains, and who gains something. Others are named only where they
  // have nearly all of the waiting.
  const bool is_played = loss.facts.replay.has_value();
  if (!is_played && metric == Metric::mpi_late_sender_time && take_chain(loss))
    return;

  constexpr double nearly_all = 0.8;
  const auto [late, share] = loss.blame.find_late(metric);
  if (late.empty() || (is_played && share < nearly_all))
    return;
  if (is_collective_wait(metric) && take_root(loss, late))
    return;
  take_late(loss, late, metric, waits[metric] * share);
}

}  // namespace tracefold
