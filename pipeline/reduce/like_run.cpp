#include "pipeline/reduce/like_run.hpp"

#include "base/read_file.hpp"
#include "filters/comparison/function_names.hpp"
#include "filters/iterations/match_loops.hpp"
#include "model/groups/like_section.hpp"
#include "model/iterations/iteration_section.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/facts/whole_program.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/reduce/fold_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

// The processes that stay in a reduced trace, in the groups of its plan. Throws Error(input) where
// they do not fit the plan.
Plan read_kept_processes(const Plan& beside, std::shared_ptr<const Archive> archive,
                         const std::string& anchor, const Context& context) {
  Diagnostics quiet;
  const Context own{quiet, context.reading};
  PlanSession session(std::move(archive), own);
  session.profile();
  auto plan = session.plan();

  const auto stand_ins = read_location_properties(session.archive().definitions());
  plan.groups.emplace(beside.groups->size());
  plan.representatives.emplace();
  for (std::size_t p = 0; p < plan.processes.size(); ++p) {
    const auto at = stand_ins.find(plan.processes[p].id);
    if (at == stand_ins.end() || !at->second.group || *at->second.group >= plan.groups->size())
      throw Error(ErrorKind::input, "its processes are not those of the plan beside it").in(anchor);
    const auto group = static_cast<std::uint32_t>(*at->second.group);
    (*plan.groups)[group].members.push_back(p);
    plan.representatives->push_back({group, p, {p}, {}});
  }
  for (std::size_t g = 0; g < plan.groups->size(); ++g) {
    (*plan.groups)[g].name = (*beside.groups)[g].name;
    if ((*plan.groups)[g].members.empty())
      throw Error(ErrorKind::input, fmt::format("nobody stands for group {} of its plan", g))
          .in(anchor);
  }

  for (std::size_t f = 0; f < plan.functions.size(); ++f)
    if (std::any_of(beside.ignored.begin(), beside.ignored.end(),
                    [&](auto ignored) { return beside.functions[ignored] == plan.functions[f]; }))
      plan.ignored.push_back(static_cast<FunctionIndex>(f));
  plan.threshold = beside.threshold;
  plan.comparison = beside.comparison;
  plan.selection = beside.selection;
  plan.filters = beside.filters;
  return plan;
}

// Completes a plan with the profiles in this folder; false where these are not there.
bool complete(Plan& plan, const std::filesystem::path& folder) {
  if (!plan.program_file)
    return false;

  try {
    Diagnostics quiet;
    restore_profiles(plan, folder, quiet);
    return true;
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::input)
      throw;
    return false;
  }
}

// Completes a plan with what the kept processes did.
void complete_by_kept(Plan& plan, std::shared_ptr<const Archive> archive, const std::string& anchor,
                      const Context& context) {
  context.diagnostics.note(
      fmt::format("{}: {} tells nothing of the processes that were left out: groups are told by "
                  "those that stay",
                  anchor, profiles_name));
  plan = read_kept_processes(plan, std::move(archive), anchor, context);
}

std::string find_anchor(const std::filesystem::path& folder) {
  const auto anchor = folder / "traces.otf2";
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(anchor, unknown))
    throw Error(ErrorKind::input, "the reduced trace is not beside its plan").in(anchor.string());
  return anchor.string();
}

Plan read_plan_file(const std::string& file, const std::filesystem::path& folder) {
  try {
    return plan_from_json(read_file(file).value_or(""), folder);
  } catch (Error& problem) {
    throw problem.in(file);
  }
}

// The plan in the folder of a trace, which is of this file.
Plan read_plan_of_trace(const Archive& archive, const std::string& file) {
  if (!was_reduced(archive))
    throw Error(ErrorKind::input, "was not reduced: there are no groups and iterations to take")
        .in(file)
        .hint("reduce it first, and give what was written");

  auto beside = read_plan_beside(archive);
  if (beside.error)
    throw Error(*beside.error);
  if (!beside.plan || !beside.is_that)
    throw Error(ErrorKind::input,
                beside.is_there ? "is not the plan that the trace was written with" : "is missing")
        .in(beside.file.string());
  return std::move(*beside.plan);
}

