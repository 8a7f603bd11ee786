#include "pipeline/iterations/find_loops_pass.hpp"

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

// Calls of a location that are kept: as many as half of the memory has room for while they are
// searched. However many threads there are: what is found must not depend on that.
std::size_t limit_calls(std::uint64_t memory) {
  return std::clamp<std::uint64_t>(memory / 2 / LoopFinder::bytes_per_call,
                                   LoopFinder::fewest_calls, LoopFinder::most_calls);
}

// Suggests among the names of what is called.
Error region_is_never_entered(const Plan& plan, const std::string& region) {
  std::set<std::string> called;
  for (const auto& intent : plan.intents)
    for (const auto& pair : intent.set.pairs)
      called.insert(plan.functions[pair.callee].name);

  const auto otherwise = region.find('*') == std::string::npos
                             ? "use * for any text, as in `region` '*" + region + "*'"
                             : "see the regions with 'tracefold profile'";

  return Error(ErrorKind::usage,
               fmt::format("`region` '{}': no region that is entered matches", region))
      .hint(suggest_name(region, {called.begin(), called.end()}, otherwise));
}

}  // namespace

Creators find_creators(const Definitions& definitions) {
  Creators creators;
  for (const auto& d : definitions.all())
    if (d.kind == DefinitionKind::LocationGroup && d.fields[4] != d.id() &&
        definitions.find(Ref::location_group, d.fields[4]))
      creators.emplace(d.id(), d.fields[4]);

  return creators;
}

std::vector<ProcessLoops> find_loops_pass(const Archive& archive, const Plan& plan,
                                          const std::vector<std::size_t>& members,
                                          const std::string& region, const ReadOptions& options,
                                          Diagnostics& diagnostics) {
  if (is_collapsed(archive.definitions())) {
    diagnostics.warn("iterations were folded by an earlier reduction, and stay as they are");
    return std::vector<ProcessLoops>(plan.processes.size());
  }

  const FunctionTable functions(archive.definitions(), plan.filters);
  const LoopMarks marks(archive.definitions(), functions, region);
  const auto ids = find_locations(archive, plan, members);

  std::vector<ProcessLoops> out(plan.processes.size());
  const auto most = limit_calls(options.memory);
  oneapi::tbb::enumerable_thread_specific<LoopFinder> finders(
      [&] { return LoopFinder(marks, most); });

  for_each_location(archive, ids, options, diagnostics, [&](EventReader& reader, std::size_t i) {
    auto& finder = finders.local();
    const auto read = read_clean_events(reader, ids[i], functions, finder);
    const auto left_out = finder.left_out();
    out[members[i]] = finder.take(read.first_time, read.last_time);
    if (!out[members[i]].loops.empty())
      return;
    for (const auto function : left_out)
      diagnostics.warn(
          "calls are too many to search for iterations: name a `region`, or give more `memory`",
          functions.functions()[function].name);
  });

  remove_minor_loops(plan, out);
  share_loops(plan, find_creators(archive.definitions()), out);

  const bool finds_none =
      std::all_of(out.begin(), out.end(), [](const auto& found) { return found.loops.empty(); });
  if (!region.empty() && finds_none)
    throw region_is_never_entered(plan, region);

  return out;
}

}  // namespace tracefold
