// The profiles of some processes as one reader found them, and how such parts are merged to the
// profiles of all processes.
//
// A part is a value that does not depend on its thread: it can be packed (base/packed_values.hpp)
// and sent to another process that reads the same trace with the same filters, in which functions
// have the same indexes. Parts are merged at the end; the result does not depend on which part a
// process is in. One thread at a time.
#pragma once

#include "base/packed_values.hpp"
#include "filters/groups/early_ends.hpp"
#include "model/plan.hpp"
#include "model/profile/profile.hpp"
#include "model/run_span.hpp"
#include "pipeline/messages/receivers.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace tracefold {

// The number of messages that are sent, from the numbers of records by kind.
constexpr std::uint64_t count_sends(const std::array<std::uint64_t, event_kinds>& records) {
  return records[static_cast<std::size_t>(EventKind::MpiSend)] +
         records[static_cast<std::size_t>(EventKind::MpiIsend)];
}

// Sums over all processes.
struct TraceTotals {
  std::array<std::uint64_t, event_kinds> records{};
  std::uint64_t unknown_records = 0;
  std::uint64_t events = 0;
  RunSpan run;

  void add(const Profile& profile);
  void add(const TraceTotals& other);
};
auto list_members(Like<TraceTotals> auto& totals) {
  return std::tie(totals.records, totals.unknown_records, totals.events, totals.run);
}

// The merged parts of all processes.
struct MergedProfiles {
  Profiles profiles;
  TraceTotals totals;
  std::vector<LocationReceivers> receivers;  // of each process
  std::vector<RecordEnd> ends;               // of each process
};

// By intent: ticks in each function that it calls, over all of its processes.
using IntentTimes = std::map<Intent, std::vector<std::uint64_t>>;
IntentTimes add_times(IntentTimes times, const IntentTimes& others);

class ProfilePart {
 public:
  // `process` is an index into all processes; `is_whole` says that all of its events were read.
  void add(std::size_t process, Profile profile, bool is_whole);
  // The same for a process with sampled calls. Which of these processes share an intent is known
  // only when all have been read.
  void hold(std::size_t process, Profile profile, bool is_whole);

  // Adds another part with other processes. Equal intents are stored once.
  void append(ProfilePart other);

  // Over the processes that were not held.
  IntentTimes sum_times() const;
  // Reduces the times of each process to those that a plan stores
  // (filters/groups/keep_largest.hpp), given the times of its intent in all parts. Call once,
  // without any later add().
  void keep_largest(const IntentTimes& times);

  // Merges parts that have each process once, and completes `processes`. Intents are numbered by
  // first process. `times` are those given to keep_largest(), if it was called. Throws Error(input)
  // if parts have other processes.
  static MergedProfiles merge(std::vector<ProfilePart> parts, std::vector<Process>& processes,
                              const IntentTimes* times = nullptr);

 private:
  struct One {
    std::size_t process = 0;
    std::uint32_t intent = 0;  // its number
    std::vector<std::uint64_t> exclusive;
    std::uint64_t rest = 0;
    std::uint64_t events = 0;
    bool has_messages = false;
    bool is_whole = true;
    std::vector<std::uint32_t> receivers;
    RecordEnd end;
  };
  struct Held {
    std::size_t process = 0;
    Profile profile;
    bool is_whole = true;
  };

  static void add_held(std::vector<ProfilePart>& parts);
  std::vector<const Intent*> list_intents() const;  // by number

  friend auto list_members(Like<One> auto& one) {
    return std::tie(one.process, one.intent, one.exclusive, one.rest, one.events, one.has_messages,
                    one.is_whole, one.receivers, one.end.last_time, one.end.is_open,
                    one.end.recording_off);
  }
  friend auto list_members(Like<Held> auto& held) {
    return std::tie(held.process, held.profile, held.is_whole);
  }
  friend auto list_members(Like<ProfilePart> auto& part) {
    return std::tie(part.intents_, part.profiles_, part.held_, part.totals_);
  }

  std::map<Intent, std::uint32_t> intents_;
  std::vector<One> profiles_;
  std::vector<Held> held_;
  TraceTotals totals_;
};

}  // namespace tracefold