// A pattern that means this name alone.
std::string escape_pattern(const std::string& name) {
  std::string out;
  for (auto c : name) {
    if (std::string_view("*?[]\\").find(c) != std::string_view::npos)
      out += '\\';
    out += c;
  }
  return out;
}

// The loops that are there, whether or not they are those of the other run; none where what is
// asked for is not called.
std::vector<ProcessLoops> find_all_loops(PlanSession& session, FoldOptions options) {
  options.like.clear();
  options.folds_unsure = true;
  Diagnostics quiet;
  const PlannedTrace trace{session.archive(), session.plan(),
                           session.context().read_as("iterations"), quiet};
  try {
    return find_loops_to_fold(trace, options, nullptr,
                              session.collect_calls(options.asked).loops.get());
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::usage)
      throw;
    return {};
  }
}

bool has_any_match(const Plan& plan, const std::vector<LoopRule>& rules,
                   const std::vector<ProcessLoops>& loops) {
  return std::any_of(loops.begin(), loops.end(), [&](const ProcessLoops& process) {
    const auto found = match_loops(rules, plan.functions, process.loops);
    return std::any_of(found.begin(), found.end(), [](auto rule) { return rule.has_value(); });
  });
}

// By where the iterations of the first loop of the other run begin.
AskedIterations ask_for_begin(const Plan& plan, const LoopRule& rule) {
  const auto wanted = simplify_name(rule.function);
  for (const auto& function : plan.functions)
    if (simplify_name(function.name) == wanted)
      return {{}, escape_pattern(function.name), 1};
  return {};
}

// The loops that the other run does not have, by name.
std::set<std::string> list_other_loops(const Plan& plan, const std::vector<LoopRule>& rules,
                                       const std::vector<ProcessLoops>& loops) {
  std::set<std::string> names;
  for (const auto& process : loops) {
    const auto found = match_loops(rules, plan.functions, process.loops);
    for (std::size_t l = 0; l < found.size(); ++l) {
      const auto& loop = process.loops[l];
      if (found[l] || rate_certainty(loop.confidence) == Certainty::unsure)
        continue;
      names.insert(name_loop(loop, plan.functions));
    }
  }
  return names;
}

std::string count_iterations(std::size_t count) {
  return fmt::format("{} iteration{}", count, count == 1 ? "" : "s");
}

// What of a loop that is in both runs does not fit.
void note_loop_misfits(const LoopRule& rule, const KeptIterations& here,
                       std::vector<std::string>& misfits) {
  const auto iterations = here.kept_of.size(), there = rule.kept_of.size();
  if (iterations != there)
    misfits.push_back(fmt::format("loop {} has {} there, and {} here", name_loop(rule),
                                  count_iterations(there), iterations));

  const auto is_in = [](const std::vector<std::uint32_t>& kept, std::uint32_t i) {
    return std::binary_search(kept.begin(), kept.end(), i);
  };
  std::size_t fewer = 0, more = 0;
  for (auto i : rule.kept)
    fewer += !is_in(here.kept, i);
  for (auto i : here.kept)
    more += !is_in(rule.kept, i) && i + 1 < iterations;  // the last one always stays

  if (fewer > 0)
    misfits.push_back(fmt::format("{} that loop {} keeps there {} not here",
                                  count_iterations(fewer), name_loop(rule),
                                  fewer == 1 ? "is" : "are"));
  if (more > 0)
    misfits.push_back(fmt::format("loop {} keeps {} more, which {} like none of the kept ones",
                                  name_loop(rule), count_iterations(more),
                                  more == 1 ? "is" : "are"));
}

