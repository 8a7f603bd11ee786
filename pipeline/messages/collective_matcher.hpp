// Matches the collective operations of a trace: tells a location that takes part in one when those
// entered it that it waits for.
//
// The n-th operation of a kind on a communicator is one on all of its members (see channel.hpp), so
// that only what they wait for is kept of each: when the last member entered a barrier or an
// operation of all to all, when the root entered one of one to all, when the last sender entered
// one of all to one. What locations did is added in any order, by any number of threads; the result
// does not depend on it.
//
// Where it is not known who belongs together, there is a reason why, and no time: where not every
// member recorded as many operations, or several locations of one process did, where a root is not
// told or not one, for undefined communicators and for those between two groups. Operations on
// communicators of one process wait for nobody; neither do those that send and receive no bytes,
// but barriers. Operations that do not block are not matched, and counted.
//
// Memory: 12 to 24 bytes for each operation on each communicator, not for each member of it; and
// about 60 bytes for each member of each communicator that is used.
//
// Source: MPI 4.0, 6.1 (order of collective operations); Scalasca 2.6, performance properties
// (wait at barrier, wait at N x N, late broadcast, early reduce). It leaves MPI_Alltoallv and
// MPI_Alltoallw out, which count as operations of all to all here.
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
#include <utility>
#include <vector>

namespace tracefold {

class Team;

// The time of waiting that a collective operation may have; Metric::none for other operations, such
// as scans.
Metric find_waiting_metric(std::uint64_t operation);

// A part that one location has in a collective operation.
struct CollectivePart {
  std::uint64_t operation = 0;  // OTF2_CollectiveOp
  std::uint64_t communicator = 0;
  std::uint64_t root = 0;  // as recorded
  std::uint64_t sent = 0;  // bytes
  std::uint64_t received = 0;
};

// None for records that end no collective operation that blocks.
std::optional<CollectivePart> find_collective_part(const Event& event);

// Whether a location may wait for others in its part of an operation. Thread-safe.
bool may_wait_for_others(const Definitions& definitions, std::uint64_t location,
                         const CollectivePart& part);

class CollectiveMatcher {
 public:
  // The definitions must stay.
  explicit CollectiveMatcher(const Definitions& definitions) : definitions_(definitions) {}

  const Definitions& definitions() const { return definitions_; }

  // A kind of operation (OTF2_CollectiveOp) on a communicator.
  using Key = std::pair<std::uint64_t, std::uint64_t>;

  // Adds what one location does; one thread.
  class Location {
   public:
    Location(CollectiveMatcher& matcher, std::uint64_t location)
        : matcher_(matcher), location_(location), place_(matcher.find_place(location)) {}

    // Its next part in an operation, in a call that it entered at that time, in ticks.
    void add(const CollectivePart& part, std::uint64_t entered);
    // Call once, after the last.
    void finish();

   private:
    struct Parts {
      bool are_matched = false;
      std::uint64_t added = 0;           // before those in `times`
      std::vector<std::uint64_t> times;  // as Operations has them
    };

    void hand_on(const Key& key, Parts& parts);

    CollectiveMatcher& matcher_;
    std::uint64_t location_;
    std::uint32_t place_;  // among all locations
    std::map<Key, Parts> parts_;
  };

  // What the members of a team have added is known to all of them then.
  void share(Team* team);
  // Call once, after all locations were added. After that any thread may ask.
  void finish();
  // Why a time of waiting is not known; null where it is.
  const std::string* find_reason(Metric metric) const;
  // Matched operations; those on communicators of one process are not.
  bool matches(const CollectivePart& part) const;
  // When those entered the n-th operation of a kind on a communicator that others wait for in it,
  // in ticks; none where there are none, or where that is not known.
  std::optional<std::uint64_t> find_time(const Key& key, std::uint64_t n) const;
  // Which location that was, where find_time() knows a time; of several the one with the lowest id.
  std::uint64_t find_last(const Key& key, std::uint64_t n) const;

 private:
  struct Operations {
    // By operation: 1 more than the time at which the last process that others wait for entered
    // it; 0 while there is none.
    std::vector<std::uint64_t> times;
    std::vector<std::uint32_t> last;  // which process that was: its place among all locations
    std::map<std::uint64_t, std::uint64_t> counts;  // by endpoint of the process that took part
    bool has_unknown_roots = false;
    bool is_in_several_locations = false;  // of one process

    void grow(std::size_t size);  // to so many operations at least
    // A part in the n-th one.
    void add(const Key& key, std::size_t n, std::uint64_t entered, std::uint32_t process);
    // Those of other locations.
    void add(const Key& key, const Operations& others);
  };
  friend auto list_members(Like<Operations> auto& of) {
    return std::tie(of.times, of.last, of.counts, of.has_unknown_roots, of.is_in_several_locations);
  }
  using OperationsByKey = std::map<Key, Operations>;

  std::uint32_t find_place(std::uint64_t location) const;
  std::uint64_t find_own_time(std::uint64_t location, const CollectivePart& part,
                              std::uint64_t entered);
  std::string check(const Key& key, const Operations& operations) const;

  const Definitions& definitions_;
  std::mutex mutex_;  // of all that follows, until it is finished
  OperationsByKey operations_;
  std::map<Metric, std::string> reasons_;
};

}  // namespace tracefold
