#include "pipeline/reduce/fold_plan.hpp"

#include "base/text.hpp"
#include "filters/iterations/align_loops.hpp"
#include "pipeline/iterations/collapse.hpp"
#include "pipeline/iterations/complete_map_loop.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/iterations/program_map.hpp"
#include "pipeline/messages/stored_messages.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

PlannedTrace plan_search(PlanSession& session) {
  return {session.archive(), session.plan(), session.context().read_as("iterations"),
          session.diagnostics()};
}

// Null: the loops have not been looked for yet.
std::vector<ProcessLoops> choose_loops_to_fold(PlanSession& session, const FoldOptions& options,
                                               const LoopReport* found) {
  return find_loops_to_fold(plan_search(session), options, found ? &found->processes : nullptr,
                            session.collect_calls(options.asked).loops.get());
}

void fold(PlanSession& session, const FoldOptions& options, const LoopReport* found,
          RecordProgram record = RecordProgram::no) {
  const auto loops = choose_loops_to_fold(session, options, found);
  fold_iterations(session.archive(), session.plan(), loops, options,
                  session.context().read_as("cluster"), session.diagnostics(), record,
                  &session.collect_calls(options.asked));
}

// Errors are measured by what every process does.
RecordProgram choose_to_measure(PlanSession& session) {
  return was_reduced(session.archive()) ? RecordProgram::no : RecordProgram::yes;
}

// The loop of a map in all processes that have it, and the map with its number.
MapOptions complete_loop(PlanSession& session, const std::vector<std::size_t>& members,
                         MapOptions map, const FoldOptions& options,
                         std::vector<ProcessLoops>& loops) {
  if (!map.loop)
    map.loop = find_main_loop(members, loops);
  complete_map_loop(plan_search(session), members, *map.loop, options.asked,
                    session.collect_calls(options.asked).loops.get(), loops);
  return map;
}

// What is stored of a trace that was reduced before; none where it was not.
std::optional<ComparedMap> find_stored_map(PlanSession& session, const MapOptions& map,
                                           const FoldOptions& options, WantLayers layers) {
  if (!options.asked.empty())
    return std::nullopt;

  return read_stored_map(session.archive(), session.plan(), kept_processes(session.plan()), map,
                         layers, session.context().read_as("map"), session.diagnostics());
}

}  // namespace

LoopReport find_loops(PlanSession& session, const FoldOptions& options) {
  const auto& plan = session.plan();
  const auto members = list_processes(plan);
  LoopReport report;
  report.processes =
      find_loops_pass(plan_search(session), members, options.asked, LoopThreshold::over_members,
                      session.collect_calls(options.asked).loops.get());
  session.context().tell(fmt::format("iterations: {} processes", group_digits(members.size())));
  report.groups = summarize_group_loops(plan, members, report.processes);

  return report;
}

void fold_plan(PlanSession& session, const FoldOptions& options, RecordProgram record) {
  fold(session, options, nullptr, record);
  const auto& folded = *session.plan().iterations;
  session.context().tell(fmt::format("iterations: {} loops on {} processes", folded.loops.size(),
                                     folded.processes.size()));
}

void fold_plan(PlanSession& session, const FoldOptions& options, const LoopReport& found) {
  const auto record = choose_to_measure(session);
  if (options.accuracy && record == RecordProgram::no)
    throw Error(ErrorKind::usage,
                "`accuracy` takes an original: of what a reduction left out nothing is measured");
  fold(session, options, &found, record);
}

std::vector<ComparedClusters> compare_clusters(PlanSession& session, const FoldOptions& options,
                                               const LoopReport& found,
                                               const std::vector<std::size_t>& clusters) {
  return sweep_iterations(session.archive(), session.plan(),
                          choose_loops_to_fold(session, options, &found), options, clusters,
                          session.context().read_as("cluster"), session.diagnostics(),
                          choose_to_measure(session), session.collect_calls(options.asked));
}

ChosenLoop choose_loop(PlanSession& session, const std::vector<std::size_t>& members,
                       const AskedIterations& asked, const std::optional<std::size_t>& loop) {
  ChosenLoop chosen{find_loops_pass(plan_search(session), members, asked), 0};
  const auto has_loop = [&](auto member) { return *loop < chosen.loops[member].loops.size(); };
  if (loop && std::none_of(members.begin(), members.end(), has_loop))
    throw Error(ErrorKind::usage, fmt::format("`loop` {}: there is no such loop", *loop + 1))
        .hint("see them all with 'tracefold iterations'");
  const bool has_any = std::any_of(members.begin(), members.end(), [&](auto member) {
    return !chosen.loops[member].loops.empty();
  });
  if (!has_any && is_collapsed(session.archive().definitions()))
    throw Error(ErrorKind::usage, "its iterations were folded when it was reduced")
        .hint("take the original, or reduce it with `iterations` off");

  chosen.loop = loop ? *loop : find_main_loop(members, chosen.loops);
  return chosen;
}

IterationMap map_plan(PlanSession& session, const MapOptions& map, const FoldOptions& options) {
  if (const auto* program = session.program())
    return read_program_map(session.archive(), *program, map);
  if (auto stored = find_stored_map(session, map, options, WantLayers::no))
    return std::move(stored->original);

  auto found = find_loops(session, options);
  const auto members = kept_processes(session.plan());
  const auto shown = complete_loop(session, members, map, options, found.processes);
  return read_iteration_map(session.archive(), session.plan(), members, found.processes, shown,
                            session.context().read_as("map"), session.diagnostics());
}

ComparedMap compare_map(PlanSession& session, const MapOptions& map, const FoldOptions& options,
                        bool folds_anew) {
  const auto& plan = session.plan();
  if (const auto* program = session.program())
    return compare_program_map(session.archive(), *program, map);
  if (is_collapsed(session.archive().definitions())) {
    if (auto stored = find_stored_map(session, map, options, WantLayers::yes))
      return std::move(*stored);
    throw Error(ErrorKind::input, "its iterations were folded, and nothing is stored of them")
        .in(plan.trace.anchor)
        .hint("draw the original");
  }

  const bool is_folded = plan.iterations && !folds_anew;
  auto shown = options;
  if (is_folded)
    shown.asked = plan.iterations->asked;

  auto found = find_loops(session, shown);
  if (!is_folded)
    fold(session, options, &found);

  const auto wanted = complete_loop(session, list_processes(plan), map, shown, found.processes);
  return read_compared_map(session.archive(), plan, found.processes, wanted,
                           session.context().read_as("map"), session.diagnostics());
}

}  // namespace tracefold
