#include "filters/summary/find_loss.hpp"

#include "filters/summary/blame.hpp"
#include "filters/summary/call_work.hpp"
#include "filters/summary/find_chain.hpp"
#include "filters/summary/long_iterations.hpp"
#include "filters/summary/measure_run.hpp"
#include "filters/summary/outliers.hpp"
#include "model/profile/time_metric.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t most_victims = 8;

double compute_mean(const std::vector<double>& values) {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

bool contains(const std::vector<std::size_t>& ascending, std::size_t value) {
  return std::binary_search(ascending.begin(), ascending.end(), value);
}

// All below `count` that are not among these.
std::vector<std::size_t> list_rest(const std::vector<std::size_t>& ascending, std::size_t count) {
  std::vector<std::size_t> rest;
  for (std::size_t k = 0; k < count; ++k)
    if (!contains(ascending, k))
      rest.push_back(k);
  return rest;
}

class LossFinder {
 public:
  LossFinder(const RunFacts& facts, Summary& summary)
      : facts_(facts), out_(summary), work_(facts), blame_(facts) {}

  void find() {
    find_waiting();
    auto& found = out_.finding;
    const auto losses = list_losses();
    const auto worst =
        std::max_element(losses.begin(), losses.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto iterations = find_long_iterations(facts_.loops);
    if (worst != losses.end() && worst->second >= least_loss) {
      found.loss = worst->first;
      found.share = worst->second;
      explain();
    }
    // Where some iterations take longer, other losses may be a part of that.
    if (iterations.share >= least_loss && iterations.share >= found.share * 0.6)
      take_iterations(iterations);
  }

 private:
  std::vector<double> list_useful() const {
    std::vector<double> values;
    for (const auto& rank : out_.ranks)
      values.push_back(rank.useful);
    return values;
  }
  std::vector<std::size_t> list_masters(const std::vector<std::size_t>& ranks) const {
    std::vector<std::size_t> masters;
    for (auto r : ranks)
      masters.push_back(out_.ranks[r].master);
    return masters;
  }

  // Each as a share of the time of all ranks, or of all threads.
  std::vector<std::pair<Loss, double>> list_losses() const {
    std::vector<std::pair<Loss, double>> losses;
    const auto& all = out_.efficiencies;
    const auto ranks = static_cast<double>(out_.ranks.size());
    if (all.parallel && all.communication) {
      losses.emplace_back(Loss::load_balance, *all.communication - *all.parallel);
      if (all.serialisation && all.transfer) {
        losses.emplace_back(Loss::serialisation, *all.transfer * (1 - *all.serialisation));
        losses.emplace_back(Loss::transfer, 1 - *all.transfer);
      } else {
        losses.emplace_back(Loss::communication, 1 - *all.communication);
      }
    }
    if (all.openmp)
      losses.emplace_back(Loss::openmp, all.parallel.value_or(1) * (1 - *all.openmp));
    double io = 0;
    for (const auto& rank : out_.ranks)
      io += rank.io;
    if (ranks > 0 && out_.runtime > 0)
      losses.emplace_back(Loss::io, io / ranks / out_.runtime);
    return losses;
  }

  void explain() {
    auto& found = out_.finding;
    const auto& all = out_.efficiencies;
    switch (found.loss) {
      case Loss::load_balance:
        found.efficiency = all.load_balance;
        explain_balance();
        break;
      case Loss::serialisation:
        found.efficiency = all.serialisation;
        explain_serialisation();
        break;
      case Loss::communication:
        found.efficiency = all.communication;
        explain_transfer();
        break;
      case Loss::transfer:
        found.efficiency = all.transfer;
        explain_transfer();
        break;
      case Loss::openmp:
        found.efficiency = all.openmp;
        explain_threads();
        break;
      case Loss::io: explain_io(); break;
      default: break;
    }
  }

  std::vector<std::size_t> list_all_masters() const {
    std::vector<std::size_t> masters;
    for (const auto& rank : out_.ranks)
      masters.push_back(rank.master);
    return masters;
  }

  // What explains little of the lateness is not taken.
  void take(const CallWork::Excess& excess) {
    auto& found = out_.finding;
    const bool is_late = found.loss == Loss::serialisation;
    const auto others = std::max<std::size_t>(out_.ranks.size() - 1, 1);
    const auto lateness = is_late ? found.lost / static_cast<double>(others) : 0;
    if (excess.difference() <= 0 || excess.difference() < 0.2 * lateness)
      return;
    found.call = excess.call;
    found.paradigm = excess.paradigm;
    found.is_alone = excess.is_alone();
    if (excess.paradigm == Paradigm::io) {
      found.loss = Loss::io;
      found.value = excess.own;
      found.others = excess.others;
    }
  }

  // Whether these ranks are all of one node, and there are other nodes.
  std::string find_node(const std::vector<std::size_t>& ranks) const {
    if (facts_.nodes.empty() || ranks.empty())
      return {};
    const auto& node = facts_.nodes[out_.ranks[ranks.front()].master];
    if (node.empty())
      return {};
    std::size_t on_node = 0;
    for (const auto& rank : out_.ranks)
      on_node += facts_.nodes[rank.master] == node;
    for (auto r : ranks)
      if (facts_.nodes[out_.ranks[r].master] != node)
        return {};
    const bool is_whole = on_node == ranks.size() && on_node < out_.ranks.size();
    return is_whole ? node : std::string();
  }

  void explain_balance() {
    auto& found = out_.finding;
    const auto useful = list_useful();
    auto slow = find_largest(useful);
    const auto count = useful.size();
    bool are_less = false;
    if (slow.are_clear && slow.places.size() * 2 > count) {
      slow.places = list_rest(slow.places, count);
      are_less = true;
    }
    std::vector<double> own, others;
    const auto divide = [&] {
      own.clear();
      others.clear();
      for (std::size_t r = 0; r < count; ++r)
        (contains(slow.places, r) ? own : others).push_back(useful[r]);
    };
    divide();
    // Of two halves the one that is nearly idle is told.
    constexpr double idle_share = 0.2;
    if (count > 2 && own.size() == others.size() &&
        compute_mean(others) < idle_share * compute_mean(own)) {
      slow.places = list_rest(slow.places, count);
      are_less = true;
      divide();
    }
    found.who = list_masters(slow.places);
    found.value = compute_mean(own);
    found.others = compute_mean(others);
    found.culprit = are_less                  ? Culprit::idle
                    : slow.places.size() == 1 ? Culprit::process
                                              : Culprit::few;
    found.node = find_node(slow.places);
    if (!found.node.empty() && slow.places.size() > 1 && !are_less)
      found.culprit = Culprit::node;
    if (!slow.are_clear)
      found.others = compute_mean(useful);
    if (are_less) {
      const auto others_of_them = list_others(slow.places);
      const auto excess = work_.find_excess(others_of_them, list_all_masters(), false);
      if (excess.difference() > 0.5 * (found.others - found.value)) {
        found.call = excess.call;
        found.paradigm = excess.paradigm;
      }
      take_wait_for(others_of_them);
      return;
    }
    if (take_thread(slow.places))
      return;
    take(work_.find_excess(found.who, list_all_masters(), false));
    take_wait_for(found.who);
  }

  std::vector<std::size_t> list_others(const std::vector<std::size_t>& ranks) const {
    return list_masters(list_rest(ranks, out_.ranks.size()));
  }

  // A rank may take longer since one of its threads does: then the others wait for that one.
  bool take_thread(const std::vector<std::size_t>& ranks) {
    if (ranks.size() != 1 || out_.ranks[ranks[0]].threads.size() < 2)
      return false;
    auto& found = out_.finding;
    const auto& rank = out_.ranks[ranks[0]];
    const auto parallel = list_parallel(rank);
    const auto most = std::max_element(parallel.begin(), parallel.end());
    std::vector<double> others;
    for (auto at = parallel.begin(); at != parallel.end(); ++at)
      if (at != most)
        others.push_back(*at);
    const auto excess = *most - compute_mean(others);
    if (excess < 0.5 * (found.value - found.others) || excess <= 0)
      return false;
    found.culprit = Culprit::thread;
    found.node.clear();
    found.who = {rank.threads[static_cast<std::size_t>(most - parallel.begin())]};
    found.value = *most;
    found.others = compute_mean(others);
    take(work_.find_excess(found.who, rank.threads, false));
    take_wait_for({rank.master});
    return true;
  }

  // By thread of a rank its computation in parallel regions.
  static std::vector<double> list_parallel(const RankTimes& rank) {
    auto parallel = rank.computation;
    parallel[0] = std::max(parallel[0] - find_serial(rank), 0.0);
    return parallel;
  }
  // What the master computes while there are no parallel regions. Where these are not recorded,
  // what it computes beyond the others.
  static double find_serial(const RankTimes& rank) {
    if (rank.serial < rank.computation[0])
      return rank.serial;
    double most = 0;
    for (std::size_t t = 1; t < rank.computation.size(); ++t)
      most = std::max(most, rank.computation[t]);
    return std::max(rank.computation[0] - most, 0.0);
  }

  void explain_threads() {
    auto& found = out_.finding;
    double serial = 0, idle = 0, imbalance = 0, overhead = 0;
    std::vector<std::size_t> idle_threads;
    struct Slow {
      double excess = 0, value = 0, others = 0;
      std::size_t rank = 0, thread = 0;
    } slowest;
    std::map<std::size_t, double> by_number;  // thread of ranks: excess
    double all_excess = 0;
    for (std::size_t r = 0; r < out_.ranks.size(); ++r) {
      const auto& rank = out_.ranks[r];
      if (rank.threads.size() < 2)
        continue;
      const auto own_serial = find_serial(rank);
      serial += own_serial * static_cast<double>(rank.threads.size() - 1);
      overhead += rank.openmp;
      const auto parallel = list_parallel(rank);
      const auto most = *std::max_element(parallel.begin(), parallel.end());
      std::vector<double> busy;
      std::vector<std::size_t> busy_threads;
      for (std::size_t t = 0; t < parallel.size(); ++t)
        if (parallel[t] < 0.05 * most && most > 0) {
          idle += most;
          idle_threads.push_back(rank.threads[t]);
        } else {
          busy.push_back(parallel[t]);
          busy_threads.push_back(t);
        }
      for (std::size_t k = 0; k < busy.size(); ++k)
        imbalance += most - busy[k];
      if (busy.size() < 2)
        continue;
      const auto at =
          static_cast<std::size_t>(std::max_element(busy.begin(), busy.end()) - busy.begin());
      const auto others = (std::accumulate(busy.begin(), busy.end(), 0.0) - busy[at]) /
                          static_cast<double>(busy.size() - 1);
      const Slow one{busy[at] - others, busy[at], others, r, busy_threads[at]};
      by_number[busy_threads[at]] += one.excess;
      all_excess += one.excess;
      if (one.excess > slowest.excess)
        slowest = one;
    }

    const auto largest = std::max({serial, idle, imbalance});
    if (largest <= 0) {
      found.culprit = Culprit::overhead;
      found.value = overhead;
    } else if (largest == idle) {
      found.culprit = Culprit::idle_threads;
      found.who = idle_threads;
      found.is_thread_number = !idle_threads.empty();
      found.value = idle;
    } else if (largest == serial) {
      found.culprit = Culprit::serial_part;
      explain_serial_part();
    } else {
      found.culprit = Culprit::thread;
      const auto& rank = out_.ranks[slowest.rank];
      found.who = {rank.threads[slowest.thread]};
      found.value = slowest.value;
      found.others = slowest.others;
      const bool is_one_number = by_number[slowest.thread] > 0.8 * all_excess;
      const bool is_one_rank = slowest.excess > 0.6 * all_excess;
      found.is_thread_number = is_one_number && !is_one_rank && out_.ranks.size() > 1;
      take(work_.find_excess(found.who, rank.threads, false));
    }
  }

  // Which call takes most of the masters' time outside of parallel regions.
  void explain_serial_part() {
    auto& found = out_.finding;
    CallSums sums;
    double all = 0;
    for (const auto& rank : out_.ranks)
      if (rank.threads.size() > 1) {
        for (const auto& [path, time] : work_.list(rank.master))
          if (const auto& kind = work_.kind(path);
              !kind.is_mpi && !kind.is_parallel && kind.paradigm != Paradigm::openmp) {
            const auto call = name_call(facts_.calls, path);
            sums[{call.function, call.caller}] += time;
          }
        all += find_serial(rank);
      }
    found.value = all;
    std::tie(found.call, found.others) = find_most(sums);
  }

  void find_waiting() {
    if (out_.waits.empty())
      return;
    WaitingFinding waiting;
    double time = 0;
    for (const auto& rank : out_.ranks)
      time += rank.time;
    for (const auto& wait : out_.waits)
      waiting.seconds += wait.seconds;
    waiting.share_of_time = time > 0 ? std::min(waiting.seconds / time, 1.0) : 0;
    waiting.worst = out_.waits.front();
    std::tie(waiting.late, waiting.late_share) = blame_.find_late(waiting.worst.kind);
    out_.waiting = std::move(waiting);
  }

  // In which calls the others wait for these.
  void take_wait_for(const std::vector<std::size_t>& late) {
    auto& found = out_.finding;
    Metric metric = Metric::none;
    double most = 0;
    for (const auto& [kind, of] : blame_.times()) {
      double lost = 0;
      for (auto p : late)
        if (const auto at = of.find(p); at != of.end())
          lost += at->second;
      if (lost > most) {
        most = lost;
        metric = kind;
      }
    }
    if (metric == Metric::none)
      return;
    for (const auto& wait : out_.waits)
      if (wait.kind == metric) {
        found.wait = metric;
        found.wait_call = wait.call;
        found.lost = most;
        break;
      }
  }

  void explain_serialisation() {
    auto& found = out_.finding;
    std::map<Metric, double> waits;
    for (const auto& wait : out_.waits)
      waits[wait.kind] += wait.seconds;
    if (waits.empty())  // ranks begin late or end early, and nothing tells who waits for them
      return;
    const auto metric =
        std::max_element(waits.begin(), waits.end(), [](const auto& a, const auto& b) {
          return a.second < b.second;
        })->first;
    take_wait_call(metric);
    found.wait = metric;
    found.lost = waits[metric];
    if (metric == Metric::mpi_late_sender_time && take_chain())
      return;
    const auto [late, share] = blame_.find_late(metric);
    if (late.empty())
      return;
    if (is_collective_wait(metric) && (take_cause_before(late, waits[metric] * share) ||
                                       take_operation_before(late.front(), waits)))
      return;
    take_late(late, metric, waits[metric] * share);
  }

  void take_late(std::vector<std::size_t> late, Metric metric, double lost) {
    auto& found = out_.finding;
    found.who = std::move(late);
    std::sort(found.who.begin(), found.who.end());
    found.wait = metric;
    found.lost = lost;
    take_wait_call(metric);
    switch (metric) {
      case Metric::mpi_late_sender_time: found.culprit = Culprit::sender; break;
      case Metric::mpi_late_receiver_time: found.culprit = Culprit::receiver; break;
      case Metric::mpi_late_broadcast_time: found.culprit = Culprit::root; break;
      default: found.culprit = Culprit::last; break;
    }
    take_victims(metric);
    take(work_.find_excess(found.who, list_all_masters(), true));
  }

  // Who comes last may do so since it waited in a collective operation of another kind before, as
  // the root of a reduction does: then the cause is whom it waited for there. True where it is so.
  bool take_operation_before(std::size_t late, const std::map<Metric, double>& waits) {
    if (!facts_.delays)
      return false;
    double all = 0;
    std::map<Metric, double> by_kind;
    for (const auto& delay : *facts_.delays) {
      if (delay.process != late)
        continue;
      all += static_cast<double>(delay.own.collective + delay.waiting.collective);
      if (!delay.path || delay.waiting.collective == 0)
        continue;
      if (const auto kind = find_wait_kind(late, *delay.path); is_collective_wait(kind))
        by_kind[kind] += static_cast<double>(delay.waiting.collective);
    }
    const auto most =
        std::max_element(by_kind.begin(), by_kind.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most == by_kind.end() || most->second < 0.5 * all)
      return false;
    const auto wait = waits.find(most->first);
    const auto [before, share] = blame_.find_late(most->first);
    if (wait == waits.end() || before.empty() ||
        std::find(before.begin(), before.end(), late) != before.end())
      return false;
    take_late(before, most->first, wait->second * share);
    return true;
  }

  // How a process waits most in a call path; none where it does not.
  Metric find_wait_kind(std::size_t process, PathIndex path) const {
    const auto& profiles = facts_.calls.profiles;
    const auto& paths = profiles.shape(process).paths;
    Metric kind = Metric::none;
    std::uint64_t most = 0;
    for (std::size_t k = 0; k < paths.size(); ++k)
      if (paths[k] == path)
        for (auto wait : profiles.columns.list_waits())
          if (const auto time = profiles.value(process, k, *profiles.columns.find(wait));
              time > most) {
            most = time;
            kind = wait;
          }
    return kind;
  }

  // Who waits for those in `who`, if these are some.
  void take_victims(Metric metric) {
    auto& found = out_.finding;
    if (!facts_.pairs)
      return;
    std::map<std::size_t, double> waited;
    for (const auto& pair : *facts_.pairs) {
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

  // Each waits for the one before, which waited itself.
  bool take_chain() {
    const auto delays = blame_.list_one_way_waits();
    double most = 0, all = 0, in_heavy = 0;
    for (const auto& wait : out_.waits)
      if (wait.kind == Metric::mpi_late_sender_time)
        all += wait.seconds;
    for (const auto& [ends, time] : delays)
      most = std::max(most, time);
    std::vector<std::pair<std::size_t, std::size_t>> heavy;
    for (const auto& [ends, time] : delays)
      if (time > 0.1 * most) {
        heavy.push_back(ends);
        in_heavy += time;
      }
    if (in_heavy < 0.5 * all)
      return false;
    auto chain = find_chain(heavy);
    // It may begin with a short delay, which grows along it.
    while (!chain.empty()) {
      std::optional<std::size_t> before;
      double longest = 0;
      for (const auto& [ends, time] : delays)
        if (ends.second == chain.front() && time > longest &&
            std::find(chain.begin(), chain.end(), ends.first) == chain.end()) {
          longest = time;
          before = ends.first;
        }
      if (!before)
        break;
      chain.insert(chain.begin(), *before);
    }
    return take_chain(std::move(chain), all);
  }
  bool take_chain(std::vector<std::size_t> chain, double lost) {
    auto& found = out_.finding;
    constexpr std::size_t least_chain = 4;
    if (chain.size() < least_chain)
      return false;
    // Most of the waiting is along it: else it is one of many ways that delays go.
    const auto delays = blame_.list_one_way_waits();
    double along = 0;
    for (std::size_t k = 1; k < chain.size(); ++k)
      if (const auto at = delays.find({chain[k - 1], chain[k]}); at != delays.end())
        along += at->second;
    if (along < 0.4 * lost)
      return false;
    found.culprit = Culprit::chain;
    found.who = std::move(chain);
    found.lost = lost;
    found.wait = Metric::mpi_late_sender_time;
    take_wait_call(found.wait);
    auto first = found.who;
    first.resize(1);
    const auto excess = work_.find_excess(first, list_all_masters(), false);
    if (excess.difference() > 0.05 * out_.runtime) {
      found.call = excess.call;
      found.paradigm = excess.paradigm;
    }
    return true;
  }

  void take_wait_call(Metric metric) {
    for (const auto& wait : out_.waits)
      if (wait.kind == metric) {
        out_.finding.wait_call = wait.call;
        return;
      }
  }

  // Who comes last may do so since it waited for another one before, and that one for another: goes
  // back from one to the next. True where there is such a cause.
  bool take_cause_before(std::vector<std::size_t> late, double lost) {
    auto& found = out_.finding;
    const auto delays = blame_.list_one_way_waits();
    const auto others = static_cast<double>(
        std::max<std::size_t>(out_.ranks.size() - std::min(late.size(), out_.ranks.size() - 1), 1));
    auto lateness = lost / others;
    std::vector<std::size_t> way{late.front()};
    double waited = 0;
    for (;;) {
      std::optional<std::size_t> before;
      double longest = 0;
      for (const auto& [ends, time] : delays)
        if (ends.second == way.back() && time > longest) {
          longest = time;
          before = ends.first;
        }
      if (!before || longest < 0.4 * lateness ||
          std::find(way.begin(), way.end(), *before) != way.end())
        break;
      way.push_back(*before);
      waited += longest;
      lateness = longest;
    }
    if (way.size() < 2)
      return false;
    std::reverse(way.begin(), way.end());
    if (take_chain(way, waited))
      return true;

    found.who = {way.front()};
    double as_sender = 0, as_receiver = 0;
    for (const auto& pair : *facts_.pairs) {
      if (pair.sender == way.front())
        as_sender += static_cast<double>(pair.late_sender);
      if (pair.receiver == way.front())
        as_receiver += static_cast<double>(pair.late_receiver);
    }
    const bool is_sender = as_sender >= as_receiver;
    found.culprit = is_sender ? Culprit::sender : Culprit::receiver;
    found.wait = is_sender ? Metric::mpi_late_sender_time : Metric::mpi_late_receiver_time;
    found.lost = facts_.to_seconds(std::max(as_sender, as_receiver));
    take_wait_call(found.wait);
    take_victims(found.wait);
    take(work_.find_excess(found.who, list_all_masters(), true));
    return true;
  }

  void explain_transfer() {
    auto& found = out_.finding;
    struct Sum {
      double time = 0;
      Paradigm paradigm = Paradigm::computation;
      std::uint64_t operations = 0, bytes = 0;
    };
    std::map<std::pair<std::string, std::string>, Sum> sums;
    const auto& profiles = facts_.calls.profiles;
    const auto& columns = profiles.columns;
    const auto read = [&](std::size_t p, std::size_t k, Metric metric) -> std::uint64_t {
      const auto column = columns.find(metric);
      return column ? profiles.value(p, k, *column) : 0;
    };
    std::uint64_t messages = 0, bytes = 0;
    for (const auto& rank : out_.ranks)
      for (auto p : rank.threads) {
        const auto& paths = profiles.shape(p).paths;
        const auto work = work_.list(p);
        for (std::size_t k = 0; k < paths.size(); ++k) {
          const auto& kind = work_.kind(paths[k]);
          const auto time = work.find(paths[k]);
          const auto sends = read(p, k, Metric::sends) + read(p, k, Metric::send_synchronizations);
          messages += sends;
          bytes += read(p, k, Metric::bytes_sent);
          if (!kind.is_mpi || kind.is_mpi_io || time == work.end())
            continue;
          const auto call = name_call(facts_.calls, paths[k]);
          auto& sum = sums[{call.function, call.caller}];
          sum.time += time->second;
          sum.paradigm = kind.paradigm;
          sum.operations += kind.paradigm == Paradigm::point_to_point
                                ? 0
                                : read(p, k, Metric::collectives) +
                                      read(p, k, Metric::collective_synchronizations);
          sum.bytes += read(p, k, Metric::collective_bytes_outgoing);
        }
      }
    double most = 0;
    for (const auto& [names, sum] : sums)
      if (sum.time > most) {
        most = sum.time;
        found.call = {names.first, names.second};
        found.paradigm = sum.paradigm;
        found.operations = sum.operations;
        found.bytes_each = sum.operations > 0 ? static_cast<double>(sum.bytes) /
                                                    static_cast<double>(sum.operations)
                                              : 0;
      }
    if (found.paradigm == Paradigm::point_to_point && messages > 0) {
      found.operations = messages;
      found.bytes_each = static_cast<double>(bytes) / static_cast<double>(messages);
    }
    found.value = most;
  }

  void explain_io() {
    auto& found = out_.finding;
    std::vector<double> io;
    for (const auto& rank : out_.ranks)
      io.push_back(rank.io);
    const auto largest = find_largest(io);
    found.who = list_masters(largest.places);
    found.culprit = !largest.are_clear || largest.places.size() * 2 > io.size() ? Culprit::none
                    : largest.places.size() == 1                                ? Culprit::process
                                                                                : Culprit::few;
    found.value = 0;
    for (auto r : largest.places)
      found.value += io[r] / static_cast<double>(largest.places.size());
    if (found.culprit == Culprit::none) {
      found.who.clear();
      found.value = compute_mean(io);
    }
    double others = 0;
    for (std::size_t r = 0; r < io.size(); ++r)
      if (!contains(largest.places, r))
        others += io[r];
    found.is_alone = others < 0.02 * found.value;
    if (found.culprit != Culprit::none)
      found.node = find_node(largest.places);
    CallSums sums;
    for (const auto& rank : out_.ranks)
      for (const auto& [path, time] : work_.list(rank.master))
        if (work_.kind(path).paradigm == Paradigm::io) {
          const auto call = name_call(facts_.calls, path);
          sums[{call.function, call.caller}] += time;
        }
    found.call = find_most(sums).first;
    found.paradigm = Paradigm::io;
    if (!found.who.empty())
      take_wait_for(found.who);
  }

  void take_iterations(const LongIterations& iterations) {
    Finding found;
    const auto before = out_.finding;
    found.loss = Loss::iterations;
    found.share = iterations.share;
    found.culprit = iterations.is_trend ? Culprit::slower_iterations : Culprit::slow_iteration;
    found.loop = iterations.loop;
    found.first = iterations.first;
    found.last = iterations.last;
    found.iterations = iterations.count;
    found.usual = facts_.to_seconds(iterations.usual);
    found.value = facts_.to_seconds(iterations.value);
    const bool is_of_one = iterations.most > 1.5 * iterations.computation &&
                           facts_.to_seconds(iterations.most - iterations.computation) >
                               0.4 * (found.value - found.usual);
    if (is_of_one) {
      found.who = {iterations.slowest};
      found.others = facts_.to_seconds(iterations.computation);
      found.lost = facts_.to_seconds(iterations.most);
    }
    // The call in which that is may be known from who takes longer in all.
    if (is_of_one && before.who == found.who) {
      found.call = before.call;
      found.paradigm = before.paradigm;
    }
    if (iterations.is_trend && !before.who.empty() &&
        (before.culprit == Culprit::process || before.culprit == Culprit::node ||
         before.culprit == Culprit::few)) {
      found.who = before.who;
      found.node = before.node;
      found.call = before.call;
    }
    out_.finding = std::move(found);
  }

  const RunFacts& facts_;
  Summary& out_;
  const CallWork work_;
  const Blame blame_;
};

}  // namespace

namespace {

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
  LossFinder(facts, summary).find();
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
  find_loss(*facts.around, around);
  if (around.finding.loss == Loss::none)
    return;
  summary.finding = std::move(around.finding);
  summary.finding_is_around = true;
}

}  // namespace tracefold
