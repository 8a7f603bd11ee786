#include "pipeline/rewrite/event_cut.hpp"

#include <optional>
#include <utility>

namespace tracefold {

const PeerCache::Peer& PeerCache::find(std::uint64_t comm, std::uint64_t rank) {
  auto& known = known_[(rank ^ comm << 3) % known_.size()];
  if (known.comm != comm || known.rank != rank)
    known = {comm, rank,
             keeps_all_ ? partners_.has_rank(location_, comm, rank)
                        : partners_.message_stays(location_, comm, rank),
             partners_.new_rank(location_, comm, rank).value_or(rank)};
  return known;
}

namespace {

// A rank in a record, and the communicator that it counts in.
template <class Rank>
struct RankField {
  Rank* rank = nullptr;
  std::uint64_t comm = 0;

  explicit operator bool() const { return rank != nullptr; }
};

// The other process of a message; none in other records.
template <class AnyEvent>
auto find_message_rank(AnyEvent& event) {
  using enum EventKind;
  using Field = RankField<std::remove_reference_t<decltype((event.fields[0]))>>;

  switch (event.kind) {
    case MpiSend:
    case MpiIsend:
      return Field{&get_field<"receiver", MpiSend, MpiIsend>(event),
                   get_field<"communicator", MpiSend, MpiIsend>(event)};
    case MpiRecv:
    case MpiIrecv:
      return Field{&get_field<"sender", MpiRecv, MpiIrecv>(event),
                   get_field<"communicator", MpiRecv, MpiIrecv>(event)};
    default: return Field{};
  }
}

// The other process of a one-sided operation or the creator of a task; none in other records.
template <class AnyEvent>
auto find_remote_rank(const Partners& partners, AnyEvent& event) {
  using enum EventKind;
  using Field = RankField<std::remove_reference_t<decltype((event.fields[0]))>>;

  switch (event.kind) {
    case RmaRequestLock:
    case RmaAcquireLock:
    case RmaTryLock:
    case RmaReleaseLock:
    case RmaSync:
    case RmaPut:
    case RmaGet:
    case RmaAtomic: {
      const auto window = get_field<"win", RmaRequestLock, RmaAcquireLock, RmaTryLock,
                                    RmaReleaseLock, RmaSync, RmaPut, RmaGet, RmaAtomic>(event);
      return Field{&get_field<"remote", RmaRequestLock, RmaAcquireLock, RmaTryLock, RmaReleaseLock,
                              RmaSync, RmaPut, RmaGet, RmaAtomic>(event),
                   partners.find_window_comm(window)};
    }
    case ThreadTaskCreate:
    case ThreadTaskSwitch:
    case ThreadTaskComplete:
      return Field{
          &get_field<"creatingThread", ThreadTaskCreate, ThreadTaskSwitch, ThreadTaskComplete>(
              event),
          get_field<"threadTeam", ThreadTaskCreate, ThreadTaskSwitch, ThreadTaskComplete>(event)};
    default: return Field{};
  }
}

bool is_of_members(const Partners& partners, const Event& event) {
  return event.kind == EventKind::Metric &&
         partners.is_of_members(get_field<"metric", EventKind::Metric>(event));
}

// True where all that an event names, but for the other process of a message, is kept.
bool remote_is_kept(const Partners& partners, std::uint64_t location, const Event& event) {
  using enum EventKind;

  if (event.kind == Metric)
    return partners.metric_stays(get_field<"metric", Metric>(event));

  const auto remote = find_remote_rank(partners, event);
  return !remote || partners.is_kept(location, remote.comm, *remote.rank);
}

// The communicator of a collective operation, which its last record names; none in other records.
std::optional<std::uint64_t> find_collective_comm(const Partners& partners, const Event& event) {
  using enum EventKind;

  switch (event.kind) {
    case MpiCollectiveEnd:
    case NonBlockingCollectiveComplete:
      return get_field<"communicator", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event);
    case RmaCollectiveEnd:
      return partners.find_window_comm(get_field<"win", RmaCollectiveEnd>(event));
    default: return std::nullopt;
  }
}

// Whether a record of the halo that names no partner may stay.
bool stays_in_halo(const Partners& partners, const Event& event) {
  if (const auto comm = find_collective_comm(partners, event))
    return partners.shares_with_kept(*comm);

  const auto family = get_operation_record(event.kind).family;
  return family == OperationFamily::request || family == OperationFamily::collective ||
         family == OperationFamily::rma_collective;
}

// Whether the operation that a record begins is told only by a later one to stay.
bool awaits_partner(EventKind kind, bool is_halo) {
  using enum EventKind;

  return kind == MpiIrecvRequest ||
         (is_halo && (kind == NonBlockingCollectiveRequest || kind == MpiCollectiveBegin ||
                      kind == RmaCollectiveBegin));
}

}  // namespace

