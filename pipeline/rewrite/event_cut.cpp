#include "pipeline/rewrite/event_cut.hpp"

namespace tracefold {

using enum EventKind;

const Peers::Peer& Peers::find(std::uint64_t comm, std::uint64_t rank) {
  auto& known = known_[(rank ^ comm << 3) % known_.size()];
  if (known.comm != comm || known.rank != rank)
    known = {comm, rank, partners_.message_stays(location_, comm, rank),
             partners_.new_rank(location_, comm, rank).value_or(rank)};
  return known;
}

namespace {

// Whether the process is kept that a record names, other than a message's.
bool peer_is_kept(const Partners& partners, std::uint64_t location, const Event& event) {
  const auto& f = event.fields;

  switch (event.kind) {
    case RmaRequestLock:
    case RmaAcquireLock:
    case RmaTryLock:
    case RmaReleaseLock:
    case RmaSync:
    case RmaPut:
    case RmaGet:
    case RmaAtomic: return partners.is_kept(location, partners.comm_of_window(f[0]), f[1]);
    case ThreadTaskCreate:
    case ThreadTaskSwitch:
    case ThreadTaskComplete: return partners.is_kept(location, f[0], f[1]);
    default: return true;
  }
}

// What neither begins nor ends its operation, which is whole without it.
bool is_test(EventKind kind) {
  return kind == MpiRequestTest || kind == RmaOpTest || kind == IoOperationTest ||
         kind == IoOperationIssued;
}

}  // namespace

bool EventScan::partner_stays(const Event& event) {
  const auto& f = event.fields;
  switch (event.kind) {
    case MpiSend:
    case MpiRecv:
    case MpiIsend:
    case MpiIrecv: return peers_.find(f[1], f[0]).stays;
    default: return peer_is_kept(partners_, location_, event);
  }
}

bool EventScan::scan(const Event& event, bool inside) {
  const auto operation = operations_.of(event);
  const bool stays = inside && partner_stays(event);
  if (operation == Operations::alone)
    return stays;
  if (operation == Operations::orphan)
    return false;

  if (operation == found_.stays.size()) {
    found_.stays.push_back(true);
    unnamed_.push_back(event.kind == MpiIrecvRequest);
    if (matches_)
      found_.channel.push_back(LocationOperations::unmatched);
  } else if (event.kind == MpiIrecv) {
    unnamed_[operation] = false;
  }

  if (!stays && !is_test(event.kind))
    found_.stays[operation] = false;
  if (matches_)
    name(operation, event);

  return stays;
}

// Of the record that names partner or communicator.
void EventScan::name(std::uint64_t operation, const Event& event) {
  const auto& f = event.fields;
  Channel channel;

  switch (event.kind) {
    case MpiSend:
    case MpiIsend:
    case MpiRecv:
    case MpiIrecv: {
      const auto partner = definitions_.partner(location_, f[1], f[0]);
      if (!partner)
        return;
      channel = {
          Channel::Kind::message, f[1], definitions_.endpoint(location_), *partner, f[2], false};
      channel.receives = event.kind == MpiRecv || event.kind == MpiIrecv;
      if (channel.receives)
        std::swap(channel.sender, channel.receiver);
      break;
    }
    case MpiCollectiveEnd:
    case NonBlockingCollectiveComplete: channel = {Channel::Kind::collective, f[1]}; break;
    case RmaCollectiveEnd: channel = {Channel::Kind::one_sided_collective, f[2]}; break;
    default: return;
  }

  if (channel.kind != Channel::Kind::message &&
      partners_.is_of_one(channel.kind == Channel::Kind::collective
                              ? channel.scope
                              : partners_.comm_of_window(channel.scope)))
    channel.sender = channel.receiver = location_;

  found_.channel[operation] = channels_.of(channel, found_.channels);
}

LocationOperations EventScan::take() {
  for (std::size_t k = 0; k < unnamed_.size(); ++k)
    if (unnamed_[k])
      found_.stays[k] = false;
  found_.process = definitions_.endpoint(location_);
  return std::move(found_);
}

bool EventCut::keep(Event& event, bool inside) {
  if (everything_)
    return true;
  if (!decide(event, inside)) {
    ++cut_[static_cast<std::size_t>(event.kind)];
    return false;
  }

  renumber(event);

  return true;
}

bool EventCut::decide(const Event& event, bool inside) {
  const auto operation = operations_.of(event);
  if (operation == Operations::orphan)
    return false;
  if (operation != Operations::alone)
    return inside && operation < stays_.size() && stays_[operation];

  return inside && peer_is_kept(partners_, location_, event);
}

void EventCut::renumber(Event& event) {
  auto& f = event.fields;

  switch (event.kind) {
    case MpiSend:
    case MpiRecv:
    case MpiIsend:
    case MpiIrecv: f[0] = peers_.find(f[1], f[0]).new_rank; break;
    case MpiCollectiveEnd:
    case NonBlockingCollectiveComplete: renumber_root(f[2], f[1]); break;
    case RmaCollectiveEnd: renumber_root(f[3], partners_.comm_of_window(f[2])); break;
    case RmaRequestLock:
    case RmaAcquireLock:
    case RmaTryLock:
    case RmaReleaseLock:
    case RmaSync:
    case RmaPut:
    case RmaGet:
    case RmaAtomic: renumber_rank(f[1], partners_.comm_of_window(f[0])); break;
    case ThreadTaskCreate:
    case ThreadTaskSwitch:
    case ThreadTaskComplete: renumber_rank(f[1], f[0]); break;
    default: break;
  }
}

void EventCut::renumber_rank(std::uint64_t& rank, std::uint64_t comm) {
  rank = partners_.new_rank(location_, comm, rank).value_or(rank);
}

void EventCut::renumber_root(std::uint64_t& root, std::uint64_t comm) {
  if (root >= otf2_value::root_this_group)
    return;
  root = partners_.is_kept(location_, comm, root)
             ? partners_.new_rank(location_, comm, root).value_or(otf2_value::root_none)
             : otf2_value::root_none;
}

}  // namespace tracefold
