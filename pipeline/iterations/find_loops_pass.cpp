#include "pipeline/iterations/find_loops_pass.hpp"

#include "base/text.hpp"
#include "filters/iterations/align_loops.hpp"
#include "model/plan.hpp"
#include "model/profile/function_names.hpp"
#include "pipeline/events/planned_trace.hpp"
#include "pipeline/iterations/collapse.hpp"
#include "pipeline/iterations/loop_finder.hpp"

#include <oneapi/tbb/enumerable_thread_specific.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tracefold {

namespace {

// Makes the surest loop likely.
constexpr double overlapped_confidence = 0.5;

// Where a call was not left as it was entered, those behind it seem to be in it: iterations, too.
// Behind the loop this is noticed at its caller's end, which says nothing against the loop.
void doubt_overlapped_loops(std::vector<Loop>& loops, const CallOddities& oddities) {
  if (oddities.overlapping_calls == 0)
    return;
  for (auto& loop : loops)
    if (loop.is_found() && oddities.first_overlap < loop.end() &&
        loop.begin() < oddities.last_overlap)
      loop.confidence *= overlapped_confidence;
}

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

// By process of the plan, of these members: what each found by itself.
std::vector<ProcessLoops> search_members(const PlannedTrace& trace,
                                         const std::vector<std::size_t>& members,
                                         const AskedIterations& asked) {
  const LoopMarks marks(trace.definitions(), trace.functions(), asked);
  oneapi::tbb::enumerable_thread_specific<LoopFinder> finders([&] { return LoopFinder(marks); });

  std::vector<ProcessLoops> out(trace.plan().processes.size());
  trace.read_each(members, [&](std::size_t process, const auto& read_calls_to) {
    auto& finder = finders.local();
    const auto read = read_calls_to(finder);
    const auto left_out = finder.left_out();
    auto& found = out[process];
    found = finder.take(read.first_time, read.last_time);
    doubt_overlapped_loops(found.loops, read.oddities);
    if (!found.loops.empty())
      return;
    for (const auto function : left_out)
      trace.diagnostics().warn("calls are too many to search for iterations: name a `region`",
                               trace.functions().functions()[function].shown_name());
  });

  return out;
}

// What was found in the processes that have been searched so far, by process of the plan.
struct SearchedLoops {
  SearchedLoops(const PlannedTrace& of, const AskedIterations& what)
      : trace(of),
        asked(what),
        loops(of.plan().processes.size()),
        is_searched(of.plan().processes.size()) {}

  // Those of them that were not searched yet.
  void add(std::vector<std::size_t> processes) {
    std::erase_if(processes, [&](std::size_t p) { return is_searched[p]; });
    auto found = search_members(trace, processes, asked);
    for (auto p : processes) {
      loops[p] = std::move(found[p]);
      is_searched[p] = true;
    }
  }

  // The loops that take enough time.
  std::vector<ProcessLoops> choose(LoopThreshold threshold) const {
    auto chosen = loops;
    if (threshold != LoopThreshold::none)
      remove_minor_loops(trace.plan(), chosen);
    return chosen;
  }

  const PlannedTrace& trace;
  const AskedIterations& asked;
  std::vector<ProcessLoops> loops;
  std::vector<bool> is_searched;
};

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
                                          const AskedIterations& asked, LoopThreshold threshold) {
  const auto& plan = trace.plan();
  if (is_collapsed(trace.definitions())) {
    trace.diagnostics().warn(
        "iterations were folded by an earlier reduction, and stay as they are");
    return std::vector<ProcessLoops>(plan.processes.size());
  }

  SearchedLoops searched(trace, asked);
  searched.add(members);
  if (threshold == LoopThreshold::over_groups &&
      leaves_small_loops_in_doubt(plan, members, searched.loops))
    searched.add(list_processes(plan));

  auto out = searched.choose(threshold);
  for (;;) {
    const auto sources = list_unsearched_sources(plan, members, searched.is_searched, out);
    if (sources.empty())
      break;
    searched.add(sources);
    out = searched.choose(threshold);
  }
  share_loops(plan, out);
  leave_out_others(members, out);

  const bool finds_none =
      std::all_of(out.begin(), out.end(), [](const auto& found) { return found.loops.empty(); });
  if (threshold != LoopThreshold::none && !asked.empty() && finds_none)
    throw nothing_matches(plan, asked);

  return out;
}

std::vector<ProcessLoops> find_loops_to_fold(const PlannedTrace& trace, const FoldOptions& options,
                                             const std::vector<ProcessLoops>* known) {
  const auto& plan = trace.plan();
  const auto search = [&](const std::vector<std::size_t>& members) {
    return find_loops_pass(trace, members, options.asked, LoopThreshold::over_groups);
  };

  const auto searched = choose_processes_to_search(plan);
  const bool are_known = known && searched.size() == plan.processes.size();
  auto loops = are_known ? *known : search(searched);
  if (options.folds_unsure)
    return loops;

  if (leaves_unsure_loops_in_doubt(plan, searched, loops))
    loops = known ? *known : search(list_processes(plan));
  note_unsure_loops(remove_unsure_loops(plan, loops), trace.diagnostics());
  for (std::size_t p = 0; p < loops.size(); ++p)
    if (!std::binary_search(searched.begin(), searched.end(), p))
      loops[p] = {};

  return loops;
}

}  // namespace tracefold
