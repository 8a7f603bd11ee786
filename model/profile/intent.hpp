// Functions, call pairs, and intents: the sets of call pairs by which processes are grouped. Plain
// data.
//
// Source: structural V and thesis 3.2 (call pairs with a virtual root).
#pragma once

#include "base/packed_values.hpp"
#include "otf2/otf2_values.hpp"

#include <compare>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace tracefold {

// Functions are distinguished by name and source line, not by region ids, since some tools define a
// function once for each process.
struct Function {
  std::string name;
  std::string canonical;  // empty where equal to the name
  std::string file;
  std::uint64_t line = 0;
  // The following are those of the first region, and do not distinguish functions.
  std::uint64_t paradigm = 0;  // OTF2_Paradigm
  std::uint64_t role = 0;      // OTF2_RegionRole
  // A name that is unique among all functions (function_names.hpp); empty: the name.
  std::string distinct_name = {};

  // Made up by the measurement.
  bool is_artificial() const { return role == otf2_value::region_role_artificial; }
  // The name for people.
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

// What the processes of a group have in common.
struct Intent {
  std::uint64_t type = 0;       // OTF2_LocationType
  std::vector<CallPair> pairs;  // ascending
  // The member names of each metric class, ascending. Only of processes without calls.
  std::vector<std::string> metrics;

  auto operator<=>(const Intent&) const = default;
};
auto list_members(Like<Intent> auto& intent) {
  return std::tie(intent.type, intent.pairs, intent.metrics);
}

}  // namespace tracefold
