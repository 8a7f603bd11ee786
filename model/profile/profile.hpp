// The result of one pass over the events of a process: its call pairs, the time of its functions,
// and what else it records. Plain data, one owner at a time.
#pragma once

#include "base/packed_values.hpp"
#include "model/profile/intent.hpp"
#include "otf2/event.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

struct FunctionTime {
  FunctionIndex function = 0;
  std::uint64_t visits = 0;
  std::uint64_t exclusive = 0;  // ticks, always below 2^63
};
auto list_members(Like<FunctionTime> auto& time) {
  return std::tie(time.function, time.visits, time.exclusive);
}

// A call pair that samples have shown, and how often.
struct SampledPair {
  CallPair pair;
  std::uint64_t samples = 0;

  bool operator==(const SampledPair&) const = default;
};
auto list_members(Like<SampledPair> auto& sampled) {
  return std::tie(sampled.pair, sampled.samples);
}

struct Profile {
  Intent intent;                                     // without pairs that only samples show
  std::vector<SampledPair> sampled;                  // ascending
  std::uint64_t samples = 0;                         // number of samples that show calls
  std::vector<FunctionTime> functions;               // that are called, ascending
  std::array<std::uint64_t, event_kinds> records{};  // per kind of event
  std::uint64_t unknown_records = 0;
  std::uint64_t events = 0;
  std::uint64_t first_time = 0;  // ticks, 0 without events
  std::uint64_t last_time = 0;
  std::uint64_t recording_off = 0;  // ticks
  bool has_messages = false;        // sends or receives MPI messages
  bool is_open = false;             // calls are open at its end, and it has not called MPI_Finalize
  // MPI ranks that it sends messages to, ascending; incomplete where there are very many.
  std::vector<std::uint32_t> receivers;
};
auto list_members(Like<Profile> auto& profile) {
  return std::tie(profile.intent, profile.sampled, profile.samples, profile.functions,
                  profile.records, profile.unknown_records, profile.events, profile.first_time,
                  profile.last_time, profile.recording_off, profile.has_messages, profile.is_open,
                  profile.receivers);
}

// The profiles of many processes, without details of single locations. Equal intents are stored
// once.
struct Profiles {
  struct One {
    std::uint32_t intent = 0;              // index into `intents`
    std::vector<std::uint64_t> exclusive;  // ticks, of the functions in `kept`
    std::uint64_t rest = 0;                // ticks, of all others
  };
  std::vector<Intent> intents;  // distinct, in the order of the first processes that have them
  std::vector<One> processes;
  // By intent: indexes among the functions that it calls. Empty: all functions of each intent, in
  // order.
  std::vector<std::vector<std::size_t>> kept = {};
};

// The functions that an intent calls, and those that samples show, ascending.
inline std::vector<FunctionIndex> find_called_functions(const Intent& intent,
                                                        std::span<const SampledPair> sampled = {}) {
  std::vector<FunctionIndex> called;
  called.reserve(intent.pairs.size() + sampled.size());
  for (const auto& pair : intent.pairs)
    called.push_back(pair.callee);
  for (const auto& shown : sampled)
    called.push_back(shown.pair.callee);
  std::sort(called.begin(), called.end());
  called.erase(std::unique(called.begin(), called.end()), called.end());

  return called;
}

}  // namespace tracefold
