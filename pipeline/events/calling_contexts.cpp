#include "pipeline/events/calling_contexts.hpp"

#include <algorithm>

namespace tracefold {

CallingContexts::CallingContexts(const Definitions& definitions) {
  using K = DefinitionKind;
  std::vector<std::uint64_t> callers;  // ids, by node

  for (const auto& d : definitions.all()) {
    if (d.kind != K::CallingContext)
      continue;
    callers.push_back(get_field<"parent", K::CallingContext>(d));
    nodes_.push_back({d.id(), get_field<"region", K::CallingContext>(d), none, 0});
  }

  const auto first_sparse = 4 * nodes_.size() + 1024;
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    const auto id = nodes_[node].id;
    if (id >= first_sparse) {
      sparse_.emplace(id, node);
      continue;
    }

    if (dense_.size() <= id)
      dense_.resize(id + 1, none);
    if (dense_[id] == none)
      dense_[id] = node;
  }

  for (std::uint32_t node = 0; node < nodes_.size(); ++node)
    nodes_[node].caller = find(callers[node]);
  for (std::uint32_t node = 0; node < nodes_.size(); ++node)
    set_depth(node);
}

// Walks up to a node whose depth is known, and down again.
void CallingContexts::set_depth(std::uint32_t node) {
  constexpr std::uint32_t is_open = none;
  std::vector<std::uint32_t> way;

  for (auto at = node; at != none && nodes_[at].depth == 0; at = nodes_[at].caller) {
    nodes_[at].depth = is_open;
    way.push_back(at);
  }

  for (auto k = way.size(); k-- > 0;) {
    auto& one = nodes_[way[k]];
    if (one.caller != none && nodes_[one.caller].depth == is_open)
      one.caller = none;  // a ring
    one.depth = one.caller == none ? 1 : nodes_[one.caller].depth + 1;
  }
}

std::uint32_t CallingContexts::find(std::uint64_t context) const {
  if (context < dense_.size())
    return dense_[context];
  const auto at = sparse_.find(context);
  return at == sparse_.end() ? none : at->second;
}

std::size_t CallingContexts::find_depth(std::uint64_t context) const {
  const auto node = find(context);
  return node == none ? 0 : nodes_[node].depth;
}

std::uint64_t CallingContexts::find_region(std::uint64_t context) const {
  const auto node = find(context);
  return node == none ? undefined_id(Ref::region) : nodes_[node].region;
}

std::uint64_t CallingContexts::find_caller(std::uint64_t context, std::size_t depth) const {
  auto node = find(context);
  while (node != none && nodes_[node].depth > depth)
    node = nodes_[node].caller;
  return node == none ? undefined_id(Ref::calling_context) : nodes_[node].id;
}

void CallingContexts::find_path(std::uint64_t context, std::vector<std::uint64_t>& out) const {
  const auto node = find(context);
  out.resize(node == none ? 0 : nodes_[node].depth);

  auto place = out.size();
  for (auto at = node; place > 0; at = nodes_[at].caller)
    out[--place] = nodes_[at].region;
}

}  // namespace tracefold
