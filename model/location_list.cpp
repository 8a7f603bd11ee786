#include "model/location_list.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "base/sort_and_unite.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace tracefold {

namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr const char* list_example = "as in 0-6:2,9 or rank:0-7 or group:3";

// What the word before a part says of its numbers.
Numbers& find_numbers(LocationList& list, std::string_view word, std::string_view part) {
  if (word == "location")
    return list.locations;
  if (word == "rank")
    return list.ranks;
  if (word == "group")
    return list.groups;
  throw Error(ErrorKind::usage,
              fmt::format("'{}' in '{}' is neither rank, group nor location", word, part))
      .hint(list_example);
}

Numbers parse_part(std::string_view numbers, std::string_view part) {
  if (numbers.empty() && !part.empty())
    throw Error(ErrorKind::usage, fmt::format("'{}' has no numbers", part)).hint(list_example);
  if (numbers.empty())
    throw Error(ErrorKind::usage, "a part of the list of locations is empty").hint(list_example);
  return parse_ranges(numbers);
}

void take(const Numbers& more, Numbers& numbers) {
  numbers.insert(numbers.end(), more.begin(), more.end());
}

// The ids of the locations that have one of these numbers, which number_of(location) tells.
template <class NumberOf>
Numbers find_with(const Numbers& numbers, const std::vector<ListedLocation>& all, const char* what,
                  const NumberOf& number_of) {
  Numbers ids, known;
  for (const auto& location : all)
    if (const auto number = number_of(location)) {
      known.push_back(*number);
      if (std::binary_search(numbers.begin(), numbers.end(), *number))
        ids.push_back(location.id);
    }
  sort_and_unite(known);

  Numbers unknown;
  std::set_difference(numbers.begin(), numbers.end(), known.begin(), known.end(),
                      std::back_inserter(unknown));
  if (!unknown.empty())
    throw Error(ErrorKind::usage, fmt::format("there is no {} {}", what, to_ranges(unknown)))
        .hint(known.empty() ? fmt::format("nothing here has a {}: give ids of locations", what)
                            : fmt::format("{}s are {}", what, to_ranges(known)));
  return ids;
}

// Those of accelerators are those of the processes that created them.
std::vector<ListedLocation> list_locations(const std::vector<Process>& processes) {
  std::map<std::uint64_t, std::uint64_t> rank_of;  // by location group
  for (const auto& process : processes)
    if (process.rank)
      rank_of.emplace(process.location_group, *process.rank);

  std::vector<ListedLocation> all;
  for (const auto& process : processes) {
    all.push_back({process.id, process.rank});
    if (process.rank || !process.creator)
      continue;
    if (const auto at = rank_of.find(*process.creator); at != rank_of.end())
      all.back().rank = at->second;
  }

  return all;
}

}  // namespace

LocationList parse_location_list(std::string_view text) {
  LocationList list;
  auto* numbers = &list.locations;

  for (std::size_t begin = 0, comma = 0; !text.empty() && comma != std::string_view::npos;
       begin = comma + 1) {
    comma = text.find(',', begin);
    auto part = text.substr(begin, comma == std::string_view::npos ? comma : comma - begin);
    const auto whole = part;
    const bool has_word = !part.empty() && (part.front() < '0' || part.front() > '9');
    if (const auto colon = part.find(':'); has_word && colon != std::string_view::npos) {
      numbers = &find_numbers(list, part.substr(0, colon), whole);
      part.remove_prefix(colon + 1);
    }
    take(parse_part(part, whole), *numbers);
  }

  for (auto* each : {&list.locations, &list.ranks, &list.groups})
    sort_and_unite(*each);

  return list;
}

std::vector<std::uint64_t> find_listed(const LocationList& list,
                                       const std::vector<ListedLocation>& all, KnownGroups groups) {
  if (!list.groups.empty() && groups == KnownGroups::no)
    throw Error(ErrorKind::usage, fmt::format("group:{} is asked for, and there are no groups yet",
                                              to_ranges(list.groups)))
        .hint("'tracefold group' makes them; before it, give ids of locations or rank:0-7");

  auto ids = list.locations;
  take(find_with(list.ranks, all, "rank", [](const auto& one) { return one.rank; }), ids);
  take(find_with(list.groups, all, "group", [](const auto& one) { return one.group; }), ids);
  sort_and_unite(ids);

  return ids;
}

std::vector<std::uint64_t> find_listed(const LocationList& list,
                                       const std::vector<Process>& processes) {
  return find_listed(list, list_locations(processes), KnownGroups::no);
}

std::vector<std::uint64_t> find_listed(const LocationList& list, const Plan& plan) {
  auto all = list_locations(plan.processes);
  if (plan.groups)
    for (std::size_t g = 0; g < plan.groups->size(); ++g)
      for (auto member : (*plan.groups)[g].members)
        all[member].group = g;

  return find_listed(list, all, plan.groups ? KnownGroups::yes : KnownGroups::no);
}

}  // namespace tracefold
