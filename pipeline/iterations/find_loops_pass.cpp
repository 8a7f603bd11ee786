#include "pipeline/iterations/find_loops_pass.hpp"

#include "base/ranges.hpp"
#include "base/spelling.hpp"
#include "filters/iterations/align_loops.hpp"
#include "pipeline/events/read_locations.hpp"
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

// Calls of a location that are kept: as many as half of the memory has room for while they are
// searched. However many threads there are: what is found must not depend on that.
std::size_t limit_calls(std::uint64_t memory) {
  return std::clamp<std::uint64_t>(memory / 2 / LoopFinder::bytes_per_call,
                                   LoopFinder::fewest_calls, LoopFinder::most_calls);
}

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
  std::set<std::string> called;
  for (const auto& intent : plan.intents)
    for (const auto& pair : intent.set.pairs)
      called.insert(plan.functions[pair.callee].name);

  const bool is_begin = asked.region.empty();
  const auto& glob = is_begin ? asked.begin_at : asked.region;
  const auto option = is_begin ? "begin_at" : "region";
  if (is_begin && std::any_of(called.begin(), called.end(),
                              [&](const auto& name) { return matches_glob(glob, name); }))
    return Error(ErrorKind::usage,
                 fmt::format("`begin_at` '{}': no two iterations begin at what matches", glob))
        .hint("name a function that is called again and again, or count fewer calls for one");

  const auto otherwise = glob.find('*') == std::string::npos
                             ? fmt::format("use * for any text, as in `{}` '*{}*'", option, glob)
                             : "see the regions with 'tracefold profile'";

  return Error(ErrorKind::usage,
               fmt::format("`{}` '{}': no region that is entered matches", option, glob))
      .hint(suggest_name(glob, {called.begin(), called.end()}, otherwise));
}

// By process of the plan, of these members.
std::vector<ProcessLoops> search_members(const Archive& archive, const Plan& plan,
                                         const std::vector<std::size_t>& members,
                                         const AskedIterations& asked, const ReadOptions& options,
                                         Diagnostics& diagnostics) {
  const FunctionTable functions(archive.definitions(), plan.filters);
  const LoopMarks marks(archive.definitions(), functions, asked);
  const auto ids = find_locations(archive, plan, members);

  std::vector<ProcessLoops> out(plan.processes.size());
  const auto most = limit_calls(options.memory);
  oneapi::tbb::enumerable_thread_specific<LoopFinder> finders(
      [&] { return LoopFinder(marks, most); });

  for_each_location(archive, ids, options, diagnostics, [&](EventReader& reader, std::size_t i) {
    auto& finder = finders.local();
    const auto read = read_calls(reader, ids[i], functions, finder);
    const auto left_out = finder.left_out();
    out[members[i]] = finder.take(read.first_time, read.last_time);
    doubt_overlapped_loops(out[members[i]].loops, read.oddities);
    if (!out[members[i]].loops.empty())
      return;
    for (const auto function : left_out)
      diagnostics.warn(
          "calls are too many to search for iterations: name a `region`, or give more `memory`",
          functions.functions()[function].name);
  });

  return out;
}

// The processes of the plan that are no members.
std::vector<std::size_t> list_others(const Plan& plan, const std::vector<std::size_t>& members) {
  std::vector<std::size_t> others;
  for (std::size_t p = 0; p < plan.processes.size(); ++p)
    if (!std::binary_search(members.begin(), members.end(), p))
      others.push_back(p);
  return others;
}

}  // namespace

std::vector<ProcessLoops> find_loops_pass(const Archive& archive, const Plan& plan,
                                          const std::vector<std::size_t>& members,
                                          const AskedIterations& asked, const ReadOptions& options,
                                          Diagnostics& diagnostics, SmallLoops small) {
  if (is_collapsed(archive.definitions())) {
    diagnostics.warn("iterations were folded by an earlier reduction, and stay as they are");
    return std::vector<ProcessLoops>(plan.processes.size());
  }

  auto out = search_members(archive, plan, members, asked, options, diagnostics);
  if (small == SmallLoops::by_groups && leaves_small_loops_in_doubt(plan, members, out)) {
    const auto others = list_others(plan, members);
    auto found = search_members(archive, plan, others, asked, options, diagnostics);
    for (auto p : others)
      out[p] = std::move(found[p]);
    remove_minor_loops(plan, out);
    for (auto p : others)
      out[p] = {};
  } else {
    remove_minor_loops(plan, out);
  }
  share_loops(plan, out);

  const bool finds_none =
      std::all_of(out.begin(), out.end(), [](const auto& found) { return found.loops.empty(); });
  if (!asked.empty() && finds_none)
    throw nothing_matches(plan, asked);

  return out;
}

std::vector<ProcessLoops> find_more_loops_pass(const Archive& archive, const Plan& plan,
                                               const std::vector<std::size_t>& members,
                                               const AskedIterations& asked,
                                               const ReadOptions& options,
                                               Diagnostics& diagnostics) {
  auto out = search_members(archive, plan, members, asked, options, diagnostics);
  share_loops(plan, out);
  return out;
}

}  // namespace tracefold
