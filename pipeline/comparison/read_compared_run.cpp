#include "pipeline/comparison/read_compared_run.hpp"

#include "base/text.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/read_iteration_map.hpp"
#include "pipeline/profile/call_path_pass.hpp"
#include "pipeline/program/whole_program.hpp"
#include "pipeline/reduce/profile_plan.hpp"
#include "pipeline/series/series_sums.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
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
  return {name, session.plan(), std::move(calls),
          program ? static_cast<double>(program->stored->detail().percent) : 0.0};
}

std::optional<ProcessIterations> read_iteration_times(PlanSession& session, std::size_t process,
                                                      const std::vector<bool>& wanted) {
  const auto& plan = session.plan();
  if (const auto* program = session.program())
    return read_stored_times(plan, *program, process, wanted);
  if (!is_whole(session.archive().facts()))
    return std::nullopt;

  const PlannedTrace trace{session.archive(), plan, session.context().read_as("iterations"),
                           session.diagnostics()};
  const std::vector<std::size_t> members{process};
  const auto loops = find_loops_pass(trace, members, {}, LoopThreshold::none);
  if (loops[process].loops.empty())
    return std::nullopt;

  const SeriesLoop loop{loops, find_main_loop(members, loops)};
  const SeriesPass pass(trace, loops, members, {});
  std::vector<std::size_t> parts;
  for (std::size_t c = 0; c < pass.columns().measured.size(); ++c)
    if (is_part_of_execution_time(pass.columns().measured[c]))
      parts.push_back(c);
  const auto time = *pass.columns().find(Metric::execution_time);

  ProcessIterations out;
  out.computation.resize(loop.count_iterations(process));
  out.of_functions.resize(out.computation.size());
  read_series(pass, loop, [&](const SeriesProfile& of) {
    std::uint64_t computation = 0, of_functions = 0;
    for (std::size_t k = 0; k < of.profile.rows.size(); ++k) {
      const auto all = of.profile.value(k, time);
      computation += all;
      for (auto part : parts)
        computation -= of.profile.value(k, part);
      const auto function = of.paths[of.profile.rows[k].path].function;
      if (function != virtual_root && wanted[function])
        of_functions += all;
    }
    out.computation[of.iteration] = to_seconds(plan, computation);
    out.of_functions[of.iteration] = to_seconds(plan, of_functions);
  });

  return out;
}

}  // namespace tracefold
