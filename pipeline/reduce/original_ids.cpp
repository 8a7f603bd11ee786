#include "pipeline/reduce/original_ids.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <vector>

namespace tracefold {

void take_original_ids(const Definitions& definitions, Plan& plan) {
  const auto earlier = find_earlier_reductions(definitions);
  const auto take = [&](std::uint64_t& id) { id = find_first_original(earlier, id); };
  for (auto& process : plan.processes)
    take(process.id);
  for (auto& filter : plan.filters) {
    if (filter.locations.empty())
      continue;
    auto ids = parse_ranges(filter.locations);
    std::for_each(ids.begin(), ids.end(), take);
    std::sort(ids.begin(), ids.end());
    filter.locations = to_ranges(ids);
  }
}

void take_original_ids(PlanSession& opened) {
  if (!opened.program())
    take_original_ids(opened.archive().definitions(), opened.plan());
}

LocationList find_kept(const Definitions& definitions, LocationList list) {
  const auto earlier = find_earlier_reductions(definitions);
  if (list.locations.empty() || earlier.empty())
    return list;

  std::map<std::uint64_t, std::uint64_t> kept;  // by original
  for (auto location : list_process_locations(definitions))
    kept.emplace(find_first_original(earlier, location), location);
  std::vector<std::uint64_t> originals, unknown;
  for (const auto& [original, location] : kept)
    originals.push_back(original);
  std::set_difference(list.locations.begin(), list.locations.end(), originals.begin(),
                      originals.end(), std::back_inserter(unknown));
  if (!unknown.empty())
    throw Error(ErrorKind::usage,
                fmt::format("location {} of the original has no row in this reduced trace",
                            to_ranges(unknown)))
        .hint("rows are of locations " + to_ranges(originals));

  for (auto& location : list.locations)
    location = kept.at(location);
  std::sort(list.locations.begin(), list.locations.end());
  return list;
}

std::vector<std::uint64_t> find_listed_in(PlanSession& opened, const LocationList& list) {
  if (list.locations.empty() || opened.program())
    return find_listed(list, opened.plan());
  return find_listed(find_kept(opened.archive().definitions(), list), opened.plan());
}

}  // namespace tracefold
