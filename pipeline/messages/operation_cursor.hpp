// Follows the records of one location, and tells for each record which operation it belongs to and
// what it does to it. An operation has several records: a message and its request, the begin and
// end of a collective, a one-sided or file operation and its completion, acquiring and releasing a
// lock, a fork and its join, the begin and end of a thread's part in a team.
//
// Everything that matches operations uses this: cutting a trace (pipeline/rewrite/event_cut.hpp),
// times of waiting (receive_order.hpp, location_waits.hpp), and the communication of ranks
// (operation_sink.hpp).
//
// Operations are numbered 0, 1, 2, … by their first records, or as the caller chooses. This is the
// order of messages and collectives, since MPI matches receives in the order of posting. Ids of
// requests are reused, so only the number is unique; it is the same in each reading of the
// location.
//
// One location and one thread; all records but calls, in order. Memory: 40 bytes for each open
// request, and 64 for each other operation that is open or lacks a recorded remote completion.
//
// Source: OTF2's record definitions (which records name the same request, id or lock).
#pragma once

#include "otf2/event.hpp"
#include "pipeline/messages/open_operations.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace tracefold {

// The effect of a record on its operation.
enum class Step : std::uint8_t {
  alone,              // it belongs to no operation
  unknown,            // it belongs to an operation whose begin is not recorded
  whole,              // it is the only record of its operation
  begins,             // further records follow
  tests,              // it may be missing
  completes_locally,  // a completion at the other process may follow
  completes,
  cancels
};

// How the records of an operation are recognised.
enum class OperationFamily : std::uint8_t {
  none,
  request,
  collective,
  rma_collective,
  one_sided,
  rma_lock,
  omp_lock,
  thread_lock,
  file,
  file_lock,
  omp_fork,
  fork,
  team
};
// Whether an operation may begin while another one is open; then the innermost one ends first.
constexpr bool may_nest(OperationFamily family) {
  return family >= OperationFamily::omp_fork;
}

// The effect of a kind of record, and its effect if the begin of the operation is not recorded
// (`otherwise`).
struct OperationRecord {
  OperationFamily family = OperationFamily::none;
  Step step = Step::alone;
  Step otherwise = Step::alone;
  std::array<std::uint8_t, 3> ids{};  // indexes into Event::fields
  std::uint8_t id_count = 0;
};

namespace detail {
struct OperationRow {
  EventKind kind{};
  OperationRecord record;
};
template <EventKind kind, FieldName... ids>
constexpr OperationRow operation_row(OperationFamily family, Step step,
                                     Step otherwise = Step::alone) {
  return {kind, {family, step, otherwise, {field_place<ids, kind>()...}, sizeof...(ids)}};
}

constexpr std::array<OperationRecord, event_kinds> make_operation_records() {
  using enum EventKind;
  using enum Step;
  using F = OperationFamily;

  const OperationRow rows[] = {
      operation_row<MpiSend>(F::none, whole),
      operation_row<MpiRecv>(F::none, whole),
      operation_row<MpiIsend, "requestID">(F::request, begins),
      operation_row<MpiIrecvRequest, "requestID">(F::request, begins),
      operation_row<NonBlockingCollectiveRequest, "requestID">(F::request, begins),
      operation_row<MpiIsendComplete, "requestID">(F::request, completes, unknown),
      operation_row<MpiIrecv, "requestID">(F::request, completes, whole),
      operation_row<NonBlockingCollectiveComplete, "requestID">(F::request, completes, whole),
      operation_row<MpiRequestCancelled, "requestID">(F::request, cancels, unknown),
      operation_row<MpiRequestTest, "requestID">(F::request, tests, unknown),
      operation_row<MpiCollectiveBegin>(F::collective, begins),
      operation_row<MpiCollectiveEnd>(F::collective, completes, whole),

      operation_row<RmaCollectiveBegin>(F::rma_collective, begins),
      operation_row<RmaCollectiveEnd>(F::rma_collective, completes, whole),
      operation_row<RmaPut, "win", "matchingId">(F::one_sided, begins),
      operation_row<RmaGet, "win", "matchingId">(F::one_sided, begins),
      operation_row<RmaAtomic, "win", "matchingId">(F::one_sided, begins),
      operation_row<RmaOpTest, "win", "matchingId">(F::one_sided, tests, unknown),
      operation_row<RmaOpCompleteBlocking, "win", "matchingId">(F::one_sided, completes_locally,
                                                                unknown),
      operation_row<RmaOpCompleteNonBlocking, "win", "matchingId">(F::one_sided, completes_locally,
                                                                   unknown),
      operation_row<RmaOpCompleteRemote, "win", "matchingId">(F::one_sided, completes, unknown),
      operation_row<RmaAcquireLock, "win", "remote", "lockId">(F::rma_lock, begins),
      operation_row<RmaReleaseLock, "win", "remote", "lockId">(F::rma_lock, completes, whole),

      operation_row<OmpAcquireLock, "lockID">(F::omp_lock, begins),
      operation_row<OmpReleaseLock, "lockID">(F::omp_lock, completes, whole),
      operation_row<ThreadAcquireLock, "model", "lockID">(F::thread_lock, begins),
      operation_row<ThreadReleaseLock, "model", "lockID">(F::thread_lock, completes, whole),
      operation_row<OmpFork>(F::omp_fork, begins),
      operation_row<OmpJoin>(F::omp_fork, completes, whole),
      operation_row<ThreadFork, "model">(F::fork, begins),
      operation_row<ThreadJoin, "model">(F::fork, completes, whole),
      operation_row<ThreadTeamBegin, "threadTeam">(F::team, begins),
      operation_row<ThreadTeamEnd, "threadTeam">(F::team, completes, whole),

      operation_row<IoOperationBegin, "handle", "matchingId">(F::file, begins),
      operation_row<IoOperationTest, "handle", "matchingId">(F::file, tests, alone),
      operation_row<IoOperationIssued, "handle", "matchingId">(F::file, tests, alone),
      operation_row<IoOperationComplete, "handle", "matchingId">(F::file, completes, whole),
      operation_row<IoOperationCancelled, "handle", "matchingId">(F::file, cancels, whole),
      operation_row<IoAcquireLock, "handle">(F::file_lock, begins),
      operation_row<IoReleaseLock, "handle">(F::file_lock, completes, whole)};

  std::array<OperationRecord, event_kinds> records{};
  for (const auto& row : rows)
    records[static_cast<std::size_t>(row.kind)] = row.record;
  return records;
}
}  // namespace detail