bool EventScan::partner_stays(const Event& event) {
  if (const auto peer = find_message_rank(event))
    return peers_.find(peer.comm, *peer.rank).stays;
  return is_halo_ ? stays_in_halo(partners_, event) : remote_is_kept(partners_, location_, event);
}

bool EventScan::scan(const Event& event, bool is_inside) {
  using enum EventKind;

  const auto found = operations_.follow(event);
  const auto operation = found.operation;
  const bool stays = is_inside && partner_stays(event);
  if (found.step == Step::alone)
    return stays;
  if (found.step == Step::unknown)
    return keeps_all_;

  if (found.is_first()) {
    found_.stays.push_back(true);
    lacks_partner_.push_back(awaits_partner(event.kind, is_halo_));
    if (finds_channels_)
      found_.channel.push_back(LocationOperations::unmatched);
  } else if (event.kind == MpiIrecv || find_collective_comm(partners_, event)) {
    lacks_partner_[operation] = false;
  }

  if (!stays && found.step != Step::tests)
    found_.stays[operation] = false;
  if (finds_channels_)
    if (const auto channel = channels_.find(event))
      found_.channel[operation] = *channel;

  return stays;
}

LocationOperations EventScan::take() {
  for (std::size_t operation = 0; operation < lacks_partner_.size(); ++operation)
    if (lacks_partner_[operation])
      found_.stays[operation] = false;

  found_.process = definitions_.endpoint(location_);
  found_.channels = channels_.ends();

  return std::move(found_);
}

bool EventCut::keep(Event& event, bool is_inside) {
  if (keeps_all_) {
    check_ranks(event);
    return true;
  }
  if (!stays(event, is_inside)) {
    if (!is_of_members(partners_, event))
      ++cut_[static_cast<std::size_t>(event.kind)];
    return false;
  }

  renumber(event);

  return true;
}

// A root that does not exist becomes OTF2's "no root"; other records with such a rank have to go.
void EventCut::check_ranks(Event& event) {
  if (const auto peer = find_message_rank(event)) {
    if (!peers_.find(peer.comm, *peer.rank).stays)
      throw UnknownRank{};
  } else if (!remote_is_kept(partners_, location_, event)) {
    throw UnknownRank{};
  } else {
    renumber_collective(event);
  }
}

bool EventCut::stays(const Event& event, bool is_inside) {
  const auto found = operations_.follow(event);
  if (found.step == Step::unknown)
    return false;
  if (found.step != Step::alone)
    return is_inside && found.operation < stays_.size() && stays_[found.operation];

  return is_inside && !is_halo_ && remote_is_kept(partners_, location_, event);
}

void EventCut::renumber(Event& event) {
  if (const auto peer = find_message_rank(event)) {
    *peer.rank = peers_.find(peer.comm, *peer.rank).new_rank;
    return;
  }

  if (const auto remote = find_remote_rank(partners_, event)) {
    *remote.rank = partners_.new_rank(location_, remote.comm, *remote.rank).value_or(*remote.rank);
    return;
  }

  renumber_collective(event);
}

void EventCut::renumber_collective(Event& event) {
  using enum EventKind;
  switch (event.kind) {
    case MpiCollectiveEnd:
    case NonBlockingCollectiveComplete:
      renumber_root(
          get_field<"root", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event),
          get_field<"communicator", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event));
      break;
    case RmaCollectiveEnd:
      renumber_root(get_field<"root", RmaCollectiveEnd>(event),
                    partners_.find_window_comm(get_field<"win", RmaCollectiveEnd>(event)));
      break;
    default: break;
  }
}

void EventCut::renumber_root(std::uint64_t& root, std::uint64_t comm) {
  if (root >= otf2_value::root_this_group)
    return;

  root = partners_.is_kept(location_, comm, root)
             ? partners_.new_rank(location_, comm, root).value_or(otf2_value::root_none)
             : otf2_value::root_none;
}

}  // namespace tracefold
