#include "pipeline/replay/find_gains.hpp"

#include "base/averages.hpp"
#include "filters/summary/long_iterations.hpp"
#include "filters/summary/measure_run.hpp"
#include "model/profile/function_names.hpp"
#include "pipeline/replay/longer_processes.hpp"
#include "pipeline/replay/slow_messages.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace tracefold {

namespace {

constexpr std::size_t most_played = 3;  // functions

// Whether half of them take little time, though many take much: these do what the others could do
// as well.
bool is_of_some(const std::vector<double>& times) {
  if (times.empty())
    return false;
  const auto least = 0.3 * find_most(times);
  const auto many = static_cast<std::ptrdiff_t>(times.size() / 4);
  return find_lower_median(times) <= least &&
         std::count_if(times.begin(), times.end(), [&](double time) { return time > least; }) >
             many;
}

// Whether half of all are far longer than the others.
bool are_two_halves(const std::vector<double>& times) {
  if (times.empty())
    return false;
  const auto lower = find_lower_median(times), upper = find_upper_median(times);
  const auto [least, most] = std::minmax_element(times.begin(), times.end());
  constexpr double clear_gap = 0.35, least_gap = 0.1;
  return upper - lower >= std::max(clear_gap * (*most - *least), least_gap * upper);
}

// How long each should be at most: what is usual.
enum class Usual : std::uint8_t { median, lower_median, mean };
double find_target(const std::vector<double>& times, Usual usual) {
  if (times.empty())
    return 0;
  if (usual == Usual::mean)
    return compute_mean(times);
  const auto lower = find_lower_median(times);
  return usual == Usual::lower_median ? lower : (lower + find_upper_median(times)) / 2;
}
double find_target(const std::vector<double>& times) {
  return find_target(times, is_of_some(times)       ? Usual::mean
                            : are_two_halves(times) ? Usual::lower_median
                                                    : Usual::median);
}

// Of all calls of a function, or of all that compute.
struct PlayedWork {
  std::vector<double> times;              // by process of the part
  std::map<std::size_t, double> on_path;  // on the critical path, by the same
  std::map<PathIndex, double> by_path;    // on the critical path
  double bound = 0;

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
    begin();
    if (processes_.empty())
      return {};
    // Those on the critical path, and those that would be on it then.
    std::vector<std::pair<double, FunctionIndex>> order, beside;
    double bounds = 0;
    for (auto& [function, work] : functions_) {
      work.find_bound();
      bounds += work.bound;
      if (work.bound > 0)
        order.emplace_back(-work.bound, function);
      else if (const auto excess = find_most(work.times) - find_target(work.times); excess > 0)
        beside.emplace_back(-excess, function);
    }
    std::sort(order.begin(), order.end());
    std::sort(beside.begin(), beside.end());
    std::vector<FunctionIndex> wanted;
    for (const auto* functions : {&order, &beside})
      for (const auto& [bound, function] : *functions)
        wanted.push_back(function);
    sections_ = sum_sections(replay_, part_, processes_, paths_, wanted);

    for (std::size_t n = 0; n < std::min(order.size(), most_played); ++n)
      if (is_enough(-order[n].first))
        try_function(order[n].second);
    try_computation(bounds);
    leave_out_same();
    try_iterations();
    try_order();
    try_files();
    try_network();
    std::stable_sort(gains_.begin(), gains_.end(),
                     [](const auto& a, const auto& b) { return a.ticks > b.ticks; });
    return gains_;
  }

