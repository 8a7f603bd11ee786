#include "pipeline/event_cut.hpp"

namespace tracefold {

bool EventCut::keep(Event& event) {
  if (partners_.everything()) return true;
  const bool stays = decide(event);
  cut_[static_cast<std::size_t>(event.kind)] += !stays;
  return stays;
}

bool EventCut::decide(Event& event) {
  using enum EventKind;
  auto& f = event.fields;
  switch (event.kind) {
    case MpiSend: case MpiRecv: return message(event);
    case MpiIsend: {
      const bool stays = message(event);
      open_[f[4]] = {stays, none};
      return stays;
    }
    case MpiIrecvRequest: return receive_begins(f[0]);
    case MpiIrecv: return receive_ends(event);
    case MpiIsendComplete: case MpiRequestCancelled: return request_ends(f[0]);
    case MpiRequestTest: {
      auto at = open_.find(f[0]);
      return at != open_.end() && at->second.stays;
    }
    case MpiCollectiveEnd: case NonBlockingCollectiveComplete: renumber_root(event, 2, f[1]); return true;
    case RmaCollectiveEnd: renumber_root(event, 3, partners_.comm_of_window(f[2])); return true;
    case RmaRequestLock: case RmaAcquireLock: case RmaTryLock: case RmaReleaseLock: case RmaSync:
      return renumber_peer(event, 1, partners_.comm_of_window(f[0]));
    case RmaPut: case RmaGet: return one_sided(event, 3);
    case RmaAtomic: return one_sided(event, 5);
    case RmaOpTest: return completes_one_sided(f[0], f[1], false);
    case RmaOpCompleteBlocking: case RmaOpCompleteNonBlocking: return completes_one_sided(f[0], f[1], false);
    case RmaOpCompleteRemote: return completes_one_sided(f[0], f[1], true);
    case ThreadTaskCreate: case ThreadTaskSwitch: case ThreadTaskComplete: return task(event);
    default: return true;
  }
}

bool EventCut::message(Event& event) {
  auto& f = event.fields;
  const auto& found = peer(f[1], f[0]);
  if (found.stays && fates_) f[0] = found.new_rank;
  return found.stays;
}

const EventCut::Peer& EventCut::peer(std::uint64_t comm, std::uint64_t rank) {
  auto& known = peers_[(rank ^ comm << 3) % peers_.size()];
  if (known.comm != comm || known.rank != rank)
    known = {comm, rank, partners_.message_stays(location_, comm, rank), partners_.new_rank(location_, comm, rank).value_or(rank)};
  return known;
}

bool EventCut::receive_begins(std::uint64_t request) {
  const auto number = receives_++;
  if (!fates_) found_.push_back(false);  // until its end is seen
  const bool stays = fates_ ? number < fates_->size() && (*fates_)[number] : true;
  open_[request] = {stays, number};
  return stays;
}

bool EventCut::receive_ends(Event& event) {
  const bool stays = message(event);
  if (auto at = open_.find(event.fields[4]); at != open_.end()) {
    if (!fates_ && at->second.receive != none) found_[at->second.receive] = stays;
    open_.erase(at);
  }
  return stays;
}

bool EventCut::request_ends(std::uint64_t request) {
  auto at = open_.find(request);
  if (at == open_.end()) return false;
  const bool stays = at->second.stays;
  open_.erase(at);
  return stays;
}

bool EventCut::renumber_peer(Event& event, std::size_t rank_field, std::uint64_t comm) {
  auto& rank = event.fields[rank_field];
  if (!partners_.is_kept(location_, comm, rank)) return false;
  if (fates_) rank = partners_.new_rank(location_, comm, rank).value_or(rank);
  return true;
}

void EventCut::renumber_root(Event& event, std::size_t root_field, std::uint64_t comm) {
  auto& root = event.fields[root_field];
  if (!fates_ || root >= otf2_value::root_this_group) return;
  root = partners_.is_kept(location_, comm, root) ? partners_.new_rank(location_, comm, root).value_or(otf2_value::root_none) : otf2_value::root_none;
}

bool EventCut::one_sided(Event& event, std::size_t match_field) {
  const auto window = event.fields[0], match = event.fields[match_field];
  const bool stays = renumber_peer(event, 1, partners_.comm_of_window(window));
  one_sided_[{window, match}] = stays;
  return stays;
}

// An operation completes locally and, later, remotely: its id is free again
// after the remote completion or when it is used anew.
bool EventCut::completes_one_sided(std::uint64_t window, std::uint64_t match, bool ends) {
  auto at = one_sided_.find({window, match});
  if (at == one_sided_.end()) return false;
  const bool stays = at->second;
  if (ends) one_sided_.erase(at);
  return stays;
}

bool EventCut::task(Event& event) {
  auto& f = event.fields;
  if (!partners_.is_kept(location_, f[0], f[1])) return false;
  if (fates_) f[1] = partners_.new_rank(location_, f[0], f[1]).value_or(f[1]);
  return true;
}

}  // namespace tracefold
