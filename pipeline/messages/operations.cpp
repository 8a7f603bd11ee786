#include "pipeline/messages/operations.hpp"

namespace tracefold {

std::uint64_t OperationNumbers::end(const Key& key) {
  const auto at = open_.find(key);
  if (at == open_.end())
    return next_++;  // an operation of this one record

  const auto number = at->second;
  open_.erase(at);

  return number;
}

std::uint64_t OperationNumbers::find(const Key& key, std::uint64_t otherwise) const {
  const auto at = open_.find(key);
  return at == open_.end() ? otherwise : at->second;
}

std::uint64_t OperationNumbers::begin_nested(const Key& key) {
  nested_[key].push_back(next_);
  return next_++;
}

std::uint64_t OperationNumbers::end_nested(const Key& key) {
  auto& open = nested_[key];
  if (open.empty())
    return next_++;

  const auto number = open.back();
  open.pop_back();

  return number;
}

std::uint64_t OperationNumbers::find_request(std::uint64_t request) const {
  const auto at = requests_.find(request);
  return at == requests_.end() ? never_begun : at->second;
}

std::uint64_t OperationNumbers::end_request(std::uint64_t request, bool names_partner) {
  const auto at = requests_.find(request);
  if (at == requests_.end())
    return names_partner ? next_++ : never_begun;

  const auto number = at->second;
  requests_.erase(at);

  return number;
}

std::uint64_t OperationNumbers::number(const Event& event) {
  using enum EventKind;

  // Kinds are in the order of OTF2's record types, which keeps subjects together.
  const auto kind = event.kind;
  if (kind >= MpiSend && kind <= MpiCollectiveEnd)
    return number_message(event);
  if (kind >= RmaCollectiveBegin && kind <= RmaOpCompleteRemote)
    return number_one_sided(event);
  if ((kind >= OmpFork && kind <= OmpReleaseLock) ||
      (kind >= ThreadFork && kind <= ThreadReleaseLock))
    return number_thread_event(event);
  if (kind >= IoOperationBegin && kind <= IoReleaseLock)
    return number_file_event(event);
  if (kind == NonBlockingCollectiveRequest || kind == NonBlockingCollectiveComplete)
    return number_message(event);

  return no_operation;
}

std::uint64_t OperationNumbers::number_message(const Event& event) {
  using enum EventKind;
  switch (event.kind) {
    case MpiSend:
    case MpiRecv: return next_++;
    case MpiIsend: return begin_request(get_field<"requestID", MpiIsend>(event));
    case MpiIrecvRequest:
    case NonBlockingCollectiveRequest:
      return begin_request(
          get_field<"requestID", MpiIrecvRequest, NonBlockingCollectiveRequest>(event));
    case MpiIrecv: return end_request(get_field<"requestID", MpiIrecv>(event), true);
    case NonBlockingCollectiveComplete:
      return end_request(get_field<"requestID", NonBlockingCollectiveComplete>(event), true);
    case MpiIsendComplete:
    case MpiRequestCancelled:
      return end_request(get_field<"requestID", MpiIsendComplete, MpiRequestCancelled>(event),
                         false);
    case MpiRequestTest: return find_request(get_field<"requestID", MpiRequestTest>(event));
    case MpiCollectiveBegin: return begin({Family::collective});
    case MpiCollectiveEnd: return end({Family::collective});
    default: return no_operation;
  }
}

std::uint64_t OperationNumbers::number_one_sided(const Event& event) {
  using enum EventKind;

  const auto make_lock_key = [&event] {
    return Key{Family::rma_lock,
               {get_field<"win", RmaAcquireLock, RmaReleaseLock>(event),
                get_field<"remote", RmaAcquireLock, RmaReleaseLock>(event),
                get_field<"lockId", RmaAcquireLock, RmaReleaseLock>(event)}};
  };

  switch (event.kind) {
    case RmaCollectiveBegin: return begin({Family::rma_collective});
    case RmaCollectiveEnd: return end({Family::rma_collective});
    // An operation completes locally and, later, remotely; its id is free again when it is used
    // anew.
    case RmaPut:
    case RmaGet:
      return begin({Family::one_sided,
                    {get_field<"win", RmaPut, RmaGet>(event),
                     get_field<"matchingId", RmaPut, RmaGet>(event)}});
    case RmaAtomic:
      return begin(
          {Family::one_sided,
           {get_field<"win", RmaAtomic>(event), get_field<"matchingId", RmaAtomic>(event)}});
    case RmaOpTest:
    case RmaOpCompleteBlocking:
    case RmaOpCompleteNonBlocking:
    case RmaOpCompleteRemote: {
      const Key key{Family::one_sided,
                    {get_field<"win", RmaOpTest, RmaOpCompleteBlocking, RmaOpCompleteNonBlocking,
                               RmaOpCompleteRemote>(event),
                     get_field<"matchingId", RmaOpTest, RmaOpCompleteBlocking,
                               RmaOpCompleteNonBlocking, RmaOpCompleteRemote>(event)}};
      const auto number = find(key, never_begun);
      if (event.kind == RmaOpCompleteRemote)
        open_.erase(key);
      return number;
    }
    case RmaAcquireLock: return begin(make_lock_key());
    case RmaReleaseLock: return end(make_lock_key());
    default: return no_operation;
  }
}

std::uint64_t OperationNumbers::number_thread_event(const Event& event) {
  using enum EventKind;

  const auto make_lock_key = [&event] {
    return Key{Family::thread_lock,
               {get_field<"model", ThreadAcquireLock, ThreadReleaseLock>(event),
                get_field<"lockID", ThreadAcquireLock, ThreadReleaseLock>(event)}};
  };

  switch (event.kind) {
    case OmpAcquireLock:
      return begin({Family::omp_lock, {get_field<"lockID", OmpAcquireLock>(event)}});
    case OmpReleaseLock:
      return end({Family::omp_lock, {get_field<"lockID", OmpReleaseLock>(event)}});
    case ThreadAcquireLock: return begin(make_lock_key());
    case ThreadReleaseLock: return end(make_lock_key());
    case OmpFork: return begin_nested({Family::omp_fork});
    case OmpJoin: return end_nested({Family::omp_fork});
    case ThreadFork: return begin_nested({Family::fork, {get_field<"model", ThreadFork>(event)}});
    case ThreadJoin: return end_nested({Family::fork, {get_field<"model", ThreadJoin>(event)}});
    case ThreadTeamBegin:
      return begin_nested({Family::team, {get_field<"threadTeam", ThreadTeamBegin>(event)}});
    case ThreadTeamEnd:
      return end_nested({Family::team, {get_field<"threadTeam", ThreadTeamEnd>(event)}});
    default: return no_operation;
  }
}

std::uint64_t OperationNumbers::number_file_event(const Event& event) {
  using enum EventKind;

  const auto make_key = [](std::uint64_t handle, std::uint64_t id) {
    return Key{Family::file, {handle, id}};
  };

  switch (event.kind) {
    case IoOperationBegin:
      return begin(make_key(get_field<"handle", IoOperationBegin>(event),
                            get_field<"matchingId", IoOperationBegin>(event)));
    case IoOperationTest:
    case IoOperationIssued:
      return find(make_key(get_field<"handle", IoOperationTest, IoOperationIssued>(event),
                           get_field<"matchingId", IoOperationTest, IoOperationIssued>(event)),
                  no_operation);
    case IoOperationComplete:
      return end(make_key(get_field<"handle", IoOperationComplete>(event),
                          get_field<"matchingId", IoOperationComplete>(event)));
    case IoOperationCancelled:
      return end(make_key(get_field<"handle", IoOperationCancelled>(event),
                          get_field<"matchingId", IoOperationCancelled>(event)));
    case IoAcquireLock:
      return begin({Family::file_lock, {get_field<"handle", IoAcquireLock>(event)}});
    case IoReleaseLock:
      return end({Family::file_lock, {get_field<"handle", IoReleaseLock>(event)}});
    default: return no_operation;
  }
}

}  // namespace tracefold
