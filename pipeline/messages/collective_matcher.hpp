// Matches the collective operations of a trace: tells a location when those entered an operation
// for which it waits there.
//
// The n-th operation of a kind on a communicator is the same one on all members (see channel.hpp).
// So only the times that others wait for are stored: when the last member entered a barrier or an
// all-to-all operation, when the root entered a one-to-all operation, and when the last sender
// entered an all-to-one operation. Locations are added in any order by any number of threads, with
// the same result.
//
// Where it is not known which parts belong together, there is no time, but a reason: members that
// recorded different numbers of operations, several locations of one process, roots that are
// unknown or differ, undefined communicators and inter-communicators. Operations on communicators
// of one process wait for nobody, nor do operations without any bytes, except barriers.
// Operations that do not block, and those on windows of one-sided communication (fences), are
// matched as well, each as kinds of their own. Others wait for the call that began the operation.
// Those that do not block have no metric of waiting. They are counted where they end, so nothing is
// known of them where one ends before another one that was begun earlier, or does not end.
//
// Memory: 12 to 24 bytes for each operation on each communicator, whatever its size, and about 60
// bytes for each member of each used communicator.
//
// Source: MPI 4.0, 6.1 (order of collective operations); Scalasca 2.6, performance properties (wait
// at barrier, wait at N x N, late broadcast, early reduce). Scalasca leaves out MPI_Alltoallv and
// MPI_Alltoallw, which count as all-to-all operations here.
#pragma once

#include "base/packed_values.hpp"
#include "model/profile/metric.hpp"
#include "otf2/definitions.hpp"
#include "otf2/event.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

class Team;

// Kinds of operations: OTF2_CollectiveOp of those that block, and with one of these added those
// that do not, and those on windows.
inline constexpr std::uint64_t does_not_block = 256, on_window = 512;

// The time of waiting in a collective operation; Metric::none if it has none, as scans.
Metric find_waiting_metric(std::uint64_t operation);

// The part of one location in a collective operation.
struct CollectivePart {
  std::uint64_t operation = 0;     // its kind
  std::uint64_t communicator = 0;  // of the window, where it is on one
  std::uint64_t root = 0;          // as recorded
  std::uint64_t sent = 0;          // bytes
  std::uint64_t received = 0;
};

// None unless the record ends one in which processes wait for each other.
std::optional<CollectivePart> find_collective_part(const Definitions& definitions,
                                                   const Event& event);

// Whether a location may wait for others in its part, and whether others may wait for it; of the
// root's operations nobody does where the root is not known. Thread-safe.
bool may_wait_for_others(const Definitions& definitions, std::uint64_t location,
                         const CollectivePart& part);
bool is_waited_for(const Definitions& definitions, std::uint64_t location,
                   const CollectivePart& part);

// Collective operations of a location that do not block, while they are open: what was known when
// they were begun.
class CollectiveRequests {
 public:
  // A NonBlockingCollectiveRequest.
  void begin(const Event& event, std::uint64_t known);
  // What was known of the one that a NonBlockingCollectiveComplete ends, if that was begun.
  std::optional<std::uint64_t> end(const Event& event);
  bool empty() const { return open_.empty(); }

 private:
  std::unordered_map<std::uint64_t, std::uint64_t> open_;  // by request
};

class CollectiveMatcher {
 public:
  // The definitions must outlive this.
  explicit CollectiveMatcher(const Definitions& definitions) : definitions_(definitions) {}

  const Definitions& definitions() const { return definitions_; }

  // A kind of operation on a communicator.
  using Key = std::pair<std::uint64_t, std::uint64_t>;

  // Adds the parts of one location. One thread.
  class Location {
   public:
    Location(CollectiveMatcher& matcher, std::uint64_t location)
        : matcher_(matcher), location_(location), place_(matcher.find_place(location)) {}

    // Adds its next part in an operation, with the time when the call was entered that began it, in
    // ticks.
    void add(const CollectivePart& part, std::uint64_t entered);
    // A record that begins an operation that does not block, in a call that was entered then; and
    // one that ends it.
    void begin(const Event& event, std::uint64_t entered) { requests_.begin(event, entered); }
    void end(const Event& event);
    // Call once, after the last part.
    void finish();

   private:
    struct Parts {
      bool are_matched = false;
      std::uint64_t added = 0;  // number of parts before those in `times`
      std::uint64_t last = 0;   // when the last one was begun
      bool are_in_order = true;
      std::vector<std::uint64_t> times;  // as Operations has them
    };

    void pass_on(const Key& key, Parts& parts);

    CollectiveMatcher& matcher_;
    std::uint64_t location_;
    std::uint32_t place_;          // among all locations
    CollectiveRequests requests_;  // when they were begun
    std::map<Key, Parts> parts_;
  };

  // Shares what the members of a team have added.
  void share(Team* team);
  // Call once, when all locations were added. After that it is thread-safe.
  void finish();
  // Why a time of waiting is not known; null if it is. Metric::none: of operations without one.
  const std::string* find_reason(Metric metric) const;
  // Whether an operation is matched; operations on communicators of one process are not.
  bool matches(const CollectivePart& part) const;
  // Whether any operation on a window was added.
  bool has_any_on_windows() const;
  // The time, in ticks, at which those that others wait for entered the n-th operation of this kind
  // on the communicator; none if there are none, or if not known.
  std::optional<std::uint64_t> find_time(const Key& key, std::uint64_t n) const;
  // The location that entered at find_time(), if that is known; the lowest id of several.
  std::uint64_t find_last(const Key& key, std::uint64_t n) const;

 private:
  struct Operations {
    // By operation: one more than the time at which the last process that others wait for entered;
    // 0 while there is none.
    std::vector<std::uint64_t> times;
    std::vector<std::uint32_t> last;  // that process, as its index among all locations
    std::map<std::uint64_t, std::uint64_t> counts;  // by endpoint of the process that took part
    bool has_unknown_roots = false;
    bool is_in_several_locations = false;  // several locations of one process took part
    bool are_in_order = true;              // ended as they were begun, in all locations

    void grow(std::size_t size);  // to at least this number of operations
    // Adds a part in the n-th operation.
    void add(const Key& key, std::size_t n, std::uint64_t entered, std::uint32_t process);
    // Adds the operations of other locations.
    void add(const Key& key, const Operations& others);
  };
  friend auto list_members(Like<Operations> auto& of) {
    return std::tie(of.times, of.last, of.counts, of.has_unknown_roots, of.is_in_several_locations,
                    of.are_in_order);
  }
  using OperationsByKey = std::map<Key, Operations>;

  std::uint32_t find_place(std::uint64_t location) const;
  std::uint64_t find_own_time(std::uint64_t location, const CollectivePart& part,
                              std::uint64_t entered);
  std::string check(const Key& key, const Operations& operations) const;

  const Definitions& definitions_;
  std::mutex mutex_;  // of everything below, until finish()
  OperationsByKey operations_;
  std::map<Metric, std::string> reasons_;
};

}  // namespace tracefold
