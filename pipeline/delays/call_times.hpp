// The times of one process by call path between its calls of MPI in which it communicates: what is
// needed to tell later what it did while others waited for it (find_delays.hpp).
//
// Time is cut where such a call is entered and where it is left. A segment is the time between two
// cuts that follow each other. Calls of MPI in which no message and no collective operation is
// recorded do not cut, but for MPI_Init(_thread). Time is also cut where iterations and
// MPI_Finalize begin, and at the end of the process. Time of waiting is told from other time of its
// call path: each is a part of the segment.
//
// One location, one thread, its events in order. Memory: about 5 bytes for each segment, and 3 to 5
// for each of its parts; 16 bytes for each operation of all to all and barrier.
#pragma once

#include "base/packed_pairs.hpp"
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

// The number of a part of a segment.
constexpr std::uint32_t number_part(PathIndex path, bool is_waiting) {
  return 2 * path + is_waiting;
}

enum class SegmentKind : std::uint8_t {
  between,           // calls of MPI
  call,              // of MPI
  before_iteration,  // between calls, up to where an iteration begins
};
inline constexpr std::uint64_t segment_kinds = 4;

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

  // By segment, as packed pairs: four times the bytes of its parts plus its SegmentKind, and how
  // many ticks it ends after the one before (the first: after 0); and the number and time
  // of each part that has time. Then zeros that PackedPairs wants behind them.
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
      case NonBlockingCollectiveRequest:
      case NonBlockingCollectiveComplete:
      case RmaCollectiveEnd:
      case MpiCollectiveEnd: return true;
      default: return false;
    }
  }

  // Time that passed in a call path.
  [[gnu::always_inline]] void spend(PathIndex path, std::uint64_t ticks) {
    if (path >= times_.size() || paths_now_ == now_.size()) [[unlikely]]
      make_room(path);
    now_[paths_now_] = path;
    paths_now_ += times_[path] == 0 && ticks > 0;
    times_[path] += ticks;
  }
  // Time in which the recorder wrote its buffer: it counts for path 0, which has no other.
  void measure(std::uint64_t ticks) { spend(0, ticks); }
  // Of the call of MPI that ends next, some was waiting, in its call path.
  void wait(PathIndex path, std::uint64_t ticks) { waits_.emplace_back(path, ticks); }
  // A call of MPI begins or ends, up to which time was spent.
  void enter_mpi(std::uint64_t time);
  // Whether it cut time.
  bool leave_mpi(std::uint64_t time);
  // The open call of MPI cuts time, whatever is recorded in it.
  void cut_at_call() { communicates_ = true; }
  // Time was spent up to here. Inside of a call of MPI, nothing is cut.
  void cut(std::uint64_t time, SegmentKind kind = SegmentKind::between);
  // A record of a wanted kind, of this location.
  void add(const Event& event, const Definitions& definitions, std::uint64_t location);

  // Call once, after the last event. Empty where nothing communicates.
  CallTimes take();

 private:
  void make_room(PathIndex path);
  void take_times();
  void put_segment(std::uint64_t end, SegmentKind kind);
  void put_before_call();

  std::vector<std::uint64_t> times_;                        // by path, since the last cut
  std::vector<PathIndex> now_;                              // that have some, and room for more
  std::size_t paths_now_ = 0;                               // that have some
  std::vector<std::pair<PathIndex, std::uint64_t>> waits_;  // of the call that ends
  bool is_in_call_ = false;    // of MPI, in which no other one was entered so far
  bool communicates_ = false;  // that call
  bool has_calls_ = false;     // any that communicates, or MPI_Init
  std::uint64_t entered_ = 0;  // that call
  std::vector<std::pair<PathIndex, std::uint64_t>> before_;  // the segment until it was entered
  std::optional<CollectiveMatcher::Key> meeting_;
  bool waits_for_others_ = false;  // in the meeting
  std::uint64_t last_cut_ = 0;
  PackedPairs parts_, head_;  // of a segment
  CallTimes found_;
};

}  // namespace tracefold
