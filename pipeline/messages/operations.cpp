#include "pipeline/messages/operations.hpp"

namespace tracefold {

std::uint64_t Operations::end(const Key& key) {
  const auto at = open_.find(key);
  if (at == open_.end())
    return next_++;  // an operation of this one record
  const auto number = at->second;
  open_.erase(at);

  return number;
}

std::uint64_t Operations::now(const Key& key, std::uint64_t otherwise) const {
  const auto at = open_.find(key);
  return at == open_.end() ? otherwise : at->second;
}

std::uint64_t Operations::nested_begin(const Key& key) {
  nested_[key].push_back(next_);
  return next_++;
}

std::uint64_t Operations::nested_end(const Key& key) {
  auto& open = nested_[key];
  if (open.empty())
    return next_++;
  const auto number = open.back();
  open.pop_back();

  return number;
}

std::uint64_t Operations::request_ends(std::uint64_t request, bool names_partner) {
  const auto at = requests_.find(request);
  if (at == requests_.end())
    return names_partner ? next_++ : orphan;
  const auto number = at->second;
  requests_.erase(at);

  return number;
}

std::uint64_t Operations::of(const Event& event) {
  using enum EventKind;
  const auto& f = event.fields;

  switch (event.kind) {
    case MpiSend:
    case MpiRecv: return next_++;
    case MpiIsend: return request_begins(f[4]);
    case MpiIrecvRequest:
    case NonBlockingCollectiveRequest: return request_begins(f[0]);
    case MpiIrecv: return request_ends(f[4], true);
    case NonBlockingCollectiveComplete: return request_ends(f[5], true);
    case MpiIsendComplete:
    case MpiRequestCancelled: return request_ends(f[0], false);
    case MpiRequestTest: {
      const auto at = requests_.find(f[0]);
      return at == requests_.end() ? orphan : at->second;
    }
    case MpiCollectiveBegin: return begin({Family::collective});
    case MpiCollectiveEnd: return end({Family::collective});
    case RmaCollectiveBegin: return begin({Family::rma_collective});
    case RmaCollectiveEnd: return end({Family::rma_collective});
    // An operation completes locally and, later, remotely; its id is free again when it is used
    // anew.
    case RmaPut:
    case RmaGet: return begin({Family::one_sided, {f[0], f[3]}});
    case RmaAtomic: return begin({Family::one_sided, {f[0], f[5]}});
    case RmaOpTest:
    case RmaOpCompleteBlocking:
    case RmaOpCompleteNonBlocking: return now({Family::one_sided, {f[0], f[1]}}, orphan);
    case RmaOpCompleteRemote: {
      const Key key{Family::one_sided, {f[0], f[1]}};
      const auto number = now(key, orphan);
      open_.erase(key);
      return number;
    }
    case RmaAcquireLock: return begin({Family::rma_lock, {f[0], f[1], f[2]}});
    case RmaReleaseLock: return end({Family::rma_lock, {f[0], f[1], f[2]}});
    case OmpAcquireLock: return begin({Family::omp_lock, {f[0]}});
    case OmpReleaseLock: return end({Family::omp_lock, {f[0]}});
    case ThreadAcquireLock: return begin({Family::thread_lock, {f[0], f[1]}});
    case ThreadReleaseLock: return end({Family::thread_lock, {f[0], f[1]}});
    case IoOperationBegin: return begin({Family::file, {f[0], f[4]}});
    case IoOperationTest:
    case IoOperationIssued: return now({Family::file, {f[0], f[1]}}, alone);
    case IoOperationComplete: return end({Family::file, {f[0], f[2]}});
    case IoOperationCancelled: return end({Family::file, {f[0], f[1]}});
    case OmpFork: return nested_begin({Family::omp_fork});
    case OmpJoin: return nested_end({Family::omp_fork});
    case ThreadFork: return nested_begin({Family::fork, {f[0]}});
    case ThreadJoin: return nested_end({Family::fork, {f[0]}});
    case ThreadTeamBegin: return nested_begin({Family::team, {f[0]}});
    case ThreadTeamEnd: return nested_end({Family::team, {f[0]}});
    case IoAcquireLock: return begin({Family::file_lock, {f[0]}});
    case IoReleaseLock: return end({Family::file_lock, {f[0]}});
    default: return alone;
  }
}

}  // namespace tracefold
