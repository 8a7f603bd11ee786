#include "pipeline/rewrite/kept_locations.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "pipeline/events/earlier_reduction.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace tracefold {

namespace {

// Processes in MPI come first, by rank, then other processes, then accelerators.
std::tuple<int, std::uint64_t> group_order(const Definitions& definitions, std::uint64_t group,
                                           const std::map<std::uint64_t, std::uint64_t>& ranks) {
  if (auto at = ranks.find(group); at != ranks.end())
    return {0, at->second};
  const auto* d = definitions.find(Ref::location_group, group);
  return {d && d->fields[2] == otf2_value::location_group_accelerator ? 2 : 1, group};
}

// Adds the creators of kept groups; a creator stands before what it created, and
// no rank of its own is kept, so no process id shifts but those behind it.
std::vector<std::uint64_t> with_creators(const Definitions& definitions,
                                         const std::vector<std::uint64_t>& groups) {
  std::set<std::uint64_t> wanted(groups.begin(), groups.end());
  std::vector<std::uint64_t> order;

  const auto creator_of = [&](std::uint64_t group) -> std::optional<std::uint64_t> {
    const auto* d = definitions.find(Ref::location_group, group);
    if (!d || d->fields[4] == group || !definitions.find(Ref::location_group, d->fields[4]))
      return std::nullopt;
    return d->fields[4];
  };

  for (auto group : groups) {
    std::vector<std::uint64_t> chain{group};
    for (auto creator = creator_of(group); creator && wanted.insert(*creator).second;
         creator = creator_of(*creator))
      chain.push_back(*creator);
    order.insert(order.end(), chain.rbegin(), chain.rend());
  }

  return order;
}

}  // namespace

KeptLocations::KeptLocations(const Definitions& definitions, const Plan& plan, bool keep_ids) {
  const auto earlier = earlier_reductions(definitions);

  const auto add = [&](std::size_t process, std::uint32_t group,
                       const std::vector<std::size_t>& members) {
    KeptLocation k;
    k.process = process;
    k.id = k.source = plan.processes[process].id;
    k.group = group;
    k.count = 0;
    std::vector<std::uint64_t> ids;

    for (auto m : members) {
      const auto& p = plan.processes[m];
      k.count += p.weight;
      stand_in_[p.id] = k.id;
      if (auto at = earlier.find(p.id); at != earlier.end()) {
        ids.insert(ids.end(), at->second.members.begin(), at->second.members.end());
      } else {
        ids.push_back(p.id);
      }
    }

    if (auto at = earlier.find(k.id); at != earlier.end())
      k.source = at->second.source;

    std::sort(ids.begin(), ids.end());
    k.members = to_ranges(ids);
    all_.push_back(std::move(k));
  };

  if (plan.representatives) {
    for (const auto& r : *plan.representatives)
      add(r.process, r.group, r.members);
  } else {
    std::vector<std::uint32_t> group(plan.processes.size());
    if (plan.groups)
      for (std::size_t g = 0; g < plan.groups->size(); ++g)
        for (auto m : (*plan.groups)[g].members)
          group[m] = static_cast<std::uint32_t>(g);

    for (std::size_t i = 0; i < plan.processes.size(); ++i)
      add(i, plan.groups ? group[i] : static_cast<std::uint32_t>(i), {i});
  }

  if (all_.empty())
    throw Error(ErrorKind::usage, "no process is left to write").hint("check --locations");

  std::map<std::uint64_t, std::uint64_t> ranks;  // location group to its lowest kept rank
  std::set<std::uint64_t> groups;
  const auto group_of = [&](std::uint64_t id) {
    return definitions.find(Ref::location, id)->fields[4];
  };

  for (const auto& k : all_) {
    groups.insert(group_of(k.id));
    if (auto rank = definitions.mpi_rank(k.id)) {
      auto [at, fresh] = ranks.emplace(group_of(k.id), *rank);
      if (!fresh)
        at->second = std::min(at->second, *rank);
    }
  }

  std::vector<std::uint64_t> order(groups.begin(), groups.end());
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    return group_order(definitions, a, ranks) < group_order(definitions, b, ranks);
  });
  std::map<std::uint64_t, std::size_t> place;
  for (std::size_t i = 0; i < order.size(); ++i)
    place[order[i]] = i;

  std::sort(all_.begin(), all_.end(), [&](const auto& a, const auto& b) {
    return std::tuple(place.at(group_of(a.id)), a.id) < std::tuple(place.at(group_of(b.id)), b.id);
  });
  groups_ = with_creators(definitions, order);
  for (std::size_t i = 0; i < all_.size(); ++i) {
    all_[i].new_id = keep_ids ? all_[i].id : i;
    new_id_[all_[i].id] = all_[i].new_id;
  }

  everything_ = all_.size() == definitions.locations().size();
}

std::optional<std::uint64_t> KeptLocations::stand_in(std::uint64_t id) const {
  if (has(id))
    return id;
  auto at = stand_in_.find(id);
  return at == stand_in_.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace tracefold
