#include "pipeline/answers/read_call_tree.hpp"

#include "model/iterations/collapsed_name.hpp"
#include "model/location_list.hpp"
#include "model/process_names.hpp"
#include "pipeline/events/planned_trace.hpp"
#include "pipeline/iterations/collapse.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/read_iteration_map.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/reduce/original_ids.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tracefold {

void CallTreeSink::enter(const CallBegin& call, std::span<const Attribute>) {
  ++tree_.all_calls;
  const auto depth = static_cast<std::uint32_t>(open_.size());
  const auto is_too_deep = [&] { return tree_.least_depth && depth >= *tree_.least_depth; };
  // Where there was no room for a call, all that are held are outermost ones: none can go.
  if (!is_too_deep() && tree_.has_end && tree_.calls.size() >= most_)
    make_room();
  if (is_too_deep() || tree_.calls.size() >= most_) {
    tree_.has_end = tree_.has_end && is_too_deep();
    open_.push_back(not_a_call);
    return;
  }

  const auto caller = open_.empty() ? not_a_call : open_.back();
  open_.push_back(static_cast<std::uint32_t>(tree_.calls.size()));
  tree_.calls.push_back({call.time, 0, call.function, caller, 0, depth});
}

void CallTreeSink::leave(const CallEnd& call, std::span<const Attribute>) {
  const auto place = open_.back();
  open_.pop_back();
  if (place == not_a_call)
    return;
  tree_.calls[place].inclusive = call.inclusive;
  tree_.calls[place].end = static_cast<std::uint32_t>(tree_.calls.size());
}

// Leaves out the deepest calls, as long as these are not the outermost ones.
void CallTreeSink::make_room() {
  std::uint32_t deepest = 0;
  for (const auto& call : tree_.calls)
    deepest = std::max(deepest, call.depth);
  if (deepest == 0)
    return;

  tree_.least_depth = deepest;
  std::vector<std::uint32_t> place(tree_.calls.size() + 1);
  std::uint32_t next = 0;
  for (std::size_t k = 0; k < tree_.calls.size(); ++k) {
    place[k] = next;
    next += tree_.calls[k].depth < deepest;
  }
  place.back() = next;

  std::vector<CallNode> kept;
  kept.reserve(most_);
  for (auto call : tree_.calls) {
    if (call.depth >= deepest)
      continue;
    call.end = place[call.end];
    if (call.caller != not_a_call)
      call.caller = place[call.caller];
    kept.push_back(call);
  }
  for (auto& open : open_)
    if (open != not_a_call)
      open = tree_.calls[open].depth < deepest ? place[open] : not_a_call;
  tree_.calls = std::move(kept);
}

ProcessCalls CallTreeSink::take() {
  return std::move(tree_);
}

namespace {

// For a process of several locations: the one that MPI's ranks mean, or else its first thread.
std::size_t choose_first_thread(const Plan& plan, const std::vector<std::uint64_t>& ids) {
  const Process* chosen = nullptr;
  for (const auto& process : plan.processes) {
    if (!std::binary_search(ids.begin(), ids.end(), process.id))
      continue;
    const auto rate = [](const Process& one) {
      return std::pair(!one.is_mpi_endpoint, one.thread);
    };
    if (!chosen || rate(process) < rate(*chosen))
      chosen = &process;
  }
  return chosen ? static_cast<std::size_t>(chosen - plan.processes.data()) : plan.processes.size();
}

}  // namespace

std::size_t find_aligned_process(PlanSession& session, const std::string& text) {
  session.profile();
  const auto& plan = session.plan();
  const auto list = parse_location_list(text);
  if (list.ranks.size() + list.locations.size() != 1 || !list.groups.empty())
    throw Error(ErrorKind::usage, fmt::format("`align` {}: not one process", text))
        .hint("as rank:3, or the id of a location");

  const bool is_reduced = was_reduced(session.archive());
  auto process = plan.processes.size();
  try {
    process = choose_first_thread(plan, find_listed_in(session, list));
  } catch (const Error& problem) {
    if (problem.kind() != ErrorKind::usage || !is_reduced)
      throw;
  }
  if (process == plan.processes.size() && is_reduced)
    throw Error(
        ErrorKind::input,
        fmt::format("{} was left out when the trace was reduced: its calls are unknown", text))
        .in(plan.trace.anchor)
        .hint("take the original");
  if (process == plan.processes.size())
    throw Error(ErrorKind::usage, fmt::format("`align` {}: there is no such process", text))
        .in(plan.trace.anchor);
  return process;
}

ProcessCalls read_call_tree(PlanSession& session, std::size_t process) {
  const auto& plan = session.plan();
  const PlannedTrace trace{session.archive(), plan, session.context().read_as("align"),
                           session.diagnostics()};
  const std::vector<std::size_t> members{process};
  ProcessCalls tree;
  trace.read_each(members, [&](std::size_t, const auto& read_calls_to) {
    CallTreeSink sink;
    read_calls_to(sink);
    tree = sink.take();
  });

  const bool is_folded = std::any_of(
      tree.calls.begin(), tree.calls.end(),
      [&](const CallNode& call) { return is_collapsed_iteration(plan.functions[call.function]); });
  if (is_folded)
    throw Error(ErrorKind::input,
                fmt::format("iterations of {} were folded when the trace was reduced: its calls "
                            "are unknown",
                            name_process(plan.processes[process])))
        .in(plan.trace.anchor)
        .hint("take the original");

  if (is_collapsed(session.archive().definitions()))
    return tree;
  auto loops = find_loops_pass(trace, members, {}, LoopThreshold::none);
  if (auto& found = loops[process].loops; !found.empty())
    tree.loop = std::move(found[find_main_loop(members, loops)]);
  return tree;
}

}  // namespace tracefold
