#include "pipeline/answers/read_run_facts.hpp"

#include "model/chosen_iterations.hpp"
#include "model/describe_group.hpp"
#include "model/iterations/group_kinds.hpp"
#include "model/plan.hpp"
#include "model/profile/metric_columns.hpp"
#include "pipeline/answers/play_stored.hpp"
#include "pipeline/answers/read_stored_run.hpp"
#include "pipeline/answers/window_gaps.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/planned_trace.hpp"
#include "pipeline/facts/pack_program.hpp"
#include "pipeline/facts/stored_program.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/messages/find_crossing.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

std::vector<ComputedGroup> list_computed_groups(const Plan& plan) {
  std::vector<ComputedGroup> out;
  if (plan.groups)
    for (std::size_t g = 0; g < plan.groups->size(); ++g)
      out.push_back({describe_group(plan, g), (*plan.groups)[g].members});
  return out;
}

constexpr double least_part_before_ends = 0.05;

// Which records end early, where the run lasts so long. These processes are left out where a part
// of the run is asked for, or where they end so early that the part up to there tells nothing.
EarlyEnds find_early_ends(const std::vector<Process>& processes, const std::optional<TimeSpan>& run,
                          RunPart asked) {
  EarlyEnds out;
  if (!run || run->end <= run->begin)
    return out;
  const auto length = static_cast<double>(run->end - run->begin);
  out.first = 1;
  for (std::size_t p = 0; p < processes.size(); ++p)
    if (const auto end = processes[p].ends_early) {
      const auto share = static_cast<double>(*end - std::min(*end, run->begin)) / length;
      out.processes.push_back(p);
      out.first = std::min(out.first, share);
      out.last = std::max(out.last, share);
    }
  out.are_left_out =
      !out.processes.empty() && (asked != RunPart::automatic || out.first < least_part_before_ends);
  return out;
}

// What warns of the trace does so here, too; notes are of folding, which nobody has asked for.
void pass_on_warnings(const Diagnostics& from, Diagnostics& to) {
  to.add_collected({from.collected().first, {}});
}

// Adds the units that the trace records, so that "10^-6 J" become J.
void add_units(const Definitions& definitions, std::vector<CounterSum>& counters) {
  for (auto& counter : counters) {
    const auto recorded = find_recorded_unit(definitions, MetricKind::counter, counter.name);
    int exponent = 0;
    const auto space = recorded.find(' ');
    const bool is_scaled =
        space != recorded.npos && std::sscanf(recorded.c_str(), "10^%d ", &exponent) == 1;
    counter.unit = is_scaled ? recorded.substr(space + 1) : recorded;
    if (is_scaled)
      counter.value *= std::pow(10.0, exponent);
  }
}

RunFacts begin_facts(const PlanSession& session) {
  RunFacts out;
  out.trace = session.plan().trace.anchor;
  out.ticks_per_second = session.plan().trace.ticks_per_second;
  out.numbers = list_iteration_numbers(session.plan());
  return out;
}

// Nothing is recorded between the spans of a window.
void leave_out_gaps_of_window(const std::vector<FilterSection>& filters, RunFacts& out) {
  out.around.reset();  // nobody has asked for more
  out.set_aside.off.resize(out.processes.size());
  for (const auto& piece : out.spans)
    for (std::size_t p = 0; p < out.processes.size(); ++p)
      out.set_aside.off[p] += count_gaps(filters, out.processes[p].id, piece[p]);
}

// The same between iterations to which a trace was cut, where they do not follow each other.
void leave_out_gaps(const Plan& plan, RunFacts& out) {
  if (find_window(plan.filters)) {
    leave_out_gaps_of_window(plan.filters, out);
    return;
  }
  if (!plan.chosen || out.part != RunPart::loop)
    return;
  out.set_aside.off.resize(out.processes.size());
  for (std::size_t p = 0; p < out.processes.size(); ++p)
    if (const auto at = plan.chosen->loops.find(out.processes[p].id);
        at != plan.chosen->loops.end())
      out.set_aside.off[p] += at->second.end() - at->second.begin() - at->second.ticks;
}

ReadRun read_original(PlanSession& session, const RunPartOptions& options);

// The part of the run up to `end`, at which the first records end.
RunFacts read_before(PlanSession& session, std::uint64_t end) {
  const auto& context = session.context();
  const auto begin = session.plan().trace.run->begin;
  Diagnostics same_as_of_all;
  Context quiet{same_as_of_all, context.reading, context.progress};
  PlanSession part(session.share_archive(), quiet);
  auto& filters = part.plan().filters;
  filters = session.plan().filters;
  filters.emplace_back();
  narrow_to(filters, {{{begin, end}}, {}, begin, nullptr});
  return read_original(part, {RunPart::window}).facts;
}

