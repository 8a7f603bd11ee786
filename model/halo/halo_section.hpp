// The halo of a reduced trace: processes that stay only as partners of messages of kept ones. Both
// the options and the chosen processes. Plain data, with its words and JSON.
//
// Source: docs/design.md, the rule "halo".
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

class JsonFields;

struct HaloOptions {
  static constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

  // The largest number of partners that stay for each kept process; those with most bytes come
  // first. 0: no halo.
  std::size_t most_per_process = 4;
  // The halo has at most as many processes and at most as many events as are kept; partners of
  // several kept processes come first.
  bool is_bounded = true;

  bool operator==(const HaloOptions&) const = default;
};

// A rank in the halo.
struct HaloRank {
  std::vector<std::uint64_t> locations;  // ids in the trace that is read, ascending
  // The kept processes that it exchanges messages with: location ids of MPI ranks, ascending. And
  // the messages and bytes that they exchange outside of collapsed iterations.
  std::vector<std::uint64_t> partners;
  std::uint64_t messages = 0, bytes = 0;

  bool operator==(const HaloRank&) const = default;
};

struct HaloSection {
  HaloOptions asked;
  std::vector<HaloRank> ranks;  // chosen when a trace is written, ordered by their first location
};

// "auto", "all", "off" or a number from 1. Throws Error(usage) for other words.
HaloOptions parse_halo(std::string_view word);
std::string to_text(const HaloOptions& options);

// For JSON objects of a plan (base/json_fields.hpp). Reading throws Error(usage), too.
void list_fields(JsonFields& fields, HaloSection& section);

}  // namespace tracefold
