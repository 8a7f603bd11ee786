#include "filters/comparison/find_side.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "model/describe_group.hpp"
#include "model/location_list.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

// "inside of the grid", "rank 3", "location 0-7"; of several kinds all, with commas.
std::string name_side_of(const Plan& plan, const LocationList& list) {
  std::vector<std::string> names;
  for (auto group : list.groups)
    names.push_back(describe_group(plan, static_cast<std::size_t>(group)));
  if (!list.ranks.empty())
    names.push_back("rank " + to_ranges(list.ranks));
  if (!list.locations.empty())
    names.push_back("location " + to_ranges(list.locations));

  return fmt::format("{}", fmt::join(names, ", "));
}

std::size_t find_group(const Plan& plan, std::size_t process) {
  const auto has_process = [&](const Group& group) {
    return std::binary_search(group.members.begin(), group.members.end(), process);
  };
  const auto found = std::find_if(plan.groups->begin(), plan.groups->end(), has_process);
  return static_cast<std::size_t>(found - plan.groups->begin());
}

}  // namespace

ListedSide find_side(const Plan& plan, const std::string& text) {
  const auto list = parse_location_list(text);
  const auto ids = find_listed(list, plan);

  ListedSide out;
  for (std::size_t p = 0; p < plan.processes.size(); ++p)
    if (std::binary_search(ids.begin(), ids.end(), plan.processes[p].id))
      out.members.push_back(p);
  if (out.members.empty())
    throw Error(ErrorKind::usage, fmt::format("no process is in '{}'", text));

  out.group.name = name_side_of(plan, list);
  out.group.number = find_group(plan, out.members.front());
  out.group.processes = count_processes(plan, out.members);
  return out;
}

}  // namespace tracefold
