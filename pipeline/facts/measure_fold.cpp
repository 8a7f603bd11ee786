#include "pipeline/facts/measure_fold.hpp"

#include "base/for_each_index.hpp"
#include "base/interrupt.hpp"
#include "base/team.hpp"
#include "filters/errors/function_differences.hpp"
#include "filters/errors/row_quality.hpp"
#include "model/errors/time_kinds.hpp"
#include "model/plan.hpp"
#include "model/process_names.hpp"
#include "model/profile/function_names.hpp"
#include "model/profile/time_metric.hpp"
#include "model/summary/accelerator_calls.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

// Row by row the sum of some columns.
std::vector<std::uint64_t> add_columns(const PackedRows& rows,
                                       const std::vector<std::size_t>& columns) {
  std::vector<std::uint64_t> sums(rows.size());
  for (auto column : columns) {
    if (!rows.has(column))
      continue;
    const auto values = rows.read(column);
    for (std::size_t k = 0; k < sums.size(); ++k)
      sums[k] += values[k];
  }

  return sums;
}

// Sums over what was compared.
struct ErrorSums {
  KindSums differences{}, times{};
  Wide all_differences = 0, all_times = 0, useful_differences = 0;

  void add(const KindTimes& own, const KindTimes& standing) {
    for (std::size_t k = 0; k < time_kinds; ++k) {
      differences[k] += measure_distance(own[k], standing[k]);
      times[k] += own[k];
    }
    all_differences += measure_distance(add_up(own), add_up(standing));
    all_times += add_up(own);
  }
  void add(const ErrorSums& other) {
    for (std::size_t k = 0; k < time_kinds; ++k) {
      differences[k] += other.differences[k];
      times[k] += other.times[k];
    }
    all_differences += other.all_differences;
    all_times += other.all_times;
    useful_differences += other.useful_differences;
  }
  void add_useful(std::uint64_t own, std::uint64_t standing) {
    useful_differences += measure_distance(own, standing);
  }

  // All of them, one behind the other, and back.
  void put(WideSums& out) const {
    for (const auto& sums : {differences, times})
      for (auto sum : sums)
        out.push_back(sum);
    out.push_back(all_differences);
    out.push_back(all_times);
    out.push_back(useful_differences);
  }
  void take(const WideSums& from, std::size_t first) {
    for (auto* sums : {&differences, &times})
      for (auto& sum : *sums)
        sum = from[first++];
    all_differences = from[first++];
    all_times = from[first++];
    useful_differences = from[first];
  }
  static constexpr std::size_t count = 2 * time_kinds + 3;

  double share_of_all(Wide difference) const {
    return difference == 0 ? 0 : static_cast<double>(difference) / static_cast<double>(all_times);
  }
  FoldError make_error(bool knows_waiting) const {
    const auto make_one = [&](TimeKind kind) {
      const auto k = static_cast<std::size_t>(kind);
      const auto of_own = differences[k] == 0
                              ? 0
                              : static_cast<double>(differences[k]) / static_cast<double>(times[k]);
      return TimeError{of_own, share_of_all(differences[k])};
    };
    FoldError out{share_of_all(all_differences), make_one(TimeKind::computation),
                  make_one(TimeKind::communication), std::nullopt,
                  share_of_all(useful_differences)};
    if (knows_waiting)
      out.waiting = make_one(TimeKind::waiting);

    return out;
  }
};

// What all members of a team found together, at each of them.
WideSums share_sums(Team* team, WideSums own) {
  return share_merged(team, std::move(own), [](WideSums lower, const WideSums& higher) {
    lower.add(higher);
    return lower;
  });
}

// MPI_Init begins when the process was started, which says nothing of what it does.
bool is_left_out(const Aggregates& calls, FunctionIndex function) {
  return function < calls.functions.size() &&
         find_mpi_bound(calls.functions[function].name, calls.time_metrics[function]) ==
             MpiBound::begin;
}