// Reads the representatives once more.
std::shared_ptr<const IterationSection> find_iteration_kinds(PlanSession& session,
                                                             Diagnostics& diagnostics) {
  FoldOptions options;
  options.max_clusters = drawn_iteration_kinds;
  auto folded = session.plan();
  auto& known = session.collect_calls(options.asked);
  const auto reading = session.context().read_as("cluster");
  const auto loops = find_loops_to_fold({session.archive(), folded, reading, diagnostics}, options,
                                        nullptr, known.loops.get());
  fold_iterations(session.archive(), folded, loops, options, reading, diagnostics,
                  RecordProgram::no, &known);
  return folded.iterations;
}

ReadRun read_original(PlanSession& session, const RunPartOptions& options) {
  auto& plan = session.plan();
  const auto& context = session.context();
  std::optional<FoldOptions> folding;
  if (options.part != RunPart::window)
    folding = FoldOptions{};
  auto extras = choose_extras({}, KeepMessages::no, folding, RecordProgram::yes);
  if (options.needs_kinds)
    extras.operations = RecordOperations::yes;
  session.profile(extras);
  session.group({});
  session.select({}, {});
  auto early_ends = find_early_ends(plan.processes, plan.trace.run, options.part);
  const bool ends_before = !early_ends.processes.empty() && !early_ends.are_left_out;
  std::optional<RunFacts> before;
  if (ends_before) {
    auto end = plan.trace.run->end;
    for (auto p : early_ends.processes)
      end = std::min(end, *plan.processes[p].ends_early);
    before = read_before(session, end);
    before->processes = plan.processes;
    before->groups = list_computed_groups(plan);
    before->early_ends = early_ends;
    if (options.maps == RecordMaps::no && !options.needs_program)
      return {std::move(*before), nullptr};
  }

  auto recorded = plan;
  recorded.what_if = options.what_if;
  Diagnostics of_folding;
  const auto kinds =
      folding && options.needs_kinds ? find_iteration_kinds(session, of_folding) : nullptr;
  record_program(session.archive(), recorded, folding, RecordProgram::yes, context.read_as("sum"),
                 of_folding, &session.collect_calls(folding ? folding->asked : AskedIterations{}),
                 options.maps);
  pass_on_warnings(of_folding, session.diagnostics());
  session.forget_calls();

  auto packed = pack_exact_program(recorded, context.reading.team);
  if (!packed)
    throw Error(ErrorKind::input, "is too large for a summary").in(plan.trace.anchor);
  const auto devices = recorded.program->devices;
  recorded.program.reset();
  auto stored = std::make_shared<const StoredProgram>(std::move(packed->bytes));
  if (before)
    return {std::move(*before), std::move(stored), kinds};

  auto out = begin_facts(session);
  out.processes = plan.processes;
  out.groups = list_computed_groups(plan);
  out.early_ends = std::move(early_ends);
  read_stored_run(*stored, options.part == RunPart::window ? RunPart::run : options.part, devices,
                  {}, out);
  leave_out_gaps(plan, out);
  add_units(session.archive().definitions(), out.counters);
  if (options.part == RunPart::window) {
    out.part = RunPart::window;
    out.window = options.window_words;
  }
  return {std::move(out), std::move(stored), kinds};
}

ReadRun check_read(const RunPartOptions& options, ReadRun read, bool is_original = true) {
  require_answer(options.what_if, read.facts, is_original);
  return read;
}

// Whether nothing of a trace that was written before is folded, as where it was cut to a part.
bool stands_for_itself(const Definitions& definitions) {
  const auto earlier = find_earlier_reductions(definitions);
  return !is_collapsed(definitions) &&
         std::all_of(earlier.begin(), earlier.end(),
                     [](const auto& of) { return of.second.count == 1; });
}

}  // namespace

ReadRun read_run(PlanSession& session, const RunPartOptions& options) {
  if (is_whole(session.archive().facts()))
    return check_read(options, read_original(session, options));

  session.ask_for_all();
  if (!session.program() && stands_for_itself(session.archive().definitions()))
    return check_read(options, read_original(session, options));
  if (!session.plan().filters.empty())
    throw Error(ErrorKind::input,
                "what all processes did in a part of a reduced trace is unknown: what it keeps of "
                "them is of all functions")
        .in(session.plan().trace.anchor)
        .hint("take the original");
  if (!session.program())
    throw Error(
        ErrorKind::input,
        fmt::format("what its processes did in the original is unknown: {} is not beside it",
                    profiles_name))
        .in(session.plan().trace.anchor)
        .hint("take the original");

  session.require_groups();
  auto out = begin_facts(session);
  out.processes = session.plan().processes;
  out.groups = list_computed_groups(session.plan());
  out.early_ends = find_early_ends(out.processes, session.plan().trace.run, RunPart::run);
  const auto& stored = session.program()->stored;
  read_stored_run(*stored, options.part, stored->read_devices(), options.what_if, out);
  leave_out_gaps(session.plan(), out);
  add_units(session.archive().definitions(), out.counters);
  return check_read(options, {std::move(out), stored}, false);
}

}  // namespace tracefold
