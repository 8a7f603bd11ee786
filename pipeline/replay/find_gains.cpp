#include "pipeline/replay/find_gains.hpp"

#include "filters/summary/find_chain.hpp"
#include "filters/summary/long_iterations.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <set>

namespace tracefold {

namespace {

constexpr std::size_t most_played = 3;                    // functions
constexpr std::size_t most_times = std::size_t{1} << 23;  // of a function

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}
double find_mean(const std::vector<double>& values) {
  return sum(values) / static_cast<double>(std::max<std::size_t>(values.size(), 1));
}
double find_most(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}
double find_median(std::vector<double> values) {
  if (values.empty())
    return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// How long each should be in it at most: the median; of an even number, the lower one of two, where
// half are longer than the others. Where that is little time, though many are in it, they do what
// others could do as well: the mean.
double find_target(const std::vector<double>& times) {
  if (times.empty())
    return 0;
  auto sorted = times;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((times.size() - 1) / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  const auto least = 0.3 * find_most(times);
  const auto many = static_cast<std::ptrdiff_t>(std::max<std::size_t>(times.size() / 4, 1));
  return *middle > least || std::count_if(times.begin(), times.end(),
                                          [&](double time) { return time > least; }) <= many
             ? *middle
             : find_mean(times);
}

// The chance of so many of n, each of which comes about with this chance.
double find_chance(std::size_t least, std::size_t n, double each) {
  if (least == 0 || each >= 1)
    return 1;
  double sum = 0;
  for (auto k = least; k <= n; ++k) {
    const auto of_n = static_cast<double>(n), of_k = static_cast<double>(k);
    sum += std::exp(std::lgamma(of_n + 1) - std::lgamma(of_k + 1) - std::lgamma(of_n - of_k + 1) +
                    of_k * std::log(each) + (of_n - of_k) * std::log1p(-each));
  }
  return sum;
}

// The iterations that have nearly all of this, by iteration; none where these are most.
SomeIterations find_some(const std::vector<double>& above) {
  constexpr double nearly_all = 0.9, part_of_most = 0.1;
  const auto all = sum(above), most = find_most(above);
  std::vector<std::size_t> which;
  double in_these = 0;
  for (std::size_t i = 0; i < above.size(); ++i)
    if (above[i] > part_of_most * most) {
      which.push_back(i);
      in_these += above[i];
    }
  if (which.empty() || 2 * which.size() > above.size() || in_these < nearly_all * all)
    return {};
  const auto every = which.size() > 1 ? which[1] - which[0] : 1;
  for (std::size_t k = 1; k < which.size(); ++k)
    if (which[k] - which[k - 1] != every)
      return {};
  if (which.size() == 2 && every > 1)
    return {};
  return {which.front(), which.back(), every};
}

// By process of the part and iteration.
using TimesByIteration = std::vector<std::vector<double>>;

// Of some call paths together.
struct PlayedWork {
  std::vector<double> times;              // by process of the part
  std::map<std::size_t, double> on_path;  // on the critical path, by the same
  std::map<PathIndex, double> by_path;    // on the critical path
  double bound = 0;
  TimesByIteration by_iteration;  // only of what is played

  PathIndex find_path() const {
    const auto largest =
        std::max_element(by_path.begin(), by_path.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    return largest == by_path.end() ? 0 : largest->first;
  }
  // Those who are longer in some iterations alone may be on the path there.
  void find_bound() {
    const auto target = find_target(times);
    double all = 0;
    for (const auto& [k, ticks] : on_path) {
      bound += std::max(ticks - target * ticks / std::max(times[k], 1.0), 0.0);
      all += ticks;
    }
    bound = std::max(bound, all - target);
  }
};

class GainFinder {
 public:
  GainFinder(const Replay& replay, const Replay::Part& part, bool is_loop,
             const std::vector<PlayedPath>& paths, const ProgramReplay& played)
      : replay_(replay), part_(part), is_loop_(is_loop), paths_(paths), played_(played) {}

  std::vector<ProgramGain> find() {
    for (std::size_t p = 0; p < part_.size(); ++p)
      if (part_[p].end > 0)
        processes_.push_back(p);
    sum_times();
    std::vector<std::pair<double, FunctionIndex>> order;
    for (auto& [function, work] : functions_) {
      work.find_bound();
      if (is_enough(work.bound))
        order.emplace_back(-work.bound, function);
    }
    std::sort(order.begin(), order.end());
    order.resize(std::min(order.size(), most_played));
    sum_iterations(order);

    for (const auto& [bound, function] : order)
      try_function(function);
    try_computation();
    leave_out_same();
    try_iterations();
    try_order();
    try_files();
    try_network();
    std::stable_sort(gains_.begin(), gains_.end(),
                     [](const auto& a, const auto& b) { return a.ticks > b.ticks; });
    return gains_;
  }

 private:
  bool is_enough(double ticks) const {
    return ticks > 0 && ticks >= least_gain * static_cast<double>(played_.recorded);
  }
  const PlayedPath* find_path(PathIndex number) const {
    return number < paths_.size() ? &paths_[number] : nullptr;
  }
  std::size_t find_place(std::size_t process) const {
    return static_cast<std::size_t>(
        std::lower_bound(processes_.begin(), processes_.end(), process) - processes_.begin());
  }
  PlayedWork& find_function(FunctionIndex function) {
    auto& work = functions_[function];
    work.times.resize(processes_.size());
    return work;
  }

  void sum_times() {
    all_.times.resize(processes_.size());
    other_.resize(processes_.size());
    PartTimes sums;
    for (std::size_t k = 0; k < processes_.size(); ++k) {
      const auto& part = part_[processes_[k]];
      replay_.processes()[processes_[k]].line.sum(part.begin, part.end, sums);
      for (auto of_path : sums.parts()) {
        const auto ticks = static_cast<double>(sums[of_path]);
        const auto number = PartTimes::find_path(of_path);
        const auto* path = find_path(number);
        if (path && path->computes) {
          find_function(path->function).times[k] += ticks;
          all_.times[k] += ticks;
        } else if (!replay_.is_mpi(number)) {
          other_[k] += ticks;
        }
      }
      sums.clear();
    }
    for (const auto& [process, number, time] : played_.critical_path.times) {
      const auto ticks = static_cast<double>(time);
      const auto* path = find_path(number);
      if (path && path->computes) {
        for (auto* work : {&find_function(path->function), &all_}) {
          work->on_path[find_place(process)] += ticks;
          work->by_path[number] += ticks;
        }
      } else if (path && path->is_of_files) {
        files_.by_path[number] += ticks;
        on_files_ += ticks;
      }
    }
    all_.find_bound();
  }

  // What of each path is summed up by iteration.
  struct OfPath {
    std::vector<PlayedWork*> works;
    std::size_t slot = 0;  // of sums_
  };

  // As the player counts them. Where processes have other numbers of iterations, or there are too
  // many, all of them are one.
  void sum_iterations(const std::vector<std::pair<double, FunctionIndex>>& played) {
    std::vector<OfPath> of_paths(paths_.size());
    std::map<FunctionIndex, std::size_t> slots;
    for (std::size_t path = 0; path < paths_.size(); ++path) {
      auto& of_path = of_paths[path];
      if (paths_[path].is_of_files)
        of_path.works = {&files_};
      if (!paths_[path].computes)
        continue;
      const auto function = paths_[path].function;
      of_path.works = {&all_};
      for (const auto& one : played)
        if (one.second == function)
          of_path.works.push_back(&functions_[function]);
      of_path.slot = slots.try_emplace(function, slots.size()).first->second;
    }
    slot_functions_.resize(slots.size());
    for (const auto& [function, slot] : slots)
      slot_functions_[slot] = function;

    std::vector<PlayedWork*> works{&all_, &files_};
    for (const auto& one : played)
      works.push_back(&functions_[one.second]);
    for (auto* work : works)
      work->by_iteration.resize(processes_.size());

    std::vector<std::size_t> counts(processes_.size());
    const auto most =
        most_times / std::max<std::size_t>(std::max(processes_.size(), slot_functions_.size()), 1);
    for (std::size_t k = 0; k < processes_.size(); ++k) {
      const auto& part = part_[processes_[k]];
      const auto& line = replay_.processes()[processes_[k]].line;
      auto since = part.begin;
      for (auto reader = line.read(); reader.next() && reader.begin() < part.end;) {
        if (reader.end() <= part.begin)
          continue;
        if (counts[k] < most)
          reader.visit_parts([&](std::uint32_t part_of, std::uint64_t ticks) {
            const auto path = line.find_in_all(PartTimes::find_path(part_of));
            if (path >= of_paths.size() || of_paths[path].works.empty())
              return;
            add_time(of_paths[path], k, counts[k], static_cast<double>(ticks));
          });
        const bool is_end = reader.end() >= part.end;
        const bool begins = reader.kind() == SegmentKind::before_iteration;
        if ((begins || is_end) && counts[k] < most) {
          const auto end = std::min(reader.end(), part.end);
          lengths_.resize(std::max(lengths_.size(), counts[k] + 1));
          lengths_[counts[k]] += static_cast<double>(end - since);
          since = end;
        }
        if (is_end)
          break;
        counts[k] += begins;
      }
    }
    are_alike_ = std::all_of(counts.begin(), counts.end(),
                             [&](auto count) { return count == counts.front() && count < most; });
    most_iterations_ = counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end()) + 1;
    lengths_.resize(most_iterations_);
    for (auto& of_slot : sums_)
      of_slot.resize(most_iterations_);
    for (auto* work : works)
      for (std::size_t k = 0; k < processes_.size(); ++k)
        if (are_alike_)
          work->by_iteration[k].resize(most_iterations_);
        else
          work->by_iteration[k].assign(1, work == &files_ ? 0 : work->times[k]);
  }
  void add_time(const OfPath& of_path, std::size_t k, std::size_t iteration, double ticks) {
    const auto add = [&](std::vector<double>& times) {
      if (times.size() <= iteration)
        times.resize(iteration + 1);
      times[iteration] += ticks;
    };
    for (auto* work : of_path.works)
      add(work->by_iteration[k]);
    if (of_path.works.front() == &files_)
      return;
    if (sums_.size() <= of_path.slot)
      sums_.resize(of_path.slot + 1);
    add(sums_[of_path.slot]);
  }

  // The gain of a run that takes so long; null where it is too little.
  ProgramGain* add(ProgramGain::Kind kind, std::uint64_t takes, PathIndex path = 0) {
    const auto ticks = played_.recorded - std::min(played_.recorded, takes);
    if (!is_enough(static_cast<double>(ticks)))
      return nullptr;
    gains_.push_back({kind, path, {}, {}, ticks});
    return &gains_.back();
  }
  ProgramGain* play(ProgramGain::Kind kind, const ReplayChange& change, PathIndex path) {
    return add(kind, replay_.play(part_, change), path);
  }

  // By iteration, what is above of all processes.
  void name_iterations(ProgramGain& gain, const TimesByIteration& above) const {
    if (!are_alike_ || !is_loop_ || above.empty())
      return;
    std::vector<double> sums(above.front().size());
    for (const auto& of_process : above)
      for (std::size_t i = 0; i < sums.size(); ++i)
        sums[i] += of_process[i];
    gain.iterations = find_some(sums);
  }

  // Who has most of it, where that is not chance.
  void name_processes(ProgramGain& gain, const TimesByIteration& above,
                      const std::vector<double>& times) const {
    std::vector<double> of_all;
    for (const auto& of_process : above)
      of_all.push_back(sum(of_process));
    const auto most = find_most(of_all);
    std::vector<std::size_t> who;
    for (std::size_t k = 0; k < of_all.size(); ++k)
      if (of_all[k] > 0.25 * most && of_all[k] > 0.05 * times[k])
        who.push_back(k);
    if (who.empty() || 2 * who.size() > processes_.size() || !are_late(who, above, of_all))
      return;
    for (const auto k : who)
      gain.who.push_back(processes_[k]);
  }
  // Whether each of them is among the longest far more often than chance, or they are far above all
  // others.
  bool are_late(const std::vector<std::size_t>& who, const TimesByIteration& above,
                const std::vector<double>& of_all) const {
    double least = of_all[who.front()], others = 0;
    for (const auto k : who)
      least = std::min(least, of_all[k]);
    for (std::size_t k = 0; k < of_all.size(); ++k)
      if (!std::binary_search(who.begin(), who.end(), k))
        others = std::max(others, of_all[k]);
    constexpr double far = 10;
    const auto iterations = above.front().size();
    if (iterations < 2 || least > far * others)
      return true;

    std::vector<std::size_t> times(of_all.size());
    std::vector<std::size_t> places(of_all.size());
    for (std::size_t i = 0; i < iterations; ++i) {
      std::iota(places.begin(), places.end(), std::size_t{0});
      std::nth_element(places.begin(), places.begin() + static_cast<std::ptrdiff_t>(who.size() - 1),
                       places.end(), [&](auto a, auto b) { return above[a][i] > above[b][i]; });
      for (std::size_t k = 0; k < who.size(); ++k)
        times[places[k]] += above[places[k]][i] > 0;
    }
    const auto count = static_cast<double>(of_all.size());
    return std::all_of(who.begin(), who.end(), [&](auto k) {
      return find_chance(times[k], iterations, static_cast<double>(who.size()) / count) <
             0.01 / count;
    });
  }

  ReplayChange begin_change(const std::function<bool(const PlayedPath&)>& is_changed) const {
    ReplayChange change;
    for (const auto& path : paths_)
      change.some_paths.push_back(is_changed(path));
    return change;
  }
  // Factors by iteration; one for all where iterations are not told apart.
  void set_factor(ReplayChange& change, std::size_t k, std::size_t iteration, double factor) const {
    auto& factors = change.of_processes[processes_[k]];
    factors.resize(most_iterations_, 1);
    if (are_alike_)
      factors[iteration] = factor;
    else
      std::fill(factors.begin(), factors.end(), factor);
  }

  // Times above a target, by process and iteration, and the change that takes them away.
  template <class Target>
  TimesByIteration cut(const TimesByIteration& times, ReplayChange& change,
                       const Target& target_of) const {
    TimesByIteration above(times.size());
    const auto columns = times.empty() ? 0 : times.front().size();
    std::vector<double> of_all(times.size());
    for (auto& of_process : above)
      of_process.resize(columns);
    for (std::size_t column = 0; column < columns; ++column) {
      for (std::size_t k = 0; k < times.size(); ++k)
        of_all[k] = times[k][column];
      const auto target = target_of(of_all);
      for (std::size_t k = 0; k < times.size(); ++k)
        if (of_all[k] > target) {
          above[k][column] = of_all[k] - target;
          set_factor(change, k, column, target / of_all[k]);
        }
    }
    return above;
  }

  void try_function(FunctionIndex function) {
    const auto& work = functions_[function];
    auto change =
        begin_change([&](const auto& path) { return path.computes && path.function == function; });
    const auto above = cut(work.by_iteration, change, find_target);
    if (auto* gain = play(ProgramGain::Kind::function, change, work.find_path())) {
      name_processes(*gain, above, work.times);
      name_iterations(*gain, above);
    }
  }

  // How much shorter the longest would be if all computed as long.
  double find_spread() const {
    const auto mean = find_mean(all_.times);
    return find_most(all_.times) - mean;
  }

  void try_computation() {
    const auto median = find_target(all_.times);
    const auto spread = find_spread();
    const auto least = *std::min_element(all_.times.begin(), all_.times.end());
    const bool are_some_idle =
        find_most(all_.times) - median <= 1.01 * spread && least < 0.5 * find_mean(all_.times);
    if (!is_enough(are_some_idle ? spread : all_.bound))
      return;
    auto change = begin_change([](const auto& path) { return path.computes; });
    if (!are_some_idle) {
      const auto above = cut(all_.by_iteration, change, find_target);
      if (auto* gain = play(ProgramGain::Kind::computation, change, all_.find_path())) {
        name_processes(*gain, above, all_.times);
        name_iterations(*gain, above);
      }
      return;
    }
    balance(change);
    if (auto* gain = play(ProgramGain::Kind::spread, change, all_.find_path())) {
      const auto mean = find_mean(all_.times);
      for (std::size_t k = 0; k < processes_.size(); ++k)
        if (all_.times[k] < 0.5 * (mean + least))
          gain->who.push_back(processes_[k]);
    }
  }

  // What is gained by all functions together says nothing new where one of them gains nearly as
  // much; nor does a function where the same work could be spread.
  void leave_out_same() {
    using Kind = ProgramGain::Kind;
    const auto find_most_of = [&](Kind kind) {
      std::uint64_t most = 0;
      for (const auto& gain : gains_)
        if (gain.kind == kind)
          most = std::max(most, gain.ticks);
      return static_cast<double>(most);
    };
    const auto of_function = find_most_of(Kind::function), of_spread = find_most_of(Kind::spread);
    constexpr double nearly = 1.1;
    std::erase_if(gains_, [&](const ProgramGain& gain) {
      const auto ticks = static_cast<double>(gain.ticks);
      return (gain.kind == Kind::computation && ticks < nearly * of_function) ||
             (gain.kind == Kind::function && ticks < nearly * of_spread &&
              nearly * ticks > of_spread);
    });
  }

  // All compute as long as they do on average, in each iteration. Who does nothing cannot do more.
  void balance(ReplayChange& change) const {
    const auto& times = all_.by_iteration;
    const auto columns = times.empty() ? 0 : times.front().size();
    for (std::size_t column = 0; column < columns; ++column) {
      double of_all = 0;
      for (const auto& of_process : times)
        of_all += of_process[column];
      const auto mean = of_all / static_cast<double>(times.size());
      for (std::size_t k = 0; k < times.size(); ++k)
        if (times[k][column] > 0)
          set_factor(change, k, column, mean / times[k][column]);
    }
  }

  // Each process computes in long iterations as long as in others; where iterations change bit by
  // bit, less by what they are too long.
  void try_iterations() {
    if (!is_loop_ || !are_alike_ || processes_.empty())
      return;
    const auto [found, which] = find_long_times(lengths_);
    if (!is_enough(found.share / static_cast<double>(processes_.size())))
      return;
    auto change = begin_change([](const auto& path) { return path.computes; });
    TimesByIteration above(processes_.size(), std::vector<double>(most_iterations_));
    for (std::size_t k = 0; k < processes_.size(); ++k) {
      const auto& times = all_.by_iteration[k];
      const auto targets = find_usual(times, which, found.usual);
      for (const auto i : which)
        if (times[i] > targets[i]) {
          above[k][i] = times[i] - targets[i];
          set_factor(change, k, i, targets[i] / times[i]);
        }
    }
    auto* gain = play(ProgramGain::Kind::iterations, change, find_longer(which, found.usual));
    if (!gain)
      return;
    name_processes(*gain, above, all_.times);
    gain->iterations = {found.first, found.last, found.every > 0 ? found.every : 1};
  }
  // What times by iteration would be if these were as others; `usual` is the length of an
  // iteration.
  std::vector<double> find_usual(const std::vector<double>& times,
                                 const std::vector<std::size_t>& which, double usual) const {
    auto out = times;
    std::vector<double> others;
    for (std::size_t i = 0; i < times.size(); ++i)
      if (!std::binary_search(which.begin(), which.end(), i))
        others.push_back(times[i]);
    const auto median = find_median(others);
    for (const auto i : which)
      out[i] = others.empty() ? times[i] * std::min(usual / lengths_[i], 1.0) : median;
    return out;
  }
  // A path of the function that has most of what these are too long.
  PathIndex find_longer(const std::vector<std::size_t>& which, double usual) const {
    double most = 0;
    std::size_t longest = slot_functions_.size();
    for (std::size_t slot = 0; slot < sums_.size(); ++slot) {
      const auto without = find_usual(sums_[slot], which, usual);
      if (const auto above = sum(sums_[slot]) - sum(without); above > most) {
        most = above;
        longest = slot;
      }
    }
    for (PathIndex path = 0; longest < slot_functions_.size() && path < paths_.size(); ++path)
      if (paths_[path].computes && paths_[path].function == slot_functions_[longest])
        return path;
    return 0;
  }

  void try_order() {
    double busiest = 0;
    for (std::size_t k = 0; k < processes_.size(); ++k)
      busiest = std::max(busiest, all_.times[k] + other_[k]);
    if (!is_enough(static_cast<double>(played_.ideal) - busiest))
      return;
    auto change = replay_.make_ideal();
    change.some_paths = begin_change([](const auto& path) { return path.computes; }).some_paths;
    balance(change);
    Replay::OfPairs waits;
    auto rest = static_cast<double>(replay_.play(part_, change, &waits)) - find_mean(all_.times) -
                find_most(other_);
    // What differs between processes, but not in the sum of an iteration.
    for (const auto& gain : gains_)
      if (gain.kind == ProgramGain::Kind::function)
        rest -= static_cast<double>(gain.ticks);
    if (!is_enough(rest))
      return;
    auto* gain = add(ProgramGain::Kind::order, played_.recorded - static_cast<std::uint64_t>(rest));
    if (gain)
      gain->who = find_late_chain(waits);
  }
  // The chain that has most of this waiting; empty where there is none.
  static std::vector<std::size_t> find_late_chain(const Replay::OfPairs& waits) {
    std::map<std::pair<std::size_t, std::size_t>, double> one_way;
    double all = 0, most = 0;
    for (const auto& [ends, ticks] : waits) {
      const auto back = waits.find({ends.second, ends.first});
      const auto less = back == waits.end() ? 0 : back->second;
      all += static_cast<double>(ticks);
      if (ticks > less)
        one_way[ends] = static_cast<double>(ticks - less);
    }
    for (const auto& [ends, ticks] : one_way)
      most = std::max(most, ticks);
    std::vector<std::pair<std::size_t, std::size_t>> heavy;
    for (const auto& [ends, ticks] : one_way)
      if (ticks > 0.1 * most)
        heavy.push_back(ends);
    auto chain = find_chain(heavy);
    double along = 0;
    for (std::size_t k = 1; k < chain.size(); ++k)
      along += one_way[{chain[k - 1], chain[k]}];
    constexpr std::size_t least = 4;
    if (chain.size() < least || along < 0.4 * all)
      chain.clear();
    return chain;
  }

  // Who has slow messages, where it is one with many, or two with each other.
  void try_network() {
    auto* gain = add(ProgramGain::Kind::network, played_.ideal);
    if (!gain || processes_.size() < 3)
      return;
    const auto transfers = replay_.sum_transfers(part_);
    std::map<std::size_t, double> of_ends;
    std::map<std::size_t, std::set<std::size_t>> others_of;
    std::map<std::pair<std::size_t, std::size_t>, double> of_both;
    double all = 0;
    for (const auto& [ends, ticks] : transfers) {
      const auto time = static_cast<double>(ticks);
      all += time;
      for (const auto& [end, other] : {ends, {ends.second, ends.first}}) {
        of_ends[end] += time;
        others_of[end].insert(other);
      }
      const auto back = transfers.find({ends.second, ends.first});
      of_both[std::minmax(ends.first, ends.second)] =
          back == transfers.end() ? time : 2 * std::min(time, static_cast<double>(back->second));
    }
    const auto by_time = [](const auto& a, const auto& b) { return a.second < b.second; };
    constexpr double nearly_all = 0.8;
    const auto end = std::max_element(of_ends.begin(), of_ends.end(), by_time);
    if (end == of_ends.end())
      return;
    if (end->second > nearly_all * all && others_of[end->first].size() > 2) {
      gain->who = {end->first};
      return;
    }
    const auto pair = std::max_element(of_both.begin(), of_both.end(), by_time);
    double others = 0;
    for (const auto& [ends, time] : of_both)
      if (ends != pair->first)
        others = std::max(others, time);
    constexpr double by_far = 3;
    if (pair->second > by_far * others && of_both.size() > 2)
      gain->who = {pair->first.first, pair->first.second};
  }

  void try_files() {
    if (!is_enough(on_files_))
      return;
    ReplayChange change;
    for (const auto& path : paths_)
      change.paths.push_back(path.is_of_files ? 0 : 1);
    if (auto* gain = play(ProgramGain::Kind::files, change, files_.find_path()))
      name_iterations(*gain, files_.by_iteration);
  }

  const Replay& replay_;
  const Replay::Part& part_;
  const bool is_loop_;
  const std::vector<PlayedPath>& paths_;
  const ProgramReplay& played_;
  std::vector<std::size_t> processes_;  // of the part, ascending
  std::size_t most_iterations_ = 0;     // of a process
  bool are_alike_ = false;              // all have as many
  std::map<FunctionIndex, PlayedWork> functions_;
  PlayedWork all_, files_;
  std::vector<double> other_;  // by process of the part: neither computation nor MPI
  double on_files_ = 0;
  std::vector<double> lengths_;  // of iterations, over all processes
  // Of functions that compute, by iteration over all processes.
  std::vector<std::vector<double>> sums_;
  std::vector<FunctionIndex> slot_functions_;
  std::vector<ProgramGain> gains_;
};

}  // namespace

std::vector<ProgramGain> find_gains(const Replay& replay, const Replay::Part& part, bool is_loop,
                                    const std::vector<PlayedPath>& paths,
                                    const ProgramReplay& played) {
  return GainFinder(replay, part, is_loop, paths, played).find();
}

}  // namespace tracefold