// Whether time in the function is useful.
bool is_computing(const Aggregates& calls, FunctionIndex function) {
  return function < calls.functions.size() &&
         calls.time_metrics[function] == Metric::execution_time &&
         !waits_for_accelerator(calls.functions[function]);
}

// The times of a process that stands for so many are kept in memory.
constexpr std::size_t many_members = 8;

class ProcessComparison {
 public:
  ProcessComparison(const ProgramProfiles& program, Team* team)
      : program_(program),
        team_(team),
        profiles_(program.calls.profiles),
        columns_(profiles_.columns) {
    for (const auto& path : profiles_.paths) {
      const bool is_named = path.function < program.calls.functions.size();
      is_left_out_.push_back(is_left_out(program.calls, path.function));
      is_in_mpi_.push_back(is_named && is_mpi_time(program.calls.time_metrics[path.function]));
      is_useful_.push_back(is_computing(program.calls, path.function));
    }
  }

  ProcessErrors compare(const std::vector<std::size_t>& stand_ins) {
    share_representatives(stand_ins);
    keep_those_of_many(stand_ins);
    times_.assign(stand_ins.size(), {});
    for_each_index(stand_ins.size(), [&](std::size_t p) {
      check_stop();
      if (program_.is_here(p))
        compare_with(p, stand_ins[p]);
    });

    Sums all;
    for (const auto& sums : sums_) {
      all.error.add(sums.error);
      all.functions.add(sums.functions);
      if (sums.largest.is_before(all.largest))
        all.largest = sums.largest;
    }
    add_up_team(all);
    return {all.error.make_error(columns_.know_waiting()),
            all.functions.list_largest(program_.calls.functions, all.error.all_times), all.largest,
            columns_.know_waiting(), std::move(times_)};
  }

 private:
  using Times = std::vector<KindTimes>;  // by place of the process's shape
  struct Sums {
    ErrorSums error;
    FunctionDifferences functions;
    RowDifference largest;
    RowComparison useful;  // of the process that is compared
  };

  // The rows of processes that stand for others are given to all members of a team.
  void share_representatives(const std::vector<std::size_t>& stand_ins) {
    if (!team_)
      return;
    std::map<std::size_t, PackedRows> own;
    for (std::size_t p = 0; p < stand_ins.size(); ++p)
      if (stand_ins[p] != p && program_.is_here(stand_ins[p]))
        own.emplace(stand_ins[p], program_.values[stand_ins[p]]);
    for (auto& of_member : share(team_, std::move(own)))
      given_.merge(of_member);
  }

  void add_up_team(Sums& all) {
    const auto functions = program_.calls.functions.size();
    WideSums own;
    all.error.put(own);
    all.functions.put(own, functions);
    const auto sums = share_sums(team_, std::move(own));
    all.error.take(sums, 0);
    all.functions.take(sums, ErrorSums::count, functions);
    for (const auto& of_member : share(team_, all.largest))
      if (of_member.is_before(all.largest))
        all.largest = of_member;
    times_ = share_merged(team_, std::move(times_), [](auto lower, const auto& higher) {
      for (std::size_t p = 0; p < lower.size(); ++p) {
        lower[p].useful += higher[p].useful;
        lower[p].waiting += higher[p].waiting;
      }
      return lower;
    });
  }

  Times read_times(std::size_t process) const {
    const auto given = given_.find(process);
    const auto& rows = given == given_.end() ? program_.values[process] : given->second;
    const auto& paths = profiles_.shape(process).paths;
    const auto time = rows.read(columns_.execution);
    const auto waiting = add_columns(rows, columns_.waiting);
    Times out(paths.size());
    for (std::size_t k = 0; k < out.size(); ++k)
      out[k] =
          is_in_mpi_[paths[k]] ? split_time(0, time[k], waiting[k]) : split_time(time[k], 0, 0);

    return out;
  }

