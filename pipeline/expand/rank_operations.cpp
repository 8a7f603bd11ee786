#include "pipeline/expand/rank_operations.hpp"

#include "otf2/otf2_values.hpp"

#include <algorithm>

namespace tracefold {

namespace {

OperationRole choose_role(EventKind kind) {
  switch (kind) {
    case EventKind::MpiSend: return OperationRole::send;
    case EventKind::MpiIsend: return OperationRole::open_send;
    case EventKind::MpiRecv: return OperationRole::receive;
    case EventKind::MpiIrecvRequest: return OperationRole::open_receive;
    case EventKind::MpiCollectiveEnd:
    case EventKind::RmaCollectiveEnd: return OperationRole::collective;
    case EventKind::NonBlockingCollectiveRequest: return OperationRole::open_collective;
    default:
      return list_record_parameters(kind).empty() ? OperationRole::none : OperationRole::record;
  }
}

// Whether a record of a window or file stands where its call begins, and not where it ends.
bool comes_first(EventKind kind) {
  using enum EventKind;
  return can_complete(kind) || kind == RmaRequestLock || kind == RmaOpTest ||
         kind == IoOperationTest;
}

bool goes_out_from_root(std::uint64_t operation) {
  return operation == otf2_value::collective_bcast || operation == otf2_value::collective_scatter ||
         operation == otf2_value::collective_scatterv;
}

bool comes_in_to_root(std::uint64_t operation) {
  return operation == otf2_value::collective_gather ||
         operation == otf2_value::collective_gatherv || operation == otf2_value::collective_reduce;
}

}  // namespace

OperationFinder::OperationFinder(const Messages& messages, const std::vector<bool>& is_there)
    : messages_(messages), is_there_(is_there), own_(messages) {
  const auto cut = [&](const std::vector<std::uint32_t>& ranks,
                       std::unordered_map<std::uint32_t, std::uint32_t>& places) {
    std::vector<std::uint32_t> there;
    for (auto rank : ranks)
      if (rank < is_there.size() && is_there[rank]) {
        places.try_emplace(rank, static_cast<std::uint32_t>(there.size()));
        there.push_back(rank);
      }
    return there;
  };

  std::uint64_t next = 0;
  for (const auto& communicator : messages.communicators) {
    auto& one = cut_.emplace_back();
    one.ranks = cut(communicator.ranks, places_.emplace_back());
    one.remote = cut(communicator.remote, remote_places_.emplace_back());
    one.stays = communicator.is_self ||
                (!one.ranks.empty() && (communicator.remote.empty() || !one.remote.empty()));
    if (one.stays)
      one.id = next++;
  }

  for (const auto& [definition, texts] : messages.definitions)
    if (definition.kind == DefinitionKind::RmaWin)
      windows_.emplace(definition.id(), get_field<"comm", DefinitionKind::RmaWin>(definition));
}

std::optional<std::uint32_t> OperationFinder::find_staying(std::uint64_t id) const {
  const auto& all = messages_.communicators;
  const auto at = std::lower_bound(all.begin(), all.end(), id,
                                   [](const auto& one, auto known) { return one.id < known; });
  const auto place = static_cast<std::uint32_t>(at - all.begin());
  if (at == all.end() || at->id != id || !cut_[place].stays)
    return std::nullopt;
  return place;
}

std::optional<std::uint32_t> OperationFinder::find_window_communicator(std::uint64_t window) const {
  const auto at = windows_.find(window);
  return at == windows_.end() ? std::nullopt : find_staying(at->second);
}

std::optional<std::uint64_t> OperationFinder::find_place(std::uint32_t communicator,
                                                         std::uint32_t rank,
                                                         std::uint64_t world) const {
  if (messages_.communicators[communicator].is_self)
    return world == rank ? std::optional<std::uint64_t>(0) : std::nullopt;

  const bool is_across =
      !messages_.communicators[communicator].remote.empty() && places_[communicator].contains(rank);
  const auto& places = is_across ? remote_places_[communicator] : places_[communicator];
  const auto at = places.find(static_cast<std::uint32_t>(world));
  return at == places.end() ? std::nullopt : std::optional<std::uint64_t>(at->second);
}

bool OperationFinder::set_communicator(RankOperation& out,
                                       std::optional<std::uint32_t> place) const {
  if (!place || !cut_[*place].stays)
    return false;
  out.communicator = *place;
  out.record_communicator = cut_[*place].id;
  return true;
}

void OperationFinder::fill_message(RankOperation& out, const ClusterOperation& shared,
                                   std::uint32_t rank) const {
  const auto find = [&](Parameter parameter) {
    return find_value(messages_, shared, parameter, rank);
  };
  out.peer = find(Parameter::peer);
  out.tag = find(Parameter::tag);
  out.bytes = find(Parameter::bytes);
  if (!is_rank(out.peer) || out.peer >= messages_.size || !is_there_[out.peer] ||
      !set_communicator(out, own_.find(rank, find(Parameter::communicator))))
    return;

  const auto place = find_place(out.communicator, rank, out.peer);
  if (!place)
    return;
  out.record_rank = *place;
  out.role = choose_role(shared.kind);
}

void OperationFinder::fill_collective(RankOperation& out, const ClusterOperation& shared,
                                      std::uint32_t rank) const {
  const auto find = [&](Parameter parameter) {
    return find_value(messages_, shared, parameter, rank);
  };
  const auto communicator = find(Parameter::communicator);
  if (!set_communicator(out, shared.kind == EventKind::RmaCollectiveEnd
                                 ? find_window_communicator(communicator)
                                 : own_.find(rank, communicator)))
    return;

  out.role = choose_role(shared.kind);
  out.operation = find(Parameter::operation);
  if (shared.kind == EventKind::RmaCollectiveEnd)
    out.operation = unpack_first(out.operation);
  out.bytes = find(Parameter::bytes);
  out.received = find(Parameter::received);

  const auto root = find(Parameter::root);
  out.record_rank = otf2_value::root_none;
  if (root == self_root) {
    out.record_rank = otf2_value::root_self;
  } else if (root == group_root) {
    out.record_rank = otf2_value::root_this_group;
  } else if (is_rank(root)) {
    const auto place = find_place(out.communicator, rank, root);
    if (!place)
      return;
    out.record_rank = *place;
    out.is_root = root == rank;
    out.waits_for_root = goes_out_from_root(out.operation);
    out.root_waits = comes_in_to_root(out.operation);
  }
}

RankOperation OperationFinder::find(std::uint32_t symbol, std::uint32_t rank) const {
  const auto& shared = messages_.operations[symbol];
  RankOperation out;
  out.kind = shared.kind;
  out.is_in_same_call = shared.is_in_same_call;
  out.opens = shared.kind == EventKind::MpiIsend || shared.kind == EventKind::MpiIrecvRequest ||
              shared.kind == EventKind::NonBlockingCollectiveRequest;
  if (is_message(shared.kind))
    fill_message(out, shared, rank);
  else if (choose_role(shared.kind) != OperationRole::record)
    fill_collective(out, shared, rank);
  else
    out.role = OperationRole::record;
  out.comes_last = out.role == OperationRole::record && !comes_first(shared.kind);
  return out;
}

}  // namespace tracefold
