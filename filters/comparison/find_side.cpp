#include "filters/comparison/find_side.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "model/describe_group.hpp"
#include "model/location_list.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

// Those with one of these ids, which ascend.
std::vector<std::size_t> find_with_ids(const Plan& plan, const std::vector<std::uint64_t>& ids) {
  std::vector<std::size_t> found;
  for (std::size_t p = 0; p < plan.processes.size(); ++p)
    if (std::binary_search(ids.begin(), ids.end(), plan.processes[p].id))
      found.push_back(p);
  return found;
}

// "inside of the grid", "rank 3", "ranks 0-7", "rank 3 thread 1", "location 9"; of several kinds
// all, with commas.
std::string name_side_of(const Plan& plan, const LocationList& list) {
  std::vector<std::string> names;
  for (auto group : list.groups)
    names.push_back(label_group(plan, static_cast<std::size_t>(group)));
  if (!list.ranks.empty())
    names.push_back((list.ranks.size() > 1 ? "ranks " : "rank ") + to_ranges(list.ranks));
  if (!list.locations.empty())
    for (auto& name : name_places(plan, find_with_ids(plan, list.locations)))
      names.push_back(std::move(name));

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
  out.members = find_with_ids(plan, ids);
  if (out.members.empty())
    throw Error(ErrorKind::usage, fmt::format("no process is in '{}'", text));

  out.group.name = name_side_of(plan, list);
  out.group.number = find_group(plan, out.members.front());
  out.group.processes = count_processes(plan, out.members);
  return out;
}

}  // namespace tracefold