  // Those that stand for many are read once.
  void keep_those_of_many(const std::vector<std::size_t>& stand_ins) {
    std::map<std::size_t, std::size_t> members;
    for (auto stand_in : stand_ins)
      ++members[stand_in];
    std::erase_if(members, [](const auto& one) { return one.second < many_members; });
    std::vector<std::size_t> processes;
    for (const auto& [process, count] : members)
      processes.push_back(process);

    kept_.assign(stand_ins.size(), std::nullopt);
    for_each_index(processes.size(),
                   [&](std::size_t k) { kept_[processes[k]] = read_times(processes[k]); });
  }

  void compare_with(std::size_t process, std::size_t stand_in) {
    const auto own = read_times(process);
    const auto& paths = profiles_.shape(process).paths;
    auto& sums = sums_.local();
    for (std::size_t k = 0; k < own.size(); ++k)
      add_time(times_[process], paths[k], own[k]);
    if (stand_in == process) {
      for (std::size_t k = 0; k < own.size(); ++k)
        if (!is_left_out_[paths[k]])
          sums.error.add(own[k], own[k]);
      return;
    }

    const auto read = kept_[stand_in] ? Times() : read_times(stand_in);
    const auto& theirs = kept_[stand_in] ? *kept_[stand_in] : read;
    const auto& their_paths = profiles_.shape(stand_in).paths;
    std::size_t other = 0;
    for (std::size_t k = 0; k < own.size(); ++k) {
      for (; other < theirs.size() && their_paths[other] < paths[k]; ++other)
        add(sums, their_paths[other], {}, theirs[other]);
      const bool is_there = other < theirs.size() && their_paths[other] == paths[k];
      add(sums, paths[k], own[k], is_there ? theirs[other] : KindTimes{});
      other += is_there;
    }
    for (; other < theirs.size(); ++other)
      add(sums, their_paths[other], {}, theirs[other]);
    if (const auto found = sums.useful.take(process); found.is_before(sums.largest))
      sums.largest = found;
  }

  void add_time(RowTimes& times, PathIndex path, const KindTimes& own) const {
    if (is_left_out_[path])
      return;
    if (is_useful_[path])
      times.useful += add_up(own);
    times.waiting += own[static_cast<std::size_t>(TimeKind::waiting)];
  }
  void add(Sums& sums, PathIndex path, const KindTimes& own, const KindTimes& standing) const {
    if (is_left_out_[path])
      return;

    sums.error.add(own, standing);
    const auto function = profiles_.paths[path].function;
    sums.functions.add(function, own, standing);
    if (is_useful_[path]) {
      sums.error.add_useful(add_up(own), add_up(standing));
      sums.useful.add(function, add_up(own), add_up(standing));
    }
  }

  const ProgramProfiles& program_;
  Team* team_;
  const CallPathProfiles& profiles_;
  const TimeColumns columns_;
  std::map<std::size_t, PackedRows> given_;                // by process that stands for others
  std::vector<RowTimes> times_;                            // by process
  std::vector<char> is_left_out_, is_in_mpi_, is_useful_;  // by path
  std::vector<std::optional<Times>> kept_;                 // by process
  oneapi::tbb::enumerable_thread_specific<Sums> sums_;
};

// What a process did in an iteration of a loop, in ticks.
struct OneIteration {
  KindTimes kinds{};
  std::uint64_t useful = 0;
};
std::vector<OneIteration> read_iteration_times(const PackedRows& rows, const TimeColumns& columns) {
  auto beside = columns.beside_mpi;
  beside.push_back(columns.execution);  // what none of its parts has
  const auto computation = add_columns(rows, beside);
  const auto useful = add_columns(rows, {columns.execution});
  const auto in_mpi = add_columns(rows, columns.in_mpi);
  const auto waiting = add_columns(rows, columns.waiting);
  std::vector<OneIteration> out(rows.size());
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = {split_time(computation[i], in_mpi[i], waiting[i]), useful[i]};

  return out;
}

