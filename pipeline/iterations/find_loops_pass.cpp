#include "pipeline/iterations/find_loops_pass.hpp"

#include "base/text.hpp"
#include "filters/iterations/align_loops.hpp"
#include "filters/iterations/match_loops.hpp"
#include "model/plan.hpp"
#include "model/profile/function_names.hpp"
#include "pipeline/events/planned_trace.hpp"
#include "pipeline/iterations/chosen_loops.hpp"
#include "pipeline/iterations/collapse.hpp"
#include "pipeline/iterations/loop_finder.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tracefold {

namespace {

// Suggests among the names of what is called.
Error nothing_matches(const Plan& plan, const AskedIterations& asked) {
  std::set<Function> called;
  for (const auto& intent : plan.intents)
    for (const auto& pair : intent.set.pairs)
      called.insert(plan.functions[pair.callee]);

  const bool is_begin = asked.region.empty();
  const auto& glob = is_begin ? asked.begin_at : asked.region;
  const auto option = is_begin ? "begin_at" : "region";
  if (is_begin && std::any_of(called.begin(), called.end(), [&](const auto& function) {
        return matches_function(glob, function);
      }))
    return Error(ErrorKind::usage,
                 fmt::format("`begin_at` '{}': no two iterations begin at what matches", glob))
        .hint("name a function that is called again and again, or count fewer calls for one");

  const auto otherwise = glob.find('*') == std::string::npos
                             ? fmt::format("use * for any text, as in `{}` '*{}*'", option, glob)
                             : "see the regions with 'tracefold profile'";

  const auto hint = suggest_function(glob, {called.begin(), called.end()});

  return Error(ErrorKind::usage,
               fmt::format("`{}` '{}': no region that is entered matches", option, glob))
      .hint(hint.empty() ? otherwise : hint);
}

// Searches those of the processes that were not searched yet.
void search(const PlannedTrace& trace, std::vector<std::size_t> processes,
            SearchedLoops& searched) {
  std::erase_if(processes, [&](std::size_t p) { return searched.is_searched(p); });
  const LoopMarks marks(trace.definitions(), trace.functions(), searched.asked());
  oneapi::tbb::enumerable_thread_specific<LoopFinder> finders([&] { return LoopFinder(marks); });

  const auto own = trace.read_own(processes, [&](std::size_t process, const auto& read_calls_to) {
    auto& finder = finders.local();
    const auto read = read_calls_to(finder);
    searched.add(process, finder, read);
  });
  searched.share(trace.options().team, own);
}

// The same, with what was found in these processes, in `searched` or else now.
std::vector<ProcessLoops> search_loops(const PlannedTrace& trace,
                                       const std::vector<std::size_t>& processes,
                                       const AskedIterations& asked, SearchedLoops* searched) {
  SearchedLoops own(asked, trace.plan().processes.size());
  auto& results = searched && searched->asked() == asked ? *searched : own;
  search(trace, processes, results);
  for (auto p : processes)
    for (const auto function : results.left_out(p))
      trace.diagnostics().warn("calls are too many to search for iterations: name a `region`",
                               trace.functions().functions()[function].shown_name());

  return results.list(processes);
}

// Leaves the loops of the members, and of the processes that they take them from.
void leave_out_others(const std::vector<std::size_t>& members, std::vector<ProcessLoops>& loops) {
  std::set<std::size_t> stay(members.begin(), members.end());
  for (auto m : members)
    if (const auto source = loops[m].taken_from)
      stay.insert(*source);
  for (std::size_t p = 0; p < loops.size(); ++p)
    if (!stay.contains(p))
      loops[p] = {};
}

void note_unsure_loops(const std::vector<Loop>& removed, Diagnostics& diagnostics) {
  if (removed.empty())
    return;

  const auto& largest = *std::max_element(
      removed.begin(), removed.end(), [](const Loop& a, const Loop& b) { return a.work < b.work; });
  diagnostics.note(fmt::format(
      "{} unsure loop{} not folded, the largest with {} iterations: `fold_unsure` folds {}",
      removed.size(), removed.size() == 1 ? " is" : "s are",
      group_digits(largest.iterations.size()), removed.size() == 1 ? "it" : "them"));
}

}  // namespace

std::vector<ProcessLoops> find_loops_pass(const PlannedTrace& trace,
                                          const std::vector<std::size_t>& members,
                                          const AskedIterations& asked, LoopThreshold threshold,
                                          SearchedLoops* searched) {
  const auto& plan = trace.plan();
  if (is_collapsed(trace.definitions())) {
    trace.diagnostics().warn(
        "iterations were folded by an earlier reduction, and stay as they are");
    return std::vector<ProcessLoops>(plan.processes.size());
  }

  const auto with_sources = add_loop_sources(plan, members);
  auto out = plan.chosen && asked.empty() ? list_chosen_loops(trace, with_sources)
                                          : search_loops(trace, with_sources, asked, searched);
  if (threshold != LoopThreshold::none)
    remove_minor_loops(plan, out);
  share_loops(plan, out);
  leave_out_others(members, out);

  const bool finds_none =
      std::all_of(out.begin(), out.end(), [](const auto& found) { return found.loops.empty(); });
  if (threshold != LoopThreshold::none && !asked.empty() && finds_none)
    throw nothing_matches(plan, asked);

  return out;
}

std::vector<ProcessLoops> find_loops_to_fold(const PlannedTrace& trace, const FoldOptions& options,
                                             const std::vector<ProcessLoops>* known,
                                             SearchedLoops* searched_before) {
  const auto& plan = trace.plan();
  if (!options.like.empty()) {
    auto all = options;
    all.like.clear();
    all.folds_unsure = true;
    auto loops = find_loops_to_fold(trace, all, known, searched_before);
    keep_matching_loops(options.like, plan.functions, loops);
    return loops;
  }

  auto loops = known ? *known
                     : find_loops_pass(trace, list_processes(plan), options.asked,
                                       LoopThreshold::over_members, searched_before);
  if (!options.folds_unsure)
    note_unsure_loops(remove_unsure_loops(plan, loops), trace.diagnostics());
  const auto candidates = list_folding_candidates(plan);
  for (std::size_t p = 0; p < loops.size(); ++p)
    if (!std::binary_search(candidates.begin(), candidates.end(), p))
      loops[p] = {};

  return loops;
}

}  // namespace tracefold
