// The times of one process by call path between its calls of MPI in which it communicates: what is
// needed to tell later what it did while others waited for it (find_delays.hpp).
//
// Time is cut where such a call is entered and where it is left. A segment is the time between two
// cuts that follow each other. Calls of MPI in which no message and no collective operation is
// recorded do not cut, but for MPI_Init(_thread).
//
// One location, one thread, its events in order. Memory: about 4 bytes for each segment, and 3 to 5
// for each call path in it that has time; 16 bytes for each operation of all to all and barrier.
#pragma once

#include "model/profile/call_path_profile.hpp"
#include "otf2/definitions.hpp"
#include "otf2/event.hpp"
#include "pipeline/messages/collective_matcher.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

struct CallTimes {
  // A part in an operation in which all wait for each other: when its call was entered and left, in
  // ticks; left at 0 where the process waits for nobody in it.
  struct Meeting {
    std::uint64_t entered = 0, left = 0;
  };
  friend auto list_members(Like<Meeting> auto& meeting) {
    return std::tie(meeting.entered, meeting.left);
  }
  friend auto list_members(Like<CallTimes> auto& times) {
    return std::tie(times.segments, times.meetings);
  }

  // By segment, as varints: how many ticks it ends after the one before (the first: after 0), twice
  // the number of call paths, plus 1 where it is a call of MPI; and of each its number and time.
  std::string segments;
  std::map<CollectiveMatcher::Key, std::vector<Meeting>> meetings;

  std::size_t bytes() const {
    auto sum = segments.capacity();
    for (const auto& [key, of_key] : meetings)
      sum += sizeof(key) + of_key.capacity() * sizeof(Meeting);
    return sum;
  }
};

class CallTimesRecorder {
 public:
  // Whether such records tell that a call communicates.
  static constexpr bool is_wanted(EventKind kind) {
    using enum EventKind;
    switch (kind) {
      case MpiSend:
      case MpiIsend:
      case MpiIsendComplete:
      case MpiRecv:
      case MpiIrecv:
      case MpiIrecvRequest:
      case MpiCollectiveEnd: return true;
      default: return false;
    }
  }

  // Time that passed in a call path.
  [[gnu::always_inline]] void spend(PathIndex path, std::uint64_t ticks) {
    if (path >= times_.size()) [[unlikely]]
      times_.resize(2 * std::size_t{path} + 16);
    if (times_[path] == 0)
      now_.push_back(path);
    times_[path] += ticks;
  }
  // Time in which the recorder wrote its buffer: it counts for path 0, which has no other.
  void measure(std::uint64_t ticks) { spend(0, ticks); }
  // A call of MPI begins or ends, up to which time was spent.
  void enter_mpi(std::uint64_t time);
  void leave_mpi(std::uint64_t time);
  // The open call of MPI cuts time, whatever is recorded in it.
  void cut_at_call() { communicates_ = true; }
  // A record of a wanted kind, of this location.
  void add(const Event& event, const Definitions& definitions, std::uint64_t location);

  // Call once, after the last event.
  CallTimes take();

 private:
  using Times = std::vector<std::pair<PathIndex, std::uint64_t>>;

  Times take_times();
  void put_segment(std::uint64_t end, const Times& times, bool is_call);
  void put_before_call();

  std::vector<std::uint64_t> times_;  // by path, since the last cut
  std::vector<PathIndex> now_;        // that have some
  bool is_in_call_ = false;           // of MPI, in which no other one was entered so far
  bool communicates_ = false;         // that call
  std::uint64_t entered_ = 0;         // that call
  Times before_;                      // the segment that ends where it was entered
  std::optional<CollectiveMatcher::Key> meeting_;
  bool waits_ = false;  // in the meeting
  std::uint64_t last_cut_ = 0;
  CallTimes found_;
};

}  // namespace tracefold