// Whether a process has loops of these lengths, and no other ones.
bool has_loops(const ProgramProfiles& program, std::size_t process,
               const std::vector<std::size_t>& lengths) {
  for (std::size_t l = 0; l < std::max(lengths.size(), program.loops.size()); ++l) {
    const auto length = l < program.loops.size() ? program.loops[l].rows[process].size() : 0;
    if (length != (l < lengths.size() ? lengths[l] : 0))
      return false;
  }
  return true;
}

}  // namespace

ProcessErrors measure_processes(const ProgramProfiles& program,
                                const std::vector<std::size_t>& stand_ins, Team* team) {
  return ProcessComparison(program, team).compare(stand_ins);
}

double measure_rows(const Plan& plan, const ProcessErrors& errors) {
  const auto& run = plan.trace.run;
  const auto hidden = run && run->end > run->begin ? static_cast<double>(errors.largest.ticks) /
                                                         static_cast<double>(run->end - run->begin)
                                                   : 0;
  return std::max(errors.error.useful, hidden);
}

LoopErrors measure_iterations(const ProgramProfiles& program,
                              const std::vector<std::size_t>& processes,
                              const std::vector<const KeptIterations*>& loops, Team* team) {
  const TimeColumns columns(program.calls.profiles.columns);
  using Sums = std::vector<ErrorSums>;  // by loop
  oneapi::tbb::enumerable_thread_specific<Sums> sums([&] { return Sums(loops.size()); });
  for_each_index(processes.size(), [&](std::size_t k) {
    check_stop();
    if (!program.is_here(processes[k]))
      return;
    auto& own = sums.local();
    for (std::size_t l = 0; l < loops.size(); ++l) {
      const auto times = read_iteration_times(program.loops[l].rows[processes[k]], columns);
      const auto& choice = *loops[l];
      for (std::size_t i = 0; i < times.size(); ++i) {
        const auto& standing = times[choice.kept[choice.kept_of[i]]];
        own[l].add(times[i].kinds, standing.kinds);
        own[l].add_useful(times[i].useful, standing.useful);
      }
    }
  });

  WideSums own;
  for (std::size_t l = 0; l < loops.size(); ++l) {
    ErrorSums of_loop;
    for (const auto& one : sums)
      of_loop.add(one[l]);
    of_loop.put(own);
  }
  const auto shared = share_sums(team, std::move(own));

  LoopErrors out;
  ErrorSums all;
  for (std::size_t l = 0; l < loops.size(); ++l) {
    ErrorSums of_loop;
    of_loop.take(shared, l * ErrorSums::count);
    all.add(of_loop);
    out.of_loops.push_back(of_loop.make_error(columns.know_waiting()));
  }
  out.all = all.make_error(columns.know_waiting());

  return out;
}

std::vector<std::size_t> list_representatives(const Plan& plan) {
  auto stand_ins = list_processes(plan);
  if (plan.representatives)
    for (const auto& representative : *plan.representatives)
      for (auto member : representative.members)
        stand_ins[member] = representative.process;
  return stand_ins;
}

std::vector<std::size_t> list_measured(const Plan& plan, const ProgramProfiles& program,
                                       const std::vector<std::size_t>& folding,
                                       const std::vector<std::size_t>& lengths) {
  const auto stand_ins = list_representatives(plan);
  std::vector<std::size_t> measured;
  for (std::size_t p = 0; p < stand_ins.size(); ++p)
    if (std::binary_search(folding.begin(), folding.end(), stand_ins[p]) &&
        has_loops(program, p, lengths))
      measured.push_back(p);

  return measured;
}

bool has_calls(const ProgramProfiles& program) {
  return program.calls.profiles.paths.size() > 1;  // the first is no call
}

