#include "pipeline/answers/read_compared_run.hpp"

#include "base/sort_and_unite.hpp"
#include "base/text.hpp"
#include "model/run_masters.hpp"
#include "pipeline/answers/window_gaps.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/facts/series_sums.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/read_iteration_map.hpp"
#include "pipeline/iterations/searched_loops.hpp"
#include "pipeline/profile/call_path_pass.hpp"
#include "pipeline/reduce/profile_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

CallPathProfiles read_calls_of_run(PlanSession& session, const GroupOptions& grouping) {
  if (const auto* program = session.program()) {
    session.require_groups(grouping);
    return program->stored->read_calls(StoredColumns::all).profiles;
  }
  if (!is_whole(session.archive().facts())) {
    session.profile();
    session.require_groups(grouping);
    return read_process_profiles(session, grouping, {}).calls;
  }

  auto calls = call_path_and_profile_pass(session.plan(), session.archive(),
                                          session.context().read_as("profile"),
                                          session.diagnostics(), PathColumns::with_amounts);
  session.group(grouping);
  return calls;
}

// Clocks that do not fit show in messages. These are matched for that alone, in a reading of its
// own.
EarlyMessages read_early_messages(PlanSession& session, const CallPathProfiles& calls) {
  const auto sends = calls.columns.find(Metric::sends);
  const auto sends_any = [&](const CallPathProfiles::Process& process) {
    for (auto k = *sends; k < process.values.size(); k += calls.columns.size())
      if (process.values[k] > 0)
        return true;
    return false;
  };
  if (!sends || !is_whole(session.archive().facts()) ||
      std::none_of(calls.processes.begin(), calls.processes.end(), sends_any))
    return {};

  const auto& plan = session.plan();
  auto options = session.context().reading;
  options.progress = nullptr;
  Diagnostics same_as_before;
  const std::vector<ProcessLoops> none(plan.processes.size());
  std::vector<std::size_t> all(plan.processes.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const SeriesPass pass({session.archive(), plan, options, same_as_before}, none, all,
                        {Metric::mpi_late_sender_time});
  std::atomic<std::uint64_t> messages = 0;
  pass.read({{}, [&](const SeriesEnd& end) {
               for (const auto& [receiver, sent] : end.partners.sent)
                 messages += sent.messages;
             }});
  EarlyMessages out{0, messages};
  for (auto p : all)
    out.early += pass.count_early_messages(p);
  return out;
}

EarlyMessages read_early_messages(const StoredProgram& program) {
  const auto early = program.count_early_messages();
  const auto pairs = program.read_pairs();
  return pairs ? find_early_messages(early, *pairs) : EarlyMessages{early};
}

// Adds how long the run takes, without the time in which recording is off or that a window leaves
// out.
void add_run_time(ComparedRun& run) {
  const auto& trace = run.plan.trace;
  if (!trace.run)
    return;
  run.recording_off = to_seconds(run.plan, trace.recording_off);
  std::vector<std::uint64_t> gaps;
  for (const auto& process : run.plan.processes)
    gaps.push_back(count_gaps(run.plan.filters, process.id, {trace.run->begin, trace.run->end}));
  run.run_time = to_seconds(run.plan, trace.run->end - trace.run->begin) - run.recording_off -
                 to_seconds(run.plan, compute_mean_of(list_run_masters(run.plan), gaps));
}

std::vector<double> take_row(const Plan& plan, const ProgramSeries& series, std::size_t process,
                             std::size_t iterations) {
  std::vector<double> out(iterations);
  for (std::size_t k = 0; k < iterations && !series.values.empty(); ++k)
    out[k] = to_seconds(plan, series.values[process * series.columns + k]);
  return out;
}

std::optional<ProcessIterations> read_stored_times(const Plan& plan, const WholeProgram& program,
                                                   std::size_t process,
                                                   const std::vector<bool>& wanted) {
  const auto& stored = *program.stored;
  if (!stored.has_iterations() || stored.detail().iterations_per_column != 1)
    return std::nullopt;
  std::size_t loop = 0;
  for (std::size_t l = 0; l < stored.loops(); ++l)
    if (stored.iterations(l)[process] > stored.iterations(loop)[process])
      loop = l;
  const auto iterations = stored.iterations(loop)[process];
  if (iterations == 0)
    return std::nullopt;

  const auto time = *stored.columns().find(Metric::execution_time);
  ProcessIterations out{take_row(plan, stored.read_series(loop, time), process, iterations), {}};
  const auto& paths = program.calls.profiles.paths;
  for (PathIndex path = 0; path < paths.size(); ++path) {
    if (!wanted[paths[path].function])
      continue;
    if (!stored.has_path_series(loop, path)) {
      out.of_functions.clear();
      break;
    }
    const auto row = take_row(plan, stored.read_path_series(loop, path, time), process, iterations);
    out.of_functions.resize(iterations);
    std::transform(row.begin(), row.end(), out.of_functions.begin(), out.of_functions.begin(),
                   std::plus());
  }

  return out;
}

}  // namespace

ComparedRun read_compared_run(PlanSession& session, const GroupOptions& grouping,
                              const std::string& name) {
  session.ask_for_all();
  auto calls = read_calls_of_run(session, grouping);
  const auto* program = session.program();
  session.context().tell(fmt::format("compare: {} call paths of {} processes",
                                     group_digits(calls.paths.size()), calls.processes.size()));
  ComparedRun out{name, session.plan(), std::move(calls),
                  program ? static_cast<double>(program->stored->detail().percent) : 0.0};
  add_run_time(out);
  out.early_messages =
      program ? read_early_messages(*program->stored) : read_early_messages(session, out.calls);
  return out;
}

