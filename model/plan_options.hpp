// What `group` and `select` were asked for, as the plan records it: how processes
// are compared, and which of a group are kept. Plain data, with the words and the
// JSON that stand for it.
//
// Source: structural V and VIII.B, thesis 4.2.3, 4.2.4, 4.3 and 4.4.1.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

enum class CompareBy { pairs, functions };

// How processes are compared; what is left out here stays in the trace.
struct Comparison {
  CompareBy by = CompareBy::pairs;
  std::vector<std::string> ignore = {};  // globs of function names
  bool ignore_root = false;              // artificial roots, too
  std::vector<std::string> combine =
      {};  // globs of location names, or of "location group's name/location's name"

  bool operator==(const Comparison&) const = default;
};

enum class Choice { first, medoid, slowest };

inline constexpr std::size_t auto_per_group = 0;

// Which processes of a group are kept.
struct Selection {
  Choice choice = Choice::medoid;          // of each cluster
  std::size_t per_group = 1;               // clusters by time; or auto_per_group
  bool keep_extremes = false;              // the fastest and the slowest, too
  std::vector<std::uint64_t> always = {};  // location ids, ascending: kept for themselves

  bool operator==(const Selection&) const = default;
};

// "pairs" or "functions"; "first", "medoid" or "slowest"; "auto" or a number from
// 1. They throw Error(usage) on another word.
CompareBy compare_by_of(std::string_view word);
std::string_view word_of(CompareBy by);
Choice choice_of(std::string_view word);
std::size_t per_group_of(std::string_view word);

// Objects of a plan. Reading throws Error(usage) or what the JSON library throws.
nlohmann::ordered_json to_json(const Comparison& comparison);
nlohmann::ordered_json to_json(const Selection& selection);
Comparison comparison_from_json(const nlohmann::ordered_json& in);
Selection selection_from_json(const nlohmann::ordered_json& in);

}  // namespace tracefold
