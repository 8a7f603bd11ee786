// What processes call: functions, the call pairs that they form, and intents, the sets of call
// pairs by which processes are grouped. Plain data.
//
// Source: structural V and thesis 3.2 (call pairs with a virtual root).
#pragma once

#include "base/packed_values.hpp"

#include <compare>
#include <cstdint>
#include <string>
#include <tuple>
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
  // The name and what tells it from others of that name (function_names.hpp); empty: the name.
  std::string distinct_name = {};

  // The name that people are shown.
  const std::string& shown_name() const { return distinct_name.empty() ? name : distinct_name; }

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

}  // namespace tracefold