ComparedRun take_compared_run(PlanSession& session, const StoredProgram* program,
                              const std::string& name) {
  const auto& plan = session.plan();
  if (!program || session.program() || program->size() != plan.processes.size())
    return read_compared_run(session, {}, name);

  auto calls = program->read_calls(StoredColumns::all);
  auto paths = rename_functions(calls.profiles.paths, calls.functions, plan.functions);
  const bool are_known = std::all_of(paths.begin(), paths.end(), [&](const CallPath& path) {
    return path.function == virtual_root || path.function < plan.functions.size();
  });
  if (!are_known)
    return read_compared_run(session, {}, name);
  calls.profiles.paths = std::move(paths);
  ComparedRun out{name, plan, std::move(calls.profiles)};
  add_run_time(out);
  out.early_messages = read_early_messages(*program);
  return out;
}

namespace {

// The means of those with as many iterations as the first one; none where there are none.
std::optional<ProcessIterations> take_means(
    const std::vector<std::optional<ProcessIterations>>& all) {
  std::optional<ProcessIterations> out;
  bool knows_functions = true;
  const auto add = [](const std::vector<double>& from, std::vector<double>& to) {
    std::transform(from.begin(), from.end(), to.begin(), to.begin(), std::plus());
  };
  for (const auto& one : all) {
    if (!one || (out && one->computation.size() != out->computation.size()))
      continue;
    knows_functions = knows_functions && one->of_functions.size() == one->computation.size();
    if (!out) {
      out = *one;
      continue;
    }
    ++out->processes;
    add(one->computation, out->computation);
    if (knows_functions)
      add(one->of_functions, out->of_functions);
  }
  if (!out)
    return out;

  if (!knows_functions)
    out->of_functions.clear();
  for (auto* values : {&out->computation, &out->of_functions})
    for (auto& value : *values)
      value /= static_cast<double>(out->processes);
  return out;
}

// Which calls begin the iterations of all loops of a process; none where calls do not tell them.
IterationCounts list_counts(const SearchedLoops& searched, std::size_t process,
                            const ProcessLoops& loops) {
  IterationCounts counts;
  if (!can_be_counted(loops))
    return counts;
  for (const auto& loop : loops.loops) {
    const auto of_loop = searched.count_calls(process, loop);
    if (of_loop.empty())
      return {};
    counts.insert(counts.end(), of_loop.begin(), of_loop.end());
  }
  return counts;
}

}  // namespace

std::optional<ProcessIterations> read_iteration_times(PlanSession& session,
                                                      std::vector<std::size_t> processes,
                                                      const std::vector<bool>& wanted) {
  const auto& plan = session.plan();
  const auto first = processes.front();
  std::vector<std::optional<ProcessIterations>> all;
  if (const auto* program = session.program()) {
    for (auto process : processes)
      all.push_back(read_stored_times(plan, *program, process, wanted));
    return take_means(all);
  }
  if (!is_whole(session.archive().facts()))
    return std::nullopt;

  const PlannedTrace trace{session.archive(), plan, session.context().read_as("iterations"),
                           session.diagnostics()};
  SearchedLoops searched({}, plan.processes.size());
  const auto loops = find_loops_pass(trace, {first}, {}, LoopThreshold::none, &searched);
  if (loops[first].loops.empty())
    return std::nullopt;
  const auto counts = list_counts(searched, first, loops[first]);
  if (counts.empty())
    processes = {first};
  sort_and_unite(processes);

  const SeriesLoop loop{loops, find_main_loop({first}, loops)};
  const auto begin = loop.count_iterations_before(first);
  const auto iterations = loop.count_iterations(first);
  const SeriesPass pass(trace, loops, processes, {});
  std::vector<std::size_t> parts;
  for (std::size_t c = 0; c < pass.columns().measured.size(); ++c)
    if (is_part_of_execution_time(pass.columns().measured[c]))
      parts.push_back(c);
  const auto time = *pass.columns().find(Metric::execution_time);

  all.assign(processes.size(),
             ProcessIterations{std::vector<double>(iterations), std::vector<double>(iterations)});
  // Each process is read by one thread.
  const auto add = [&](const SeriesIteration& it) {
    if (it.iteration < begin || it.iteration - begin >= iterations)
      return;
    std::uint64_t computation = 0, of_functions = 0;
    for (std::size_t k = 0; k < it.profile.rows.size(); ++k) {
      const auto value = it.profile.value(k, time);
      computation += value;
      for (auto part : parts)
        computation -= it.profile.value(k, part);
      const auto function = it.paths[it.profile.rows[k].path].function;
      if (function != virtual_root && wanted[function])
        of_functions += value;
    }
    const auto place = std::lower_bound(processes.begin(), processes.end(), it.process);
    auto& out = *all[static_cast<std::size_t>(place - processes.begin())];
    out.computation[it.iteration - begin] = to_seconds(plan, computation);
    out.of_functions[it.iteration - begin] = to_seconds(plan, of_functions);
  };
  pass.read(processes, {add, {}},
            [&](std::size_t process) { return process == first ? nullptr : &counts; });

  return take_means(all);
}

}  // namespace tracefold