inline constexpr auto operation_records = detail::make_operation_records();
constexpr const OperationRecord& get_operation_record(EventKind kind) {
  return operation_records[static_cast<std::size_t>(kind)];
}

// The effect of a record.
struct Followed {
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  Step step = Step::alone;
  std::uint64_t operation = none;  // its number; none if alone or unknown
  // The operation whose request id a new operation takes over, so that it never completes;
  // otherwise none.
  std::uint64_t replaced = none;

  bool is_first() const { return step == Step::begins || step == Step::whole; }
  bool is_further() const { return step >= Step::tests; }
};

class OperationCursor {
 public:
  // How to treat the id of an open request that is used again.
  enum class Reuse : std::uint8_t {
    replaces,  // the completion of the earlier request is not recorded
    queues     // requests with the same id complete in the order in which they were made
  };

  explicit OperationCursor(Reuse reuse = Reuse::replaces) : reuse_(reuse) {}

  // Operations are numbered 0, 1, 2, …
  [[gnu::always_inline]] Followed follow(const Event& event) {
    const auto found = follow(event, next_);
    next_ += found.is_first();
    return found;
  }
  // If the record is the first of an operation, the operation gets `number`.
  [[gnu::always_inline]] Followed follow(const Event& event, std::uint64_t number) {
    const auto& record = get_operation_record(event.kind);
    if (record.family == OperationFamily::none)
      return {record.step, record.step == Step::whole ? number : Followed::none};
    if (record.family == OperationFamily::request)
      return follow_request(record, event.fields[record.ids[0]], number);
    return follow_key(record, event, number);
  }

  // Declares that the first operation with this request will not complete.
  void give_up(std::uint64_t request) { requests_.close(request); }
  // The number of operations without requests that are open or may be completed remotely; and
  // declares that those with lower numbers will not complete.
  std::size_t count_open() const { return open_.size(); }
  void give_up_before(std::uint64_t number) { open_.close_before(number); }

 private:
  struct Key {
    std::uint64_t first = 0, second = 0, third = 0;  // ids; the first has 32 bits, and the family

    Key() = default;
    Key(const OperationRecord& record, const Event& event)
        : first(static_cast<std::uint64_t>(record.family) << 32) {
      if (record.id_count > 0)
        first += event.fields[record.ids[0]];
      if (record.id_count > 1)
        second = event.fields[record.ids[1]];
      if (record.id_count > 2)
        third = event.fields[record.ids[2]];
    }

    bool operator==(const Key&) const = default;
    std::uint64_t hash() const {
      constexpr std::uint64_t factor = 0x9e3779b97f4a7c15u;
      return (first * factor ^ second) * factor ^ third;
    }
  };

  [[gnu::always_inline]] Followed follow_request(const OperationRecord& record,
                                                 std::uint64_t request, std::uint64_t number) {
    if (record.step != Step::begins)
      return go_on(requests_, request, record, number);
    if (reuse_ == Reuse::replaces)
      return {Step::begins, number, requests_.replace(request, number).value_or(Followed::none)};

    requests_.open(request, number);
    return {Step::begins, number};
  }
  [[gnu::noinline]] Followed follow_key(const OperationRecord& record, const Event& event,
                                        std::uint64_t number) {
    const Key key(record, event);
    if (record.step != Step::begins)
      return go_on(open_, key, record, number);
    if (may_nest(record.family))
      open_.open_first(key, number);
    else
      open_.replace(key, number);
    return {Step::begins, number};
  }

  // Follows a record that does not begin its operation.
  template <class Id>
  [[gnu::always_inline]] static Followed go_on(OpenOperations<Id>& open, const Id& id,
                                               const OperationRecord& record,
                                               std::uint64_t number) {
    const bool ends = record.step == Step::completes || record.step == Step::cancels;
    if (const auto found = ends ? open.close(id) : open.find(id))
      return {record.step, *found};
    return {record.otherwise, record.otherwise == Step::whole ? number : Followed::none};
  }

  Reuse reuse_;
  std::uint64_t next_ = 0;
  OpenRequests requests_;
  OpenOperations<Key> open_;
};

}  // namespace tracefold
