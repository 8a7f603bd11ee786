#include "pipeline/messages/communicator_ranks.hpp"

#include "pipeline/messages/cart_topologies.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace tracefold {

namespace {

bool is_mpi(const Definition* group) {
  return group && get_field<"paradigm", DefinitionKind::Group>(*group) == otf2_value::paradigm_mpi;
}

std::vector<std::uint32_t> list_world_ranks(const Definitions& definitions,
                                            const Definition& group) {
  std::vector<std::uint32_t> ranks;
  for (auto location : definitions.members(group)) {
    const auto rank = definitions.mpi_rank(location);
    ranks.push_back(static_cast<std::uint32_t>(rank.value_or(unknown_value)));
  }
  return ranks;
}

}  // namespace

std::vector<Grid> list_topologies(const Definitions& definitions) {
  std::vector<Grid> grids;
  for (const auto& topology : list_cart_topologies(definitions)) {
    Grid grid;
    for (const auto& axis : topology.axes)
      grid.push_back(static_cast<std::uint32_t>(axis.size));
    if (std::find(grid.begin(), grid.end(), 0u) == grid.end() &&
        std::find(grids.begin(), grids.end(), grid) == grids.end())
      grids.push_back(std::move(grid));
  }
  return grids;
}

std::vector<std::uint64_t> list_endpoints(const Definitions& definitions) {
  const auto world = definitions.comm_locations().find(otf2_value::paradigm_mpi);
  return world == definitions.comm_locations().end() ? std::vector<std::uint64_t>()
                                                     : world->second.list;
}

std::vector<Node> list_nodes(const Definitions& definitions) {
  using enum DefinitionKind;
  std::vector<Node> nodes;
  std::unordered_map<std::uint64_t, std::size_t> places;  // by system-tree node

  std::uint32_t rank = 0;
  for (auto location : list_endpoints(definitions)) {
    const auto* defined = definitions.find(Ref::location, location);
    const auto* group = defined ? definitions.find(Ref::location_group,
                                                   get_field<"locationGroup", Location>(*defined))
                                : nullptr;
    const auto* node = group
                           ? definitions.find(Ref::system_tree_node,
                                              get_field<"systemTreeParent", LocationGroup>(*group))
                           : nullptr;
    if (node) {
      const auto [at, is_new] = places.try_emplace(node->id(), nodes.size());
      if (is_new)
        nodes.push_back({definitions.text(get_field<"name", SystemTreeNode>(*node)), {}});
      nodes[at->second].ranks.push_back(rank);
    }
    ++rank;
  }
  return nodes;
}

CommunicatorRanks::CommunicatorRanks(const Definitions& definitions) {
  const auto world = definitions.comm_locations().find(otf2_value::paradigm_mpi);
  if (world != definitions.comm_locations().end())
    size_ = static_cast<std::uint32_t>(world->second.list.size());

  for (const auto& d : definitions.all()) {
    Communicator communicator{d.id(), false, {}, {}};
    if (d.kind == DefinitionKind::Comm) {
      const auto* group = definitions.find(Ref::group, get_field<"group", DefinitionKind::Comm>(d));
      if (!is_mpi(group))
        continue;

      communicator.name = definitions.text(get_field<"name", DefinitionKind::Comm>(d));
      const auto type = get_field<"groupType", DefinitionKind::Group>(*group);
      communicator.is_self = type == otf2_value::group_comm_self;
      if (!communicator.is_self)
        communicator.ranks = list_world_ranks(definitions, *group);
      if (Definitions::has_global_members(*group))
        by_world_rank_[d.id()] = {true, false};
    } else if (d.kind == DefinitionKind::InterComm) {
      const auto* a =
          definitions.find(Ref::group, get_field<"groupA", DefinitionKind::InterComm>(d));
      const auto* b =
          definitions.find(Ref::group, get_field<"groupB", DefinitionKind::InterComm>(d));
      if (!is_mpi(a) || !is_mpi(b))
        continue;

      communicator.name = definitions.text(get_field<"name", DefinitionKind::InterComm>(d));
      communicator.ranks = list_world_ranks(definitions, *a);
      communicator.remote = list_world_ranks(definitions, *b);
      const bool is_a_global = Definitions::has_global_members(*a);
      const bool is_b_global = Definitions::has_global_members(*b);
      if (is_a_global || is_b_global)
        by_world_rank_[d.id()] = {is_a_global, is_b_global};
    } else {
      continue;
    }
    communicators_.push_back(std::move(communicator));
  }
  std::sort(communicators_.begin(), communicators_.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });

  world_.resize(size_);
  std::iota(world_.begin(), world_.end(), 0u);
  by_rank_.resize(size_);
  for (std::uint32_t c = 0; c < communicators_.size(); ++c) {
    const auto& communicator = communicators_[c];
    if (communicator.is_self)
      selves_.push_back(c);
    for (const auto* side : {&communicator.ranks, &communicator.remote})
      for (auto rank : *side)
        if (rank < size_ && (by_rank_[rank].empty() || by_rank_[rank].back() != c))
          by_rank_[rank].push_back(c);
  }
}

bool CommunicatorRanks::has(std::uint64_t id) const {
  const auto at = std::lower_bound(
      communicators_.begin(), communicators_.end(), id,
      [](const auto& communicator, auto wanted) { return communicator.id < wanted; });
  return at != communicators_.end() && at->id == id;
}

std::vector<CommunicatorRanks::Seen> CommunicatorRanks::list_communicators(
    std::uint32_t rank) const {
  auto indexes = selves_;
  if (rank < size_) {
    indexes.insert(indexes.end(), by_rank_[rank].begin(), by_rank_[rank].end());
    std::sort(indexes.begin(), indexes.end());
  }

  std::vector<Seen> seen;
  for (auto c : indexes) {
    const auto& [id, is_self, ranks, remote, name] = communicators_[c];
    const bool is_remote =
        !remote.empty() && std::find(ranks.begin(), ranks.end(), rank) != ranks.end();
    const auto number = static_cast<std::uint32_t>(seen.size());
    const auto global = by_world_rank_.find(id);
    const bool is_global = global != by_world_rank_.end() && global->second[is_remote ? 1 : 0];
    seen.push_back({id, number,
                    is_self     ? nullptr
                    : is_global ? &world_
                    : is_remote ? &remote
                                : &ranks});
  }
  return seen;
}

}  // namespace tracefold
