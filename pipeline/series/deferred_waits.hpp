// Stores what one location does in calls that may wait for others, until the times of the others
// are known. Then LocationWaits computes from it how long the calls waited, so that the location
// need not be read again.
//
// Calls with such records must not be nested, and the records must be inside of calls. Nothing is
// stored of other locations, which have to be read again.
//
// One location, one thread. Memory: about 10 bytes for each call with one such record, at least a
// byte for each further record, and 56 bytes for each record that differs from all earlier ones in
// more than its time.
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

// The place of the end of a call that may have waited.
struct WaitPlace {
  std::size_t iteration = 0;  // numbered as by SeriesSink
  PathIndex path = 0;
  std::size_t part = 0;  // 0 or 1: the part of what is outside of iterations, as in SeriesSink
};

class DeferredWaits {
 public:
  // The interface of LocationWaits, except that end() does not return times yet.
  void add(const Event& event, std::size_t open_calls);
  bool may_have_waited() const { return depth_ != 0; }
  void end(const EndedCall& call, std::size_t open_calls, const WaitPlace& place);

  // Whether all calls so far meet the conditions above.
  bool is_regular() const { return is_regular_; }
  std::size_t bytes() const { return calls_.capacity() + kinds_.capacity() * sizeof(Kind); }

  // Call once, after the last event.
  void finish() {
    calls_.shrink_to_fit();
    numbers_.clear();
  }

  // Calls on_wait() for each time of waiting, in the order of calls. `paths` are the call paths of
  // the location. False if records are irregular, so that the location has to be read for warnings;
  // all earlier calls of on_wait() are then invalid.
  using OnWait = std::function<void(const WaitPlace&, const WaitingTime&)>;
  bool replay(const WaitMatcher& matcher, std::uint64_t location, const ProfileColumns& columns,
              std::span<const CallPath> paths, const OnWait& on_wait) const;

 private:
  // A record without its time and request. Lengths of messages do not matter.
  struct Kind {
    EventKind kind{};
    std::array<std::uint64_t, max_event_fields> fields{};

    auto operator<=>(const Kind&) const = default;
  };
  // A record of the open call.
  struct Pending {
    std::uint32_t kind = 0;  // index into kinds_
    std::uint64_t request = 0;
  };

  static Kind make_kind(const Event& event);
  std::uint32_t number(const Kind& kind);

  bool is_regular_ = true;
  std::size_t depth_ = 0;  // of the open call with records; 0: none
  std::vector<Pending> pending_;
  std::vector<Kind> kinds_;
  std::map<Kind, std::uint32_t> numbers_;
  std::string calls_;  // varints
  // Values of the previous call; later calls are stored as differences to these.
  std::uint64_t last_path_ = 0, last_iteration_ = 0, last_end_ = 0, last_request_ = 0;
};

}  // namespace tracefold