  std::uint64_t ask(const std::vector<Function>& functions, const std::vector<WhatIf>& asked) {
    begin();
    const auto is_asked = [&](const PlayedPath& path, const WhatIf& one, WhatIf::Kind kind) {
      return one.kind == kind && matches_function(one.pattern, functions[path.function]);
    };
    const bool is_ideal = std::any_of(asked.begin(), asked.end(), [](const WhatIf& one) {
      return one.kind == WhatIf::Kind::network;
    });
    auto change = is_ideal ? replay_.make_ideal() : ReplayChange{};
    change.paths.resize(paths_.size(), 1);
    std::set<FunctionIndex> balanced;
    for (std::size_t number = 0; number < paths_.size(); ++number)
      for (const auto& one : asked) {
        const auto& path = paths_[number];
        if ((path.computes || path.is_of_files) && is_asked(path, one, WhatIf::Kind::factor))
          change.paths[number] *= one.factor;
        if (path.computes && is_asked(path, one, WhatIf::Kind::balance))
          balanced.insert(path.function);
      }
    if (!balanced.empty() && !processes_.empty()) {
      sections_ = sum_sections(replay_, part_, processes_, paths_,
                               {balanced.begin(), balanced.end()}, UnitRoom::all);
      cut([](const SectionTimes::Unit&) { return true; }, change);
    }
    return replay_.play(part_, change);
  }

 private:
  void begin() {
    for (std::size_t p = 0; p < part_.size(); ++p)
      if (part_[p].end > 0)
        processes_.push_back(p);
    sum_times();
  }
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

