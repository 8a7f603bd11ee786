// What one pass over the events of a process tells: its call pairs, the time
// of its functions, and what else it records. Plain data, one owner at a time.
//
// Source: structural V and thesis 3.2 (call pairs with a virtual root).
#pragma once

#include "base/packed_values.hpp"
#include "otf2/event.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

// Functions differ by name and place in the source, never by their region ids: tools
// that write one definition per process give one function many ids.
struct Function {
  std::string name;
  std::string canonical;  // empty where it is the name
  std::string file;
  std::uint64_t line = 0;
  // What follows is of the first region, and does not make functions differ.
  std::uint64_t paradigm = 0;  // OTF2_Paradigm
  bool artificial = false;     // the measurement made it up (OTF2's role ARTIFICIAL)

  auto operator<=>(const Function& other) const { return identity() <=> other.identity(); }
  bool operator==(const Function& other) const { return identity() == other.identity(); }

 private:
  std::tuple<const std::string&, const std::string&, const std::string&, std::uint64_t> identity()
      const {
    return {name, canonical, file, line};
  }
};

// Index into the list of functions of a trace or plan.
using FunctionIndex = std::uint32_t;
inline constexpr FunctionIndex virtual_root = 0xffffffffu;

struct CallPair {
  FunctionIndex caller = virtual_root;
  FunctionIndex callee = 0;

  auto operator<=>(const CallPair&) const = default;
};
auto list_members(Like<CallPair> auto& pair) {
  return std::tie(pair.caller, pair.callee);
}

// What processes of one group share.
struct Intent {
  std::uint64_t type = 0;       // OTF2_LocationType
  std::vector<CallPair> pairs;  // ascending
  // The member names of each metric class, ascending; only where nothing is called.
  std::vector<std::string> metrics;

  auto operator<=>(const Intent&) const = default;
};
auto list_members(Like<Intent> auto& intent) {
  return std::tie(intent.type, intent.pairs, intent.metrics);
}

struct FunctionTime {
  FunctionIndex function = 0;
  std::uint64_t visits = 0;
  std::uint64_t exclusive = 0;  // ticks, always below 2^63
};
auto list_members(Like<FunctionTime> auto& time) {
  return std::tie(time.function, time.visits, time.exclusive);
}

// A call pair that samples show: how many of them.
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
  std::uint64_t samples = 0;                         // that show calls
  std::vector<FunctionTime> functions;               // those that are called, ascending
  std::array<std::uint64_t, event_kinds> records{};  // per kind of event
  std::uint64_t unknown_records = 0;
  std::uint64_t events = 0;
  std::uint64_t first_time = 0;  // ticks, 0 without events
  std::uint64_t last_time = 0;
  bool has_messages = false;  // sends or receives MPI messages
};
auto list_members(Like<Profile> auto& profile) {
  return std::tie(profile.intent, profile.sampled, profile.samples, profile.functions,
                  profile.records, profile.unknown_records, profile.events, profile.first_time,
                  profile.last_time, profile.has_messages);
}

// The profiles of many processes, without what only one location's reader wants
// to know. Few intents are distinct, so each is held once.
struct Profiles {
  struct One {
    std::uint32_t intent = 0;              // index into `intents`
    std::vector<std::uint64_t> exclusive;  // ticks, of each function that the intent calls
  };
  std::vector<Intent> intents;  // distinct, by the first process that has them
  std::vector<One> processes;
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