void describe_iterations(const Plan& plan, const std::vector<LoopRule>& rules,
                         std::vector<std::string>& misfits) {
  const auto& section = *plan.iterations;
  std::vector<std::optional<std::size_t>> found;
  if (!section.processes.empty())
    found = match_loops(rules, plan.functions, section.processes.front().loops.loops);
  for (std::size_t r = 0; r < rules.size(); ++r) {
    const auto at = std::find(found.begin(), found.end(), std::optional(r));
    if (at == found.end())
      misfits.push_back(fmt::format("loop {} is not here", name_loop(rules[r])));
    else
      note_loop_misfits(
          rules[r], section.loops[static_cast<std::size_t>(at - found.begin())].choice, misfits);
  }
}

}  // namespace

LikeRun read_like_run(const std::string& file, const Context& context) {
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(file, unknown))
    throw Error(ErrorKind::input, "no such file")
        .in(file)
        .hint("give the anchor of a reduced trace, as in small/traces.otf2");

  LikeRun run;
  run.name = file;
  std::shared_ptr<const Archive> archive;  // where it is a trace
  auto folder = std::filesystem::path(file).parent_path();
  if (is_plan_file(file)) {
    run.plan = read_plan_file(file, folder);
  } else {
    archive = open_trace(file, context.diagnostics);
    folder = archive->paths().anchor.parent_path();  // where a tar is unpacked
    run.plan = read_plan_of_trace(*archive, file);
  }
  if (!run.plan.groups)
    throw Error(ErrorKind::usage, "has no groups to take").in(file);

  run.processes = count_processes(run.plan, list_processes(run.plan));
  if (const auto& section = run.plan.iterations) {
    run.folding = list_options(*section);
    run.folding->keep.clear();
    run.folding->like = list_loop_rules(*section, run.plan.functions);
    if (run.folding->like.empty())
      run.folding.reset();
  }
  if (run.plan.lacks_profiles && !complete(run.plan, folder)) {
    const auto anchor = archive ? file : find_anchor(folder);
    if (!archive)
      archive = open_trace(anchor, context.diagnostics);
    complete_by_kept(run.plan, std::move(archive), anchor, context);
    run.knows_all = false;
  }

  return run;
}

GroupOptions list_grouping(const Plan& plan) {
  const auto& comparison = plan.comparison;
  GroupOptions options;
  if (plan.threshold < 1)
    options.threshold = plan.threshold;
  options.comparison = {comparison.by, comparison.ignore, comparison.ignore_root,
                        comparison.combine};
  if (comparison.by == CompareBy::signature) {
    const auto& signature = comparison.signature;
    options.comparison.level = signature.level;
    options.comparison.peers = signature.peers;
    options.comparison.compare_bytes = signature.compare_bytes;
    options.comparison.keep_order = signature.keep_order;
  }

  return options;
}

void fold_like(PlanSession& session, const LikeRun& run, RecordProgram record) {
  auto folding = *run.folding;
  auto loops = find_all_loops(session, folding);
  if (folding.asked.empty() && !has_any_match(session.plan(), folding.like, loops)) {
    auto begun = folding;
    begun.asked = ask_for_begin(session.plan(), folding.like.front());
    auto found = begun.asked.empty() ? std::vector<ProcessLoops>() : find_all_loops(session, begun);
    if (has_any_match(session.plan(), folding.like, found)) {
      folding = std::move(begun);
      loops = std::move(found);
    }
  }

  auto like = *session.plan().like;
  if (loops.empty()) {
    for (const auto& rule : folding.like)
      like.misfits.push_back(fmt::format("loop {} is not here", name_loop(rule)));
  } else {
    fold_plan(session, folding, record);
    describe_iterations(session.plan(), folding.like, like.misfits);
    for (const auto& name : list_other_loops(session.plan(), folding.like, loops))
      like.misfits.push_back(fmt::format("loop {} is not there: all of its iterations stay", name));
  }
  session.plan().like = std::make_shared<const LikeSection>(std::move(like));
}

}  // namespace tracefold
