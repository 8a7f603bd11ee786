#include "filters/summary/explain_threads.hpp"

#include "filters/summary/measure_run.hpp"
#include "filters/summary/outliers.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

namespace tracefold {

namespace {

constexpr double idle_share = 0.05;       // of the computation of the busiest thread
constexpr double idle_part_of_run = 0.1;  // of the runtime, for threads that share no work
// To start threads and to join them takes some 10 us (Bull 1999, EPCC OpenMP benchmarks): who is
// longer in a barrier waits for a thread that works.
constexpr double longest_start = 1e-4;  // seconds

// What the master computes while there are no parallel regions. Where these are not recorded,
// what it computes beyond the others.
double find_serial(const RankTimes& rank) {
  if (rank.serial < rank.computation[0])
    return rank.serial;
  double most = 0;
  for (std::size_t t = 1; t < rank.computation.size(); ++t)
    most = std::max(most, rank.computation[t]);
  return std::max(rank.computation[0] - most, 0.0);
}

// By thread of a rank its computation in parallel regions.
std::vector<double> list_parallel(const RankTimes& rank) {
  auto parallel = rank.computation;
  parallel[0] = std::max(parallel[0] - find_serial(rank), 0.0);
  return parallel;
}

// Up to half of the threads that are longer than the others; else the longest one.
std::vector<std::size_t> list_slow(const std::vector<double>& parallel) {
  const auto slow = find_largest(parallel);
  if (2 * slow.places.size() <= parallel.size())
    return slow.places;
  return {static_cast<std::size_t>(std::max_element(parallel.begin(), parallel.end()) -
                                   parallel.begin())};
}

// Which call takes most of the masters' time outside of parallel regions.
void explain_serial_part(LossSearch& loss) {
  auto& found = loss.out.finding;
  CallSums sums;
  double all = 0;
  for (const auto& rank : loss.out.ranks)
    if (rank.threads.size() > 1) {
      for (const auto& [path, time] : loss.work.list(rank.master))
        if (const auto& kind = loss.work.kind(path); !kind.is_mpi && !kind.is_parallel &&
                                                     kind.paradigm != Paradigm::openmp &&
                                                     kind.paradigm != Paradigm::io) {
          const auto call = name_call(loss.facts.calls, path);
          sums[{call.function, call.caller}] += time;
        }
      all += find_serial(rank);
    }
  found.value = all;
  std::tie(found.call, found.others) = find_most(sums);
}

// Without MPI and OpenMP no thread is known to work for another one: all that can be said is which
// of them do nearly nothing.
void explain_rows(LossSearch& loss) {
  auto& found = loss.out.finding;
  double idle = 0, all = 0;
  for (const auto& rank : loss.out.ranks)
    for (std::size_t t = 0; t < rank.threads.size(); ++t) {
      const auto lost = std::max(loss.out.runtime - rank.computation[t], 0.0);
      all += lost;
      if (rank.computation[t] < idle_part_of_run * loss.out.runtime) {
        found.who.push_back(rank.threads[t]);
        idle += lost;
      }
    }
  if (idle > all / 2)
    found.culprit = Culprit::idle_threads;
  else
    found.who.clear();
  found.value = all;
}

bool is_lock(const std::string& function) {
  constexpr std::array begins{"!$omp critical", "!$omp ordered",     "!$omp atomic",
                              "omp_set_lock",   "omp_set_nest_lock", "pthread_mutex_lock"};
  return std::any_of(begins.begin(), begins.end(),
                     [&](const char* begin) { return function.starts_with(begin); });
}

// Where threads wait for each other's locks, and then in barriers since they had to. True where
// that is much of their time in OpenMP.
bool take_locks(LossSearch& loss) {
  CallSums locks;
  double all = 0;
  for (const auto& rank : loss.out.ranks)
    for (auto p : rank.threads)
      for (const auto& [path, time] : loss.work.list(p)) {
        if (loss.work.kind(path).paradigm == Paradigm::openmp)
          all += time;
        const auto call = name_call(loss.facts.calls, path);
        if (is_lock(call.function))
          locks[{call.function, call.caller}] += time;
      }
  const auto [call, time] = find_most(locks);
  constexpr double much = 0.2;
  if (time < much * all || time <= 0)
    return false;
  auto& found = loss.out.finding;
  found.culprit = Culprit::locks;
  found.call = call;
  found.value = time;
  return true;
}

// What threads of a rank wait for each other in barriers, where that is no time of starting them:
// in seconds of the master, and of all.
struct BarrierTimes {
  double of_master = 0, of_all = 0;
};
BarrierTimes sum_barriers(const LossSearch& loss, const RankTimes& rank) {
  const auto& profiles = loss.facts.calls.profiles;
  const auto visits = profiles.columns.find(Metric::visits);
  BarrierTimes out;
  double count = 0;
  for (auto p : rank.threads) {
    std::map<PathIndex, std::size_t> places;  // of barriers
    const auto& paths = profiles.shape(p).paths;
    for (std::size_t k = 0; k < paths.size(); ++k)
      if (loss.work.kind(paths[k]).paradigm == Paradigm::openmp &&
          name_call(loss.facts.calls, paths[k]).function.find("barrier") != std::string::npos)
        places.emplace(paths[k], k);
    for (const auto& [path, time] : loss.work.list(p))
      if (const auto at = places.find(path); at != places.end()) {
        out.of_all += time;
        out.of_master += p == rank.master ? time : 0;
        count += visits ? static_cast<double>(profiles.value(p, at->second, *visits)) : 0;
      }
  }
  return out.of_all > longest_start * count ? out : BarrierTimes{};
}

// The call that has most of what threads compute in parallel regions.
NamedCall find_parallel_call(const LossSearch& loss) {
  CallSums sums;
  for (const auto& rank : loss.out.ranks)
    for (auto p : rank.threads)
      for (const auto& [path, time] : loss.work.list(p))
        if (const auto& kind = loss.work.kind(path);
            kind.is_parallel && kind.paradigm == Paradigm::computation) {
          const auto call = name_call(loss.facts.calls, path);
          sums[{call.function, call.caller}] += time;
        }
  return find_most(sums).first;
}

// The parallel region that has most of OpenMP's own time on the masters, where that is most of it.
void take_overhead(LossSearch& loss) {
  CallSums sums;
  double all = 0;
  for (const auto& rank : loss.out.ranks)
    for (const auto& [path, time] : loss.work.list(rank.master)) {
      if (loss.work.kind(path).paradigm != Paradigm::openmp)
        continue;
      all += time;
      const auto call =
          name_call(loss.facts.calls, find_region(loss.facts.calls, loss.work.kinds(), path));
      sums[{call.function, call.caller}] += time;
    }
  const auto [call, time] = find_most(sums);
  if (2 * time > all)
    loss.out.finding.call = call;
}

}  // namespace

void explain_threads(LossSearch& loss) {
  auto& found = loss.out.finding;
  if (!loss.out.has_mpi && !loss.out.has_openmp) {
    explain_rows(loss);
    return;
  }
  double serial = 0, idle = 0, imbalance = 0;  // of all threads
  double turns = 0;  // what they wait for each other, though they compute as long in all
  double overhead = 0, overhead_of_threads = 0;
  std::vector<std::size_t> idle_threads;
  struct Slow {
    double excess = 0, value = 0, others = 0;
    std::size_t rank = 0;
    std::vector<std::size_t> threads = {};
  } slowest;
  std::map<std::vector<std::size_t>, double> by_number;  // threads of ranks: excess
  double all_excess = 0;

  for (std::size_t r = 0; r < loss.out.ranks.size(); ++r) {
    const auto& rank = loss.out.ranks[r];
    if (rank.threads.size() < 2)
      continue;

    const auto own_serial = find_serial(rank);
    serial += own_serial * static_cast<double>(rank.threads.size() - 1);
    const auto parallel = list_parallel(rank);
    const auto most = *std::max_element(parallel.begin(), parallel.end());
    const auto barriers = sum_barriers(loss, rank);
    const auto in_all = most * static_cast<double>(parallel.size()) -
                        std::accumulate(parallel.begin(), parallel.end(), 0.0);
    turns += std::max(barriers.of_all - in_all, 0.0);
    // Without what the master waits for slower threads.
    const auto own_overhead =
        std::max(rank.openmp - std::max(most - parallel[0], barriers.of_master), 0.0);
    overhead += own_overhead;
    overhead_of_threads += own_overhead * static_cast<double>(rank.threads.size());

    std::vector<double> busy, own, others;
    std::vector<std::size_t> busy_threads;
    for (std::size_t t = 0; t < parallel.size(); ++t)
      if (parallel[t] < idle_share * most && most > 0) {
        idle += most;
        idle_threads.push_back(rank.threads[t]);
      } else {
        imbalance += most - parallel[t];
        busy.push_back(parallel[t]);
        busy_threads.push_back(t);
      }
    if (busy.size() < 2)
      continue;

    const auto slow = list_slow(busy);
    for (std::size_t k = 0; k < busy.size(); ++k)
      (contains(slow, k) ? own : others).push_back(busy[k]);
    std::vector<std::size_t> threads;
    for (const auto k : slow)
      threads.push_back(busy_threads[k]);
    const Slow one{compute_mean(own) - compute_mean(others), compute_mean(own),
                   compute_mean(others), r, threads};
    by_number[threads] += one.excess;
    all_excess += one.excess;
    if (one.excess > slowest.excess)
      slowest = one;
  }

  const auto largest = std::max({serial, idle, imbalance, turns});
  if ((overhead_of_threads >= largest || largest == turns) && take_locks(loss))
    return;
  if (overhead_of_threads >= largest) {
    found.culprit = Culprit::overhead;
    found.value = overhead;
    take_overhead(loss);
  } else if (largest == idle) {
    found.culprit = Culprit::idle_threads;
    found.who = idle_threads;
    found.is_thread_number = !idle_threads.empty();
    found.value = idle;
  } else if (largest == serial) {
    found.culprit = Culprit::serial_part;
    explain_serial_part(loss);
  } else if (largest == turns) {
    found.culprit = Culprit::thread;
    found.call = find_parallel_call(loss);
    found.value = turns / static_cast<double>(loss.out.threads);
  } else {
    found.culprit = Culprit::thread;
    const auto& rank = loss.out.ranks[slowest.rank];
    for (const auto t : slowest.threads)
      found.who.push_back(rank.threads[t]);
    found.value = slowest.value;
    found.others = slowest.others;
    const bool is_one_number = by_number[slowest.threads] > 0.8 * all_excess;
    const bool is_one_rank = slowest.excess > 0.6 * all_excess;
    found.is_thread_number = is_one_number && !is_one_rank && loss.out.ranks.size() > 1;
    // Those that stand out are as fast as the others then; else the work is spread.
    if (find_largest(list_parallel(rank)).are_clear &&
        (found.is_thread_number || loss.out.ranks.size() == 1)) {
      found.is_as_others = true;
      found.cost = all_excess / static_cast<double>(loss.out.ranks.size());
      found.share = *found.cost / loss.out.runtime;
    }
    loss.take(loss.work.find_excess(found.who, rank.threads, false));
  }
}

bool take_thread(LossSearch& loss, const std::vector<std::size_t>& ranks) {
  if (ranks.size() != 1 || loss.out.ranks[ranks[0]].threads.size() < 2)
    return false;

  auto& found = loss.out.finding;
  const auto& rank = loss.out.ranks[ranks[0]];
  const auto parallel = list_parallel(rank);
  const auto which = list_slow(parallel);

  std::vector<double> own, others;
  for (std::size_t t = 0; t < parallel.size(); ++t)
    (contains(which, t) ? own : others).push_back(parallel[t]);
  const auto excess = compute_mean(own) - compute_mean(others);
  if (excess < 0.5 * (found.value - found.others) || excess <= 0)
    return false;

  found.culprit = Culprit::thread;
  found.node.clear();
  found.who.clear();
  for (const auto t : which)
    found.who.push_back(rank.threads[t]);
  found.value = compute_mean(own);
  found.others = compute_mean(others);

  loss.take(loss.work.find_excess(found.who, rank.threads, false));
  loss.take_wait_for({rank.master});
  return true;
}

}  // namespace tracefold