  // How much shorter the run is with a change.
  std::uint64_t find_ticks(const ReplayChange& change) const {
    return played_.recorded - std::min(played_.recorded, replay_.play(part_, change));
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

  void name_iterations(ProgramGain& gain, const TimesBySection& above) const {
    if (!sections_.are_iterations_alike || !is_loop_ || above.empty())
      return;
    std::vector<double> sums(above.front().size());
    for (const auto& of_process : above)
      for (std::size_t s = 0; s < sums.size(); ++s)
        sums[s] += of_process[s];
    gain.iterations = find_some_iterations(sections_.sum_by_iteration(sums));
  }

  // Whether these are one or two iterations, and single processes have most of this in them.
  bool are_of_single(const TimesBySection& above, const SomeIterations& iterations) const {
    const auto by_iteration = sections_.sum_by_iteration(above);
    double of_single = 0, all = 0;
    std::size_t count = 0;
    for (auto i = iterations.first; i <= iterations.last; i += iterations.every, ++count) {
      double most = 0;
      for (const auto& of_process : by_iteration) {
        most = std::max(most, of_process[i]);
        all += of_process[i];
      }
      of_single += most;
    }
    return count < 3 && 2 * of_single > all;
  }

  void name_processes(ProgramGain& gain, const TimesBySection& above,
                      const std::vector<double>& times) const {
    for (const auto k : find_longer_processes(sections_.sum_by_iteration(above), times,
                                              sections_.are_iterations_alike))
      gain.who.push_back(processes_[k]);
  }

  // Of all that computes, in one scaling.
  ReplayChange begin_change() const {
    ReplayChange change;
    change.sections = sections_.ends;
    change.scalings.resize(1);
    for (const auto& path : paths_)
      change.scaling_of.push_back(path.computes ? 1 : 0);
    return change;
  }
  void set_factor(ReplayChange::OfProcesses& factors, std::size_t k, std::size_t section,
                  double factor) const {
    auto& own = factors[processes_[k]];
    own.resize(sections_.iteration_of.size(), 1);
    own[section] = factor;
  }

  // What others are above: in each unit for itself; in what they compute in all as well, since the
  // parts of a coupled program do different things; or the lower median, so that nobody is left who
  // is longer than most.
  enum class Above : std::uint8_t { in_each, in_all_as_well, lower_median };

  // Times of these units above their targets, by process and section; adds what takes them away.
  template <class Counts>
  TimesBySection cut(const Counts& counts, ReplayChange& change,
                     Above kind = Above::in_each) const {
    const auto sections = sections_.iteration_of.size();
    TimesBySection above(processes_.size(), std::vector<double>(sections));
    std::vector<double> computed(processes_.size());
    change.sections = sections_.ends;
    change.scalings.resize(sections_.units.size());
    change.scaling_of = sections_.unit_of;
    std::vector<double> of_all(processes_.size());
    for (std::size_t u = 0; u < sections_.units.size(); ++u) {
      if (!counts(sections_.units[u]))
        continue;
      const auto& times = sections_.units[u].times;
      const auto take = [&](std::size_t section) {
        for (std::size_t k = 0; k < times.size(); ++k)
          of_all[k] = times[k][section];
      };
      std::vector<double> in_all;
      for (const auto& of_process : times)
        in_all.push_back(compute_sum(of_process));
      std::size_t of_some = 0, all = 0;  // sections
      for (std::size_t i = 0; i < sections; ++i) {
        take(i);
        all += find_most(of_all) > 0;
        of_some += find_most(of_all) > 0 && is_of_some(of_all);
      }
      const bool is_lower = kind == Above::lower_median || are_two_halves(in_all);
      const auto usual = 2 * of_some > all ? Usual::mean
                         : is_lower        ? Usual::lower_median
                                           : Usual::median;
      for (std::size_t i = 0; i < sections; ++i) {
        take(i);
        const auto target = find_target(of_all, usual);
        const bool is_of_few = kind == Above::in_all_as_well &&
                               (usual == Usual::mean || find_lower_median(of_all) == 0);
        for (std::size_t k = 0; is_of_few && k < computed.size(); ++k)
          computed[k] = sections_.of_all[k][i];
        const auto usual_of_all = is_of_few ? find_target(computed) : 0;
        for (std::size_t k = 0; k < times.size(); ++k) {
          const auto most = is_of_few ? computed[k] - usual_of_all - above[k][i] : of_all[k];
          const auto more = std::min(of_all[k] - target, most);
          if (more <= 0)
            continue;
          above[k][i] += more;
          set_factor(change.scalings[u], k, i, 1 - more / of_all[k]);
        }
      }
    }
    return above;
  }

  // Whether most of what they compute would be gone: each does something else than the others, and
  // not more of it.
  bool is_of_others(const TimesBySection& above) const {
    double of_above = 0;
    for (const auto& of_process : above)
      of_above += compute_sum(of_process);
    return 2 * of_above > compute_sum(all_.times);
  }

  // Where some are named who have not all that was taken away, the gain is of these alone.
  template <class Counts>
  void try_units(ProgramGain::Kind kind, const Counts& counts, const PlayedWork& work) {
    ReplayChange change;
    const bool is_of_all = kind == ProgramGain::Kind::computation;
    auto above = cut(counts, change, is_of_all ? Above::in_all_as_well : Above::in_each);
    if (is_of_all && is_of_others(above))
      return;
    auto* gain = play(kind, change, work.find_path());
    if (!gain)
      return;
    if (!is_of_all && find_lower_median(work.times) == 0)
      take_longer_in_all(counts, *gain, above, change);
    name_processes(*gain, above, work.times);
    double of_named = 0, of_all = 0;
    TimesBySection named;
    for (std::size_t k = 0; k < above.size(); ++k) {
      const auto own = compute_sum(above[k]);
      of_all += own;
      if (std::binary_search(gain->who.begin(), gain->who.end(), processes_[k])) {
        of_named += own;
        named.push_back(above[k]);
      }
    }
    name_iterations(*gain, named.empty() ? above : named);
    if (named.empty() && gain->iterations.every > 0 && are_of_single(above, gain->iterations))
      gain->iterations = {};
    constexpr double nearly_all = 0.95, most_of_it = 0.5;
    if (gain->who.empty() || of_named > nearly_all * of_all)
      return;
    for (auto& scaling : change.scalings)
      std::erase_if(scaling, [&](const auto& of_process) {
        return !std::binary_search(gain->who.begin(), gain->who.end(), of_process.first);
      });
    keep_noise(change);
    const auto ticks = find_ticks(change);
    if (is_enough(static_cast<double>(ticks))) {
      gain->ticks = ticks;
    } else if (static_cast<double>(ticks) < most_of_it * static_cast<double>(gain->ticks)) {
      gain->who.clear();  // others are nearly as long
      gain->iterations = {};
    }
  }
  // Where most do not call a function, and those who compute longer in all gain nearly as much, the
  // gain is of these.
  template <class Counts>
  void take_longer_in_all(const Counts& counts, ProgramGain& gain, TimesBySection& above,
                          ReplayChange& change) const {
    constexpr double nearly = 0.8;
    ReplayChange of_longer;
    auto longer = cut(counts, of_longer, Above::in_all_as_well);
    const auto ticks = find_ticks(of_longer);
    if (!is_enough(static_cast<double>(ticks)) ||
        static_cast<double>(ticks) < nearly * static_cast<double>(gain.ticks))
      return;
    gain.ticks = ticks;
    above = std::move(longer);
    change = std::move(of_longer);
  }

  // Who is longer in nearly all sections is it by as much in each of them: the rest is noise, which
  // stays.
  void keep_noise(ReplayChange& change) const {
    constexpr double nearly_all = 0.8;
    for (std::size_t u = 0; u < change.scalings.size(); ++u)
      for (auto& [process, factors] : change.scalings[u]) {
        const auto& times = sections_.units[u].times[find_place(process)];
        double all = 0, more = 0, longer = 0, sections = 0;
        for (std::size_t i = 0; i < factors.size(); ++i) {
          all += times[i];
          more += times[i] * (1 - factors[i]);
          longer += factors[i] < 1;
          sections += times[i] > 0;
        }
        if (longer >= nearly_all * sections && all > 0)
          factors.assign(factors.size(), 1 - more / all);
      }
  }

  void try_function(FunctionIndex function) {
    try_units(
        ProgramGain::Kind::function,
        [&](const SectionTimes::Unit& unit) { return unit.function == function; },
        functions_[function]);
  }

  // How much shorter the longest would be if all computed as long.
  double find_spread() const {
    const auto mean = compute_mean(all_.times);
    return find_most(all_.times) - mean;
  }

  void try_computation(double bounds) {
    const auto spread = find_spread();
    const auto least = *std::min_element(all_.times.begin(), all_.times.end());
    // Some compute far less than others, or at least nobody more than most.
    const bool is_spread = (find_most(all_.times) - find_target(all_.times) <= 1.01 * spread &&
                            least < 0.5 * compute_mean(all_.times)) ||
                           !is_enough(bounds);
    if (!is_enough(is_spread ? spread : bounds))
      return;
    if (!is_spread) {
      try_units(
          ProgramGain::Kind::computation, [](const SectionTimes::Unit&) { return true; }, all_);
      return;
    }
    auto change = begin_change();
    balance(change);
    if (auto* gain = play(ProgramGain::Kind::spread, change, all_.find_path())) {
      const auto mean = compute_mean(all_.times);
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
    // Some are longer than others in a function that these do as well, and who does nothing has
    // another task.
    const bool is_of_named = std::any_of(gains_.begin(), gains_.end(), [&](const auto& gain) {
      return gain.kind == Kind::function && !gain.who.empty() &&
             nearly * static_cast<double>(gain.ticks) > of_spread &&
             !is_of_some(functions_[paths_[gain.path].function].times);
    });
    if (is_of_named)
      std::erase_if(gains_, [](const auto& gain) { return gain.kind == Kind::spread; });
    std::erase_if(gains_, [&](const ProgramGain& gain) {
      const auto ticks = static_cast<double>(gain.ticks);
      return (gain.kind == Kind::computation && ticks < nearly * of_function) ||
             (gain.kind == Kind::function && !is_of_named && ticks < nearly * of_spread &&
              nearly * ticks > of_spread);
    });
  }

  // All compute as long as they do on average, in each section. Who does nothing cannot do more.
  void balance(ReplayChange& change) const {
    for (std::size_t i = 0; i < sections_.iteration_of.size(); ++i) {
      double of_all = 0;
      for (const auto& of_process : sections_.of_all)
        of_all += of_process[i];
      const auto mean = of_all / static_cast<double>(sections_.of_all.size());
      for (std::size_t k = 0; k < sections_.of_all.size(); ++k)
        if (sections_.of_all[k][i] > 0)
          set_factor(change.scalings.front(), k, i, mean / sections_.of_all[k][i]);
    }
  }

  // Each process computes in long iterations as long as in others; where iterations change bit by
  // bit, as long as at the shorter end.
  void try_iterations() {
    if (!is_loop_ || !sections_.are_iterations_alike)
      return;
    const auto [found, which] = find_long_times(sections_.lengths);
    if (!is_enough(found.share / static_cast<double>(processes_.size())))
      return;
    std::vector<std::size_t> usual;
    for (std::size_t i = 0; i < sections_.iterations; ++i)
      if (!std::binary_search(which.begin(), which.end(), i))
        usual.push_back(i);
    const bool is_gradual = usual.empty();
    const bool is_faster = found.kind == LongKind::faster;
    const auto end = std::max<std::size_t>(sections_.iterations / 5, 1);
    for (std::size_t n = 0; is_gradual && n < end; ++n)
      usual.push_back(is_faster ? sections_.iterations - 1 - n : n);

    if (!are_long_for_most(which, usual))
      return;

    auto change = begin_change();
    TimesBySection above(processes_.size(), std::vector<double>(sections_.iteration_of.size()));
    std::vector<double> more(sections_.iterations), all(sections_.iterations);
    for (std::size_t k = 0; k < processes_.size(); ++k) {
      const auto times = sections_.sum_by_iteration(sections_.of_all[k]);
      const auto target =
          is_gradual ? find_end(times, is_faster) : find_upper_median(choose(times, usual));
      for (std::size_t s = 0; s < sections_.iteration_of.size(); ++s) {
        const auto i = sections_.iteration_of[s];
        all[i] += sections_.of_all[k][s];
        if (times[i] <= target || !std::binary_search(which.begin(), which.end(), i))
          continue;
        above[k][s] = sections_.of_all[k][s] * (1 - target / times[i]);
        more[i] += above[k][s];
        set_factor(change.scalings.front(), k, s, target / times[i]);
      }
    }
    ProgramGain named;
    name_processes(named, above, all_.times);
    // All are longer by as much: what is noise between them stays.
    if (named.who.empty())
      for (std::size_t k = 0; k < processes_.size(); ++k)
        for (std::size_t s = 0; s < sections_.iteration_of.size(); ++s)
          if (const auto i = sections_.iteration_of[s]; more[i] > 0)
            set_factor(change.scalings.front(), k, s, 1 - more[i] / all[i]);
    auto* gain = play(ProgramGain::Kind::iterations, change, find_longer(which, usual));
    if (!gain)
      return;
    gain->who = named.who;
    const bool are_in_row = which.back() - which.front() + 1 == which.size();
    if (!is_gradual && (are_in_row || found.every > 0))
      gain->iterations = {which.front(), which.back(), found.every > 0 ? found.every : 1};
  }
  // Whether most compute longer in them: else they are long since others wait for a few, which
  // chance brings about as well.
  bool are_long_for_most(const std::vector<std::size_t>& which,
                         const std::vector<std::size_t>& usual) const {
    const auto find_excess = [&](const std::vector<double>& times) {
      return find_upper_median(choose(times, which)) - find_upper_median(choose(times, usual));
    };
    constexpr double part_of_length = 0.25;
    const auto least =
        part_of_length * find_excess(sections_.lengths) / static_cast<double>(processes_.size());
    const auto longer = static_cast<std::size_t>(
        std::count_if(sections_.of_all.begin(), sections_.of_all.end(),
                      [&](const std::vector<double>& of_process) {
                        return find_excess(sections_.sum_by_iteration(of_process)) >= least;
                      }));
    constexpr std::size_t few = 8;
    return sections_.iterations < few ? 4 * longer >= 3 * processes_.size()
                                      : 2 * longer > processes_.size();
  }
  static std::vector<double> choose(const std::vector<double>& times,
                                    const std::vector<std::size_t>& which) {
    std::vector<double> out;
    for (const auto i : which)
      out.push_back(times[i]);
    return out;
  }
  // A path of the function that has most of what these are longer than others.
  PathIndex find_longer(const std::vector<std::size_t>& which,
                        const std::vector<std::size_t>& usual) const {
    double most = 0;
    const SectionTimes::OfFunction* longest = nullptr;
    for (const auto& of : sections_.functions) {
      const auto above =
          compute_mean(choose(of.times, which)) - find_upper_median(choose(of.times, usual));
      if (above > most) {
        most = above;
        longest = &of;
      }
    }
    for (PathIndex path = 0; longest && path < paths_.size(); ++path)
      if (paths_[path].computes && paths_[path].function == longest->function)
        return path;
    return 0;
  }

  void try_order() {
    double busiest = 0;
    for (std::size_t k = 0; k < processes_.size(); ++k)
      busiest = std::max(busiest, all_.times[k] + other_[k]);
    if (!is_enough(static_cast<double>(played_.ideal) - busiest))
      return;
    // Nobody is longer than others in any section.
    ReplayChange change;
    auto takes = all_.times;
    const auto above =
        cut([](const SectionTimes::Unit&) { return true; }, change, Above::lower_median);
    for (std::size_t k = 0; k < takes.size(); ++k)
      takes[k] -= compute_sum(above[k]);
    if (is_of_others(above)) {
      change = begin_change();
      balance(change);
      takes = {compute_mean(all_.times)};
    }
    const auto ideal = replay_.make_ideal();
    change.paths = ideal.paths;
    change.network = ideal.network;
    Replay::Waits waits;
    const auto rest = static_cast<double>(replay_.play(part_, change, &waits)) - find_most(takes) -
                      find_most(other_);
    if (!is_enough(rest))
      return;
    auto* gain = add(ProgramGain::Kind::order, played_.recorded - static_cast<std::uint64_t>(rest));
    if (!gain)
      return;
    constexpr double long_share = 0.2;
    gain->who = find_late_chain(waits.pairs, processes_.size(),
                                rest >= long_share * static_cast<double>(played_.recorded));
    const auto most =
        std::max_element(waits.paths.begin(), waits.paths.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != waits.paths.end() && most->first < paths_.size())
      gain->path = most->first;
  }
  void try_network() {
    auto* gain = add(ProgramGain::Kind::network, played_.ideal);
    if (gain && processes_.size() >= 3)
      gain->who = find_slow_ends(replay_.sum_transfers(part_), processes_.size(), gain->ticks);
  }

  void try_files() {
    if (!is_enough(on_files_))
      return;
    ReplayChange change;
    for (const auto& path : paths_)
      change.paths.push_back(path.is_of_files ? 0 : 1);
    if (auto* gain = play(ProgramGain::Kind::files, change, files_.find_path()))
      name_iterations(*gain, sections_.of_files);
  }

  const Replay& replay_;
  const Replay::Part& part_;
  const bool is_loop_;
  const std::vector<PlayedPath>& paths_;
  const ProgramReplay& played_;
  std::vector<std::size_t> processes_;  // of the part, ascending
  SectionTimes sections_;
  std::map<FunctionIndex, PlayedWork> functions_;
  PlayedWork all_, files_;
  std::vector<double> other_;  // by process of the part: neither computation nor MPI
  double on_files_ = 0;
  std::vector<ProgramGain> gains_;
};

}  // namespace

PlayedPaths list_played_paths(const Aggregates& calls) {
  const auto kinds = classify_paths(calls);
  PlayedPaths out{{{}}, {false}};
  for (PathIndex path = 0; path < kinds.size(); ++path) {
    const auto& kind = kinds[path];
    out.is_mpi.push_back(kind.is_mpi && !kind.is_mpi_io);
    // What a master waits for its threads is time of the parallel region.
    const auto named = kind.paradigm == Paradigm::openmp ? find_region(calls, kinds, path) : path;
    const auto function = calls.profiles.paths[named].function;
    const bool is_of_files = kind.paradigm == Paradigm::io;
    out.paths.push_back(
        {function, function != virtual_root && !kind.is_mpi && !is_of_files, is_of_files});
  }
  return out;
}

std::vector<ProgramGain> find_gains(const Replay& replay, const Replay::Part& part, bool is_loop,
                                    const std::vector<PlayedPath>& paths,
                                    const ProgramReplay& played) {
  return GainFinder(replay, part, is_loop, paths, played).find();
}

std::uint64_t play_asked(const Replay& replay, const Replay::Part& part, bool is_loop,
                         const std::vector<PlayedPath>& paths,
                         const std::vector<Function>& functions, const std::vector<WhatIf>& asked) {
  const ProgramReplay nothing;
  return GainFinder(replay, part, is_loop, paths, nothing).ask(functions, asked);
}

}  // namespace tracefold
