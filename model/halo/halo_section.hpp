// The halo of a reduced trace: processes that stay only as the other end of messages of kept ones.
// What was asked for, and whom it chose. Plain data, with the words and the JSON for it.
//
// Source: docs/design.md, the rule "halo".
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

struct HaloOptions {
  static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

  // Of each kept process so many partners stay: those with most bytes first. 0: there is no halo.
  std::size_t most_per_process = 4;
  // The halo has at most as many processes as are kept, and at most as many events as these have:
  // partners that serve several kept processes come first.
  bool is_bounded = true;

  bool operator==(const HaloOptions&) const = default;
};

// A rank in the halo.
struct HaloRank {
  std::vector<std::uint64_t> locations;  // ids in the trace that is read, ascending
  // The kept processes that it exchanges messages with, as MPI's ranks mean them: ids of locations,
  // ascending. And what they exchange, outside of iterations that are left out.
  std::vector<std::uint64_t> partners;
  std::uint64_t messages = 0, bytes = 0;

  bool operator==(const HaloRank&) const = default;
};

struct HaloSection {
  HaloOptions asked;
  std::vector<HaloRank> ranks;  // chosen when a trace is written, ordered by their first location
};

// "auto", "all", "off" or a number from 1. Throws Error(usage) on another word.
HaloOptions parse_halo(std::string_view word);
std::string to_text(const HaloOptions& options);

// Objects of a plan. Reading throws Error(usage), Error(input) or what the JSON library throws.
nlohmann::ordered_json to_json(const HaloSection& section);
HaloSection halo_section_from_json(const nlohmann::ordered_json& in);

}  // namespace tracefold