FittedTimes list_fitted_times(const Plan& plan, const ProgramProfiles& program, Team* team) {
  const auto& profiles = program.calls.profiles;
  const TimeColumns columns(profiles.columns);
  FittedTimes out;
  std::map<std::pair<FunctionIndex, FunctionIndex>, std::uint32_t> calls;
  for (const auto& path : profiles.paths) {
    const auto caller =
        path.caller == no_path ? path.function : profiles.paths[path.caller].function;
    const auto number = static_cast<std::uint32_t>(calls.size());
    out.calls.push_back(calls.try_emplace({caller, path.function}, number).first->second);
  }

  using Times = std::vector<PathTime>;
  std::vector<Times> times(program.values.size());
  for_each_index(times.size(), [&](std::size_t p) {
    check_stop();
    if (!program.is_here(p))
      return;
    const auto& paths = profiles.shape(p).paths;
    const auto ticks = program.values[p].read(columns.execution);
    for (std::size_t k = 0; k < paths.size(); ++k)
      if (!is_left_out(program.calls, profiles.paths[paths[k]].function))
        times[p].push_back({paths[k], ticks[k]});
  });
  out.processes = share_merged(team, std::move(times), [](auto lower, const auto& higher) {
    for (std::size_t p = 0; p < lower.size(); ++p)
      if (lower[p].empty())
        lower[p] = higher[p];
    return lower;
  });
  for (const auto& process : plan.processes)
    out.ends_early.push_back(process.ends_early.has_value());
  return out;
}

namespace {

// What the rows hide, and which are not typical; names are those of the plan's processes.
void judge_rows(const Plan& plan, const ProgramProfiles& program, const ProcessErrors& measured,
                const std::vector<std::size_t>& stand_ins, FoldErrors& out) {
  if (!plan.trace.run)
    return;
  const auto run = static_cast<double>(plan.trace.run->end - plan.trace.run->begin);
  const auto name = [&](std::size_t process) { return name_places(plan, {process}).front(); };
  if (const auto& largest = measured.largest; largest.ticks > 0) {
    auto functions = program.calls.functions;
    make_names_unique(functions);
    out.hidden = HiddenDifference{
        name(largest.process), name(stand_ins[largest.process]),
        largest.function ? functions[*largest.function].shown_name() : std::string(),
        largest.is_longer, static_cast<double>(largest.ticks) / run};
  }

  const auto list = [&](std::uint64_t RowTimes::*time) {
    constexpr double least_share_of_run = 0.01;
    std::vector<std::string> names;
    for (auto row : list_untypical(stand_ins, measured.times, time, least_share_of_run * run))
      names.push_back(name(row));
    return names;
  };
  out.untypical.in_useful = list(&RowTimes::useful);
  if (measured.knows_waiting)
    out.untypical.in_waiting = list(&RowTimes::waiting);
}

}  // namespace

FoldErrors measure_fold(const Plan& plan, const ProgramProfiles& program,
                        const IterationSection* section, Team* team) {
  const auto stand_ins = list_representatives(plan);
  auto of_processes = measure_processes(program, stand_ins, team);
  FoldErrors out;
  out.processes = stand_ins.size();
  out.of_processes = of_processes.error;
  judge_rows(plan, program, of_processes, stand_ins, out);
  out.functions_of_processes = std::move(of_processes.functions);
  if (!section || section->loops.empty())
    return out;

  std::vector<const KeptIterations*> choices;
  std::vector<std::size_t> lengths, folding;
  for (const auto& loop : section->loops) {
    choices.push_back(&loop.choice);
    lengths.push_back(loop.choice.kept_of.size());
  }
  for (const auto& process : section->processes)
    folding.push_back(process.process);
  const auto measured = list_measured(plan, program, folding, lengths);
  const auto stood_for = std::count_if(stand_ins.begin(), stand_ins.end(), [&](auto stand_in) {
    return std::binary_search(folding.begin(), folding.end(), stand_in);
  });
  auto of_iterations = measure_iterations(program, measured, choices, team);
  out.of_iterations = of_iterations.all;
  out.of_loops = std::move(of_iterations.of_loops);
  out.unmeasured = static_cast<std::uint64_t>(stood_for) - measured.size();

  return out;
}

}  // namespace tracefold
