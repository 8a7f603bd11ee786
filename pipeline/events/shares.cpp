#include "pipeline/events/shares.hpp"

#include "base/team.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

// A location costs as much as some events, before its first one is read.
constexpr std::uint64_t events_of_a_file = 1000;

}  // namespace

Shares::Shares(const Definitions& definitions, const Team* team)
    : Shares(definitions, team ? definitions.locations() : std::vector<std::uint64_t>(), team) {}

Shares::Shares(const Definitions& definitions, std::vector<std::uint64_t> locations,
               const Team* team) {
  if (!team)
    return;

  rank_ = team->rank();
  std::vector<std::pair<std::uint64_t, std::uint64_t>> costs;  // by location, ascending
  for (auto id : locations)
    costs.emplace_back(id, events_of_a_file + get_field<"numberOfEvents", DefinitionKind::Location>(
                                                  *definitions.find(Ref::location, id)));
  std::sort(costs.begin(), costs.end());
  long double all = 0;
  for (const auto& [id, cost] : costs)
    all += static_cast<long double>(cost);

  // A location belongs to the member in whose part of the sum its middle is.
  long double before = 0;
  std::size_t owner = 0;
  for (const auto& [id, cost] : costs) {
    const auto middle = before + static_cast<long double>(cost) / 2;
    before += static_cast<long double>(cost);
    const auto wanted =
        std::min(static_cast<std::size_t>(middle / all * static_cast<long double>(team->size())),
                 team->size() - 1);
    for (; owner < wanted; ++owner)
      firsts_.push_back(id);
  }
  while (firsts_.size() + 1 < team->size())
    firsts_.push_back(~std::uint64_t{0});
}

std::size_t Shares::find_owner(std::uint64_t location) const {
  return static_cast<std::size_t>(std::upper_bound(firsts_.begin(), firsts_.end(), location) -
                                  firsts_.begin());
}

std::vector<std::size_t> Shares::list_own(const std::vector<std::uint64_t>& locations) const {
  std::vector<std::size_t> own;
  for (std::size_t i = 0; i < locations.size(); ++i)
    if (is_own(locations[i]))
      own.push_back(i);
  return own;
}

}  // namespace tracefold
