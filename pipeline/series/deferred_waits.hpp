// Keeps what one location does in calls that may wait for others, until it is known when these
// others did their part: then LocationWaits tells from it how long they waited. So a location need
// not be read once more when all the others have been read.
//
// Calls with such records must not be in each other, and none of the records outside of calls: of
// another location nothing is kept, and it has to be read again.
//
// One location, one thread. Memory: about 10 bytes for each call that has one such record, a byte
// or more for each further one, and 56 for each that differs from all before in more than its time.
#pragma once

#include "otf2/event.hpp"
#include "pipeline/messages/location_waits.hpp"
#include "pipeline/series/profile_columns.hpp"

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

// Where a call ends that may have waited.
struct WaitPlace {
  std::size_t iteration = 0;  // as SeriesSink numbers them
  PathIndex path = 0;
  std::size_t part = 0;  // 0 or 1: of what is outside of iterations, as SeriesSink numbers them
};

class DeferredWaits {
 public:
  // The interface of LocationWaits, but that the end of a call tells nothing yet.
  void add(const Event& event, std::size_t open_calls);
  bool may_have_waited() const { return depth_ != 0; }
  void end(const EndedCall& call, std::size_t open_calls, const WaitPlace& place);

  // Whether calls are as they must be, so far.
  bool is_regular() const { return is_regular_; }
  std::size_t bytes() const { return calls_.capacity() + kinds_.capacity() * sizeof(Kind); }

  // Call once, after the last event.
  void finish() {
    calls_.shrink_to_fit();
    numbers_.clear();
  }

  // Calls on_wait for each time of waiting, in the order of the calls. The call paths are those of
  // the location. False where records are odd, so that reading the location gives warnings; nothing
  // of what was told holds then.
  using OnWait = std::function<void(const WaitPlace&, const WaitingTime&)>;
  bool replay(const WaitMatcher& matcher, std::uint64_t location, const ProfileColumns& columns,
              std::span<const CallPath> paths, const OnWait& on_wait) const;

 private:
  // What a record says besides its time and its request; lengths of messages do not matter.
  struct Kind {
    EventKind kind{};
    std::array<std::uint64_t, max_event_fields> fields{};

    auto operator<=>(const Kind&) const = default;
  };
  // A record of the open call.
  struct Pending {
    std::uint32_t kind = 0;  // its place in kinds_
    std::uint64_t request = 0;
  };

  static Kind make_kind(const Event& event);
  std::uint32_t number(const Kind& kind);

  bool is_regular_ = true;
  std::size_t depth_ = 0;  // of the open call with records; 0: there is none
  std::vector<Pending> pending_;
  std::vector<Kind> kinds_;
  std::map<Kind, std::uint32_t> numbers_;
  std::string calls_;  // varints
  // Of the call before; the others are kept as differences to them.
  std::uint64_t last_path_ = 0, last_iteration_ = 0, last_end_ = 0, last_request_ = 0;
};

}  // namespace tracefold
