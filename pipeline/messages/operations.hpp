// Numbers the operations of a location, which are made of several records: a message with
// its request records, a collective from begin to end, a one-sided or file operation with
// its completion, a lock from acquiring to releasing it, a fork with its join, a thread's
// part in a team. The records of one operation stay or go together.
//
// Operations are numbered 0, 1, 2, … by their first records. Messages and
// collectives happen in that order: MPI matches receives as they are posted. Ids of
// requests are reused, so only the number is unique, and it is the same whenever the
// location is read. One per location and pass.
//
// Memory: 80 bytes for each operation that is open, and for each one-sided operation
// whose id is not used again and whose remote completion is not recorded.
//
// Source: OTF2's record definitions (which records name the same request, id or lock).
#pragma once

#include "otf2/event.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace tracefold {

class OperationNumbers {
 public:
  static constexpr std::uint64_t no_operation = ~std::uint64_t{0};  // the record stands alone
  static constexpr std::uint64_t never_begun = no_operation - 1;    // its operation is unknown

  // The number of the record's operation. Call for each record that is no call, in their order.
  std::uint64_t number(const Event& event);

 private:
  enum class Family : std::uint8_t {
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
  struct Key {
    Family family;
    std::array<std::uint64_t, 3> ids{};

    auto operator<=>(const Key&) const = default;
  };

  std::uint64_t number_message(const Event& event);
  std::uint64_t number_one_sided(const Event& event);
  std::uint64_t number_thread_event(const Event& event);
  std::uint64_t number_file_event(const Event& event);

  // An operation that is open once at a time.
  std::uint64_t begin(const Key& key) { return open_[key] = next_++; }
  std::uint64_t end(const Key& key);
  std::uint64_t find(const Key& key, std::uint64_t otherwise) const;
  // An operation that may begin again while it is open; the innermost ends first.
  std::uint64_t begin_nested(const Key& key);
  std::uint64_t end_nested(const Key& key);
  // An operation that has a request.
  std::uint64_t begin_request(std::uint64_t request) { return requests_[request] = next_++; }
  std::uint64_t find_request(std::uint64_t request) const;
  std::uint64_t end_request(std::uint64_t request, bool names_partner);

  std::uint64_t next_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> requests_;
  std::map<Key, std::uint64_t> open_;
  std::map<Key, std::vector<std::uint64_t>> nested_;  // the innermost last
};

}  // namespace tracefold
