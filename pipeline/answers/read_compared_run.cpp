#include "pipeline/answers/read_compared_run.hpp"

#include "base/text.hpp"
#include "model/run_masters.hpp"
#include "pipeline/answers/window_gaps.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/facts/series_sums.hpp"
#include "pipeline/reduce/profile_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace tracefold {

namespace {

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

std::optional<ProcessIterations> read_stored_times(const ComparedRun& run,
                                                   const StoredProgram& stored, std::size_t process,
                                                   const std::vector<bool>& wanted) {
  const auto& plan = run.plan;
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
  const auto& paths = run.calls.paths;
  for (PathIndex path = 0; path < paths.size(); ++path) {
    if (paths[path].function == virtual_root || !wanted[paths[path].function])
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

// How many iterations nearly all of these processes have; 0 where these are no iterations of the
// run, as where processes take the next piece of work when they are done with the last one.
std::uint64_t find_common_count(const std::vector<std::uint64_t>& counts,
                                const std::vector<std::size_t>& masters) {
  constexpr double least_share = 0.9, least_part = 0.5;
  std::map<std::uint64_t, std::size_t> by_count;
  std::size_t all = 0;
  for (auto p : masters)
    if (counts[p] > 0) {
      ++by_count[counts[p]];
      ++all;
    }
  const auto most = std::max_element(by_count.begin(), by_count.end(),
                                     [](auto& x, auto& y) { return x.second < y.second; });
  const bool is_common =
      static_cast<double>(all) >= least_part * static_cast<double>(masters.size()) && all > 0 &&
      static_cast<double>(most->second) >= least_share * static_cast<double>(all);
  return is_common ? most->first : 0;
}

void add_played(const ReadRun& read, ComparedRun& run) {
  const auto& facts = read.facts;
  if (!facts.replay || !read.program || read.program->size() != run.plan.processes.size())
    return;
  const auto& stored = *read.program;
  const auto masters = list_run_masters(facts.processes, facts.types);
  const auto lives = stored.read_lives();
  Interval all{~std::uint64_t{0}, 0}, loops = all;
  const auto widen = [](Interval& to, const Interval& by) {
    to = {std::min(to.begin, by.begin), std::max(to.end, by.end)};
  };
  for (auto p : masters)
    widen(all, lives[p]);

  PlayedRun out;
  std::uint64_t longest = 0, most_of_ends = 0;
  std::size_t loop = 0;
  bool knows_network = false, knows_path = false;
  for (const auto& replay : stored.read_replays()) {
    // What MPI_Init takes is no communication.
    if (replay.part == ProgramScope::mpi || !knows_network) {
      const auto recorded = static_cast<double>(replay.recorded);
      out.network = facts.to_seconds(recorded - static_cast<double>(replay.ideal));
      knows_network = replay.part == ProgramScope::mpi;
    }
    if (replay.part == ProgramScope::mpi)
      continue;
    const bool is_loop = replay.part != ProgramReplay::run;
    knows_path |= !is_loop && !replay.critical_path.times.empty();
    for (const auto& gain : replay.gains)
      if (gain.kind == ProgramGain::Kind::network && gain.ticks > most_of_ends) {
        most_of_ends = gain.ticks;
        out.slow_ends = gain.who;
      }
    const auto add = [&](PathIndex path, std::uint64_t ticks, PlayedRun::ByPath& to) {
      if (path == 0 || path > run.calls.paths.size())
        return;
      to.in_loops.resize(run.calls.paths.size());
      to.outside.resize(run.calls.paths.size());
      const auto seconds = facts.to_seconds(static_cast<double>(ticks));
      to.outside[path - 1] += is_loop ? -seconds : seconds;
      if (is_loop)
        to.in_loops[path - 1] += seconds;
    };
    for (const auto& [process, path, ticks] : replay.critical_path.times)
      add(path, ticks, out.on_path);
    for (const auto& [path, ticks] : replay.critical_path.network_in)
      add(path, ticks, out.on_network);
    if (!is_loop) {
      out.run = facts.to_seconds(static_cast<double>(replay.recorded));
      continue;
    }
    if (const auto scope = stored.find_scope(replay.part))
      if (const auto intervals = stored.read_intervals(*scope))
        for (auto p : masters)
          if ((*intervals)[p].end > 0)
            widen(loops, (*intervals)[p]);
    if (loop < stored.loops() && replay.recorded > longest) {
      longest = replay.recorded;
      const auto& counts = stored.iterations(loop);
      out.iterations = stored.is_unsure(loop) ? 0 : find_common_count(counts, masters);
    }
    ++loop;
  }
  if (loops.end > 0) {
    out.before = facts.to_seconds(static_cast<double>(loops.begin - all.begin));
    out.in_loops = facts.to_seconds(static_cast<double>(loops.end - loops.begin));
    out.behind = facts.to_seconds(static_cast<double>(all.end - loops.end));
  } else {
    out.before = out.run;
  }
  // Where there was no room for the critical path, nothing is known of what functions cost.
  if (knows_path)
    run.played = std::move(out);
}

// Call paths with the functions of the plan; none where these are not the same.
std::optional<CallPathProfiles> take_calls(const StoredProgram& stored, const Plan& plan) {
  auto calls = stored.read_calls(StoredColumns::all);
  auto paths = rename_functions(calls.profiles.paths, calls.functions, plan.functions);
  const bool are_known = std::all_of(paths.begin(), paths.end(), [&](const CallPath& path) {
    return path.function == virtual_root || path.function < plan.functions.size();
  });
  if (!are_known || stored.size() != plan.processes.size())
    return std::nullopt;
  calls.profiles.paths = std::move(paths);
  return std::move(calls.profiles);
}

}  // namespace

ReadComparedRun take_compared_run(PlanSession& session, const ReadRun& read,
                                  const std::string& name) {
  ReadComparedRun out{{name, session.plan(), {}}, read.program};
  auto calls = read.program ? take_calls(*read.program, session.plan()) : std::nullopt;
  if (!calls) {
    out.run.calls = read_process_profiles(session, {}, {}).calls;
    out.program.reset();
  } else {
    out.run.calls = std::move(*calls);
    out.run.percent = static_cast<double>(read.program->detail().percent);
    out.run.early_messages = read.facts.early_messages;
    add_played(read, out.run);
  }
  add_run_time(out.run);
  return out;
}

ReadComparedRun read_compared_run(PlanSession& session, const GroupOptions& grouping,
                                  RunPartOptions part, const std::string& name) {
  part.needs_program = true;
  session.ask_for_all();
  const bool is_known = session.program() || is_whole(session.archive().facts());
  const auto read = is_known ? read_run(session, part) : ReadRun{};
  if (!is_known)
    session.profile();
  session.require_groups(grouping);
  auto out = take_compared_run(session, read, name);
  session.context().tell(fmt::format("compare: {} call paths of {} processes",
                                     group_digits(out.run.calls.paths.size()),
                                     out.run.calls.processes.size()));
  return out;
}

std::optional<ProcessIterations> read_iteration_times(const ReadComparedRun& read,
                                                      const std::vector<std::size_t>& processes,
                                                      const std::vector<bool>& wanted) {
  std::vector<std::optional<ProcessIterations>> all;
  for (auto process : processes)
    if (read.program)
      all.push_back(read_stored_times(read.run, *read.program, process, wanted));
  return take_means(all);
}

}  // namespace tracefold
