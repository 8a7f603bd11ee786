#include "pipeline/replay/find_gains.hpp"

#include "base/averages.hpp"
#include "filters/summary/find_chain.hpp"
#include "filters/summary/long_iterations.hpp"
#include "filters/summary/measure_run.hpp"
#include "model/profile/function_names.hpp"
#include "pipeline/replay/longer_processes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace tracefold {

namespace {

constexpr std::size_t most_played = 3;  // functions
constexpr std::size_t most_units = 40, least_units = 6;
constexpr std::size_t most_times = std::size_t{1} << 22;  // of a unit
constexpr std::size_t most_of_all = std::size_t{1} << 24;

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
// How long each should be in it at most.
double find_target(const std::vector<double>& times, bool is_of_some) {
  if (times.empty())
    return 0;
  return is_of_some ? compute_mean(times) : find_lower_median(times);
}
double find_target(const std::vector<double>& times) {
  return find_target(times, is_of_some(times));
}

// By process of the part and section.
using TimesBySection = std::vector<std::vector<double>>;

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

// Call paths of a function whose times are summed up by iteration: one of them, where these are
// few.
struct PlayedUnit {
  FunctionIndex function = 0;
  TimesBySection times;
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
    const auto units = count_units();
    for (const auto* functions : {&order, &beside})
      for (const auto& [bound, function] : *functions)
        if (units_.size() < units)
          add_units(function, units - units_.size());
    sum_sections();

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
    for (const auto function : balanced)
      add_units(function, most_units);
    if (!balanced.empty() && !processes_.empty()) {
      sum_sections();
      cut([](const PlayedUnit&) { return true; }, change);
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

  // How many units may be told apart by iteration.
  std::size_t count_units() const {
    const auto& part = part_[processes_.front()];
    std::size_t sections = 1, segment = 0, call = 0;
    for (auto reader = replay_.processes()[processes_.front()].line.read();
         reader.next() && reader.begin() < part.end; ++segment) {
      const bool meets = replay_.ends_section(processes_.front(), segment, call, processes_.size());
      sections +=
          reader.end() > part.begin && (meets || reader.kind() == SegmentKind::before_iteration);
    }
    return std::clamp(most_of_all / (processes_.size() * sections), least_units, most_units);
  }
  // A unit for each path of a function, where there is room, else one for all.
  void add_units(FunctionIndex function, std::size_t room) {
    constexpr std::size_t few = 4;
    unit_of_.resize(paths_.size());
    std::vector<std::size_t> own;
    for (std::size_t path = 0; path < paths_.size(); ++path)
      if (paths_[path].computes && paths_[path].function == function)
        own.push_back(path);
    const bool is_each = own.size() <= std::min(few, room);
    for (std::size_t n = 0; n < own.size(); ++n) {
      if (n == 0 || is_each)
        units_.push_back({function, {}});
      unit_of_[own[n]] = static_cast<std::uint32_t>(units_.size());
    }
  }

  // As the player counts sections. Where processes have other numbers of them, or there are too
  // many, others are tried; then all are one.
  void sum_sections() {
    unit_of_.resize(paths_.size());
    slot_of_.resize(paths_.size());
    std::map<FunctionIndex, std::size_t> slots;
    for (std::size_t path = 0; path < paths_.size(); ++path)
      if (paths_[path].computes)
        slot_of_[path] = slots.try_emplace(paths_[path].function, slots.size()).first->second;
    slot_functions_.resize(slots.size());
    for (const auto& [function, slot] : slots)
      slot_functions_[slot] = function;

    for (const auto ends : {SectionEnds{true, true}, {true, false}, {false, true}})
      if (sum_sections(ends))
        return;
    const auto join = [](std::vector<double>& times) { times.assign(1, compute_sum(times)); };
    join(lengths_);
    std::for_each(sums_.begin(), sums_.end(), join);
    for (auto* times : list_times())
      std::for_each(times->begin(), times->end(), join);
    iteration_of_ = {0};
    iterations_ = 1;
  }
  // Whether all processes have as many sections.
  bool sum_sections(SectionEnds ends) {
    ends_ = ends;
    lengths_.clear();
    sums_.assign(slot_functions_.size(), {});
    for (auto* times : list_times())
      times->assign(processes_.size(), {});
    const auto most =
        most_times / std::max<std::size_t>(std::max(processes_.size(), sums_.size()), 1);
    const auto add = [](std::vector<double>& times, std::size_t place, double ticks) {
      if (times.size() <= place)
        times.resize(place + 1);
      times[place] += ticks;
    };
    std::vector<std::size_t> counts(processes_.size());
    for (std::size_t k = 0; k < processes_.size(); ++k) {
      const auto& part = part_[processes_[k]];
      const auto& line = replay_.processes()[processes_[k]].line;
      auto since = part.begin;
      std::size_t segment = 0, call = 0, iteration = 0;
      std::vector<std::size_t> iteration_of{0};
      for (auto reader = line.read(); reader.next() && reader.begin() < part.end; ++segment) {
        const bool meets = replay_.ends_section(processes_[k], segment, call, processes_.size());
        if (reader.end() <= part.begin)
          continue;
        // No process has more than the first one, by which the memory was measured.
        if (counts[k] > counts.front())
          return false;
        const auto section = std::min(counts[k], most);
        reader.visit_parts([&](std::uint32_t part_of, std::uint64_t ticks) {
          const auto path = line.find_in_all(PartTimes::find_path(part_of));
          if (path >= paths_.size() || !(paths_[path].computes || paths_[path].is_of_files))
            return;
          const auto time = static_cast<double>(ticks);
          if (paths_[path].is_of_files)
            return add(of_files_[k], section, time);
          add(of_all_[k], section, time);
          add(sums_[slot_of_[path]], std::min(iteration, most), time);
          if (unit_of_[path] > 0)
            add(units_[unit_of_[path] - 1].times[k], section, time);
        });
        const bool is_end = reader.end() >= part.end;
        const bool begins = reader.kind() == SegmentKind::before_iteration;
        if (begins || is_end) {
          const auto end = std::min(reader.end(), part.end);
          add(lengths_, std::min(iteration, most), static_cast<double>(end - since));
          since = end;
        }
        if (is_end)
          break;
        iteration += begins && ends.iterations;
        if ((begins && ends.iterations) || (meets && ends.meetings)) {
          ++counts[k];
          iteration_of.push_back(iteration);
        }
      }
      if (k > 0 && iteration_of != iteration_of_)
        return false;
      iteration_of_ = std::move(iteration_of);
    }
    if (counts.front() >= most)
      return false;
    iterations_ = iteration_of_.back() + 1;
    are_iterations_alike_ = ends.iterations;
    lengths_.resize(iterations_);
    for (auto& of_slot : sums_)
      of_slot.resize(iterations_);
    for (auto* times : list_times())
      for (auto& of_process : *times)
        of_process.resize(iteration_of_.size());
    return true;
  }
  // Times by iteration of times by section.
  std::vector<double> sum_by_iteration(const std::vector<double>& of_sections) const {
    std::vector<double> out(iterations_);
    for (std::size_t s = 0; s < of_sections.size(); ++s)
      out[iteration_of_[s]] += of_sections[s];
    return out;
  }
  std::vector<std::vector<double>> sum_by_iteration(const TimesBySection& times) const {
    std::vector<std::vector<double>> out;
    for (const auto& of_process : times)
      out.push_back(sum_by_iteration(of_process));
    return out;
  }
  std::vector<TimesBySection*> list_times() {
    std::vector<TimesBySection*> all{&of_all_, &of_files_};
    for (auto& unit : units_)
      all.push_back(&unit.times);
    return all;
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
    if (!are_iterations_alike_ || !is_loop_ || above.empty())
      return;
    std::vector<double> sums(above.front().size());
    for (const auto& of_process : above)
      for (std::size_t s = 0; s < sums.size(); ++s)
        sums[s] += of_process[s];
    gain.iterations = find_some_iterations(sum_by_iteration(sums));
  }

  // Whether these are one or two iterations, and single processes have most of this in them.
  bool are_of_single(const TimesBySection& above, const SomeIterations& iterations) const {
    const auto by_iteration = sum_by_iteration(above);
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
    for (const auto k :
         find_longer_processes(sum_by_iteration(above), times, are_iterations_alike_))
      gain.who.push_back(processes_[k]);
  }

  // Of all that computes, in one scaling.
  ReplayChange begin_change() const {
    ReplayChange change;
    change.sections = ends_;
    change.scalings.resize(1);
    for (const auto& path : paths_)
      change.scaling_of.push_back(path.computes ? 1 : 0);
    return change;
  }
  void set_factor(ReplayChange::OfProcesses& factors, std::size_t k, std::size_t section,
                  double factor) const {
    auto& own = factors[processes_[k]];
    own.resize(iteration_of_.size(), 1);
    own[section] = factor;
  }

  // Times of these units above their targets, by process and section; adds what takes them away.
  template <class Counts>
  TimesBySection cut(const Counts& counts, ReplayChange& change) const {
    const auto sections = iteration_of_.size();
    TimesBySection above(processes_.size(), std::vector<double>(sections));
    change.sections = ends_;
    change.scalings.resize(units_.size());
    change.scaling_of = unit_of_;
    std::vector<double> of_all(processes_.size());
    for (std::size_t u = 0; u < units_.size(); ++u) {
      if (!counts(units_[u]))
        continue;
      const auto& times = units_[u].times;
      const auto take = [&](std::size_t section) {
        for (std::size_t k = 0; k < times.size(); ++k)
          of_all[k] = times[k][section];
      };
      std::size_t of_some = 0, all = 0;  // sections
      for (std::size_t i = 0; i < sections; ++i) {
        take(i);
        all += find_most(of_all) > 0;
        of_some += find_most(of_all) > 0 && is_of_some(of_all);
      }
      for (std::size_t i = 0; i < sections; ++i) {
        take(i);
        const auto target = find_target(of_all, 2 * of_some > all);
        for (std::size_t k = 0; k < times.size(); ++k)
          if (of_all[k] > target) {
            above[k][i] += of_all[k] - target;
            set_factor(change.scalings[u], k, i, target / of_all[k]);
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
    const auto above = cut(counts, change);
    if (kind == ProgramGain::Kind::computation && is_of_others(above))
      return;
    auto* gain = play(kind, change, work.find_path());
    if (!gain)
      return;
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
    constexpr double nearly_all = 0.95;
    if (gain->who.empty() || of_named > nearly_all * of_all)
      return;
    for (auto& scaling : change.scalings)
      std::erase_if(scaling, [&](const auto& of_process) {
        return !std::binary_search(gain->who.begin(), gain->who.end(), of_process.first);
      });
    gain->ticks = played_.recorded - std::min(played_.recorded, replay_.play(part_, change));
  }

  void try_function(FunctionIndex function) {
    try_units(
        ProgramGain::Kind::function,
        [&](const PlayedUnit& unit) { return unit.function == function; }, functions_[function]);
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
          ProgramGain::Kind::computation, [](const PlayedUnit&) { return true; }, all_);
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
    for (std::size_t i = 0; i < iteration_of_.size(); ++i) {
      double of_all = 0;
      for (const auto& of_process : of_all_)
        of_all += of_process[i];
      const auto mean = of_all / static_cast<double>(of_all_.size());
      for (std::size_t k = 0; k < of_all_.size(); ++k)
        if (of_all_[k][i] > 0)
          set_factor(change.scalings.front(), k, i, mean / of_all_[k][i]);
    }
  }

  // Each process computes in long iterations as long as in others; where iterations change bit by
  // bit, as long as at the shorter end.
  void try_iterations() {
    if (!is_loop_ || !are_iterations_alike_)
      return;
    const auto [found, which] = find_long_times(lengths_);
    if (!is_enough(found.share / static_cast<double>(processes_.size())))
      return;
    std::vector<std::size_t> usual;
    for (std::size_t i = 0; i < iterations_; ++i)
      if (!std::binary_search(which.begin(), which.end(), i))
        usual.push_back(i);
    const bool is_gradual = usual.empty();
    const bool is_faster = found.kind == LongKind::faster;
    const auto end = std::max<std::size_t>(iterations_ / 5, 1);
    for (std::size_t n = 0; is_gradual && n < end; ++n)
      usual.push_back(is_faster ? iterations_ - 1 - n : n);

    if (!are_long_for_most(which, usual))
      return;

    auto change = begin_change();
    TimesBySection above(processes_.size(), std::vector<double>(iteration_of_.size()));
    for (std::size_t k = 0; k < processes_.size(); ++k) {
      const auto times = sum_by_iteration(of_all_[k]);
      const auto target =
          is_gradual ? find_end(times, is_faster) : find_upper_median(choose(times, usual));
      for (std::size_t s = 0; s < iteration_of_.size(); ++s) {
        const auto i = iteration_of_[s];
        if (times[i] <= target || !std::binary_search(which.begin(), which.end(), i))
          continue;
        above[k][s] = of_all_[k][s] * (1 - target / times[i]);
        set_factor(change.scalings.front(), k, s, target / times[i]);
      }
    }
    auto* gain = play(ProgramGain::Kind::iterations, change, find_longer(which, usual));
    if (!gain)
      return;
    name_processes(*gain, above, all_.times);
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
        part_of_length * find_excess(lengths_) / static_cast<double>(processes_.size());
    const auto longer = static_cast<std::size_t>(
        std::count_if(of_all_.begin(), of_all_.end(), [&](const std::vector<double>& of_process) {
          return find_excess(sum_by_iteration(of_process)) >= least;
        }));
    constexpr std::size_t few = 8;
    return iterations_ < few ? 4 * longer >= 3 * processes_.size() : 2 * longer > processes_.size();
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
    std::size_t longest = slot_functions_.size();
    for (std::size_t slot = 0; slot < sums_.size(); ++slot) {
      const auto above =
          compute_mean(choose(sums_[slot], which)) - find_upper_median(choose(sums_[slot], usual));
      if (above > most) {
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
    // Nobody is longer than others in any section.
    ReplayChange change;
    auto takes = all_.times;
    const auto above = cut([](const PlayedUnit&) { return true; }, change);
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
    gain->who =
        find_late_chain(waits.pairs, rest >= long_share * static_cast<double>(played_.recorded));
    const auto most =
        std::max_element(waits.paths.begin(), waits.paths.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != waits.paths.end() && most->first < paths_.size())
      gain->path = most->first;
  }
  // The chain that has most of this waiting; empty where there is none. Where all wait for each
  // other both ways, and for long, work goes along it to and fro: the way back has more waiting.
  std::vector<std::size_t> find_late_chain(const Replay::OfPairs& waits, bool is_long) const {
    OneWayWaits one_way, up, down;
    double all = 0, of_one_way = 0;
    for (const auto& [ends, ticks] : waits) {
      const auto back = waits.find({ends.second, ends.first});
      const auto less = back == waits.end() ? 0 : back->second;
      all += static_cast<double>(ticks);
      (ends.first < ends.second ? up : down)[ends] = static_cast<double>(ticks);
      if (ticks > less)
        of_one_way += one_way[ends] = static_cast<double>(ticks - less);
    }
    constexpr double nearly_all = 2. / 3;
    auto chain = find_chain(one_way);
    if (is_long && of_one_way < nearly_all * all) {
      chain = find_chain(up);
      auto back = find_chain(down);
      if (back.waiting < chain.waiting)
        std::swap(chain, back);
      chain.waiting += back.waiting;
    }
    const auto least = std::min<std::size_t>(4, std::max<std::size_t>(processes_.size(), 3));
    if (chain.processes.size() < least || chain.waiting < 0.4 * all)
      return {};
    return std::move(chain.processes);
  }

  // Who has slow messages, where it is one with many, two with each other, or some at most.
  void try_network() {
    auto* gain = add(ProgramGain::Kind::network, played_.ideal);
    if (!gain || processes_.size() < 3)
      return;
    const auto transfers = replay_.sum_transfers(part_);
    std::map<std::size_t, double> of_ends;
    std::map<std::size_t, std::set<std::size_t>> others_of;
    std::map<std::pair<std::size_t, std::size_t>, double> of_both;
    double all = 0;
    double without_messages = 0;
    for (const auto& [ends, ticks] : transfers) {
      const auto time = static_cast<double>(ticks);
      if (ends.first == ends.second) {
        without_messages += time;
        continue;
      }
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
    if (end == of_ends.end() || without_messages > all)
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
    if (pair->second > by_far * others && of_both.size() != 2) {
      gain->who = {pair->first.first, pair->first.second};
      return;
    }
    std::set<std::size_t> ends_of_slow;
    double of_slow = 0, slowest_other = 0;
    for (const auto& [ends, time] : of_both)
      if (2 * time > pair->second) {
        ends_of_slow.insert({ends.first, ends.second});
        of_slow += time;
      } else {
        slowest_other = std::max(slowest_other, time);
      }
    double of_pairs = 0;
    for (const auto& [ends, time] : of_both)
      of_pairs += time;
    if (2 * ends_of_slow.size() <= processes_.size() && of_slow > nearly_all * of_pairs &&
        pair->second > by_far * slowest_other)
      gain->who.assign(ends_of_slow.begin(), ends_of_slow.end());
  }

  void try_files() {
    if (!is_enough(on_files_))
      return;
    ReplayChange change;
    for (const auto& path : paths_)
      change.paths.push_back(path.is_of_files ? 0 : 1);
    if (auto* gain = play(ProgramGain::Kind::files, change, files_.find_path()))
      name_iterations(*gain, of_files_);
  }

  const Replay& replay_;
  const Replay::Part& part_;
  const bool is_loop_;
  const std::vector<PlayedPath>& paths_;
  const ProgramReplay& played_;
  std::vector<std::size_t> processes_;  // of the part, ascending
  SectionEnds ends_ = {};
  bool are_iterations_alike_ = false;            // all have as many
  std::size_t iterations_ = 1;                   // that are told apart
  std::vector<std::size_t> iteration_of_ = {0};  // by section
  std::map<FunctionIndex, PlayedWork> functions_;
  PlayedWork all_, files_;
  TimesBySection of_all_, of_files_;
  std::vector<PlayedUnit> units_;
  std::vector<std::uint32_t> unit_of_;  // by path: a number plus 1; 0: none
  std::vector<double> other_;           // by process of the part: neither computation nor MPI
  double on_files_ = 0;
  std::vector<std::size_t> slot_of_;  // by path
  std::vector<double> lengths_;       // of iterations, over all processes
  // Of functions that compute, by iteration over all processes.
  std::vector<std::vector<double>> sums_;
  std::vector<FunctionIndex> slot_functions_;
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
