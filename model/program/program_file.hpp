// What a plan says of the file tracefold.profiles beside it. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

// Whether what every process does is recorded for it, besides what else is read; and what metrics
// of members say (member_metrics.hpp), which may take a reading of its own.
enum class RecordProgram : std::uint8_t { no, yes, with_members };

// How exact the file is, and what had no room in it.
struct ProgramDetail {
  unsigned percent = 1;                    // times are at most that far from the recorded ones
  std::size_t iterations_per_column = 1;   // of a series, that share a value; 0: there are none
  std::vector<std::string> left_out = {};  // in words for people: "who waits for whom"

  bool operator==(const ProgramDetail&) const = default;
};

// The whole file.
struct PackedProgram {
  std::string bytes;
  ProgramDetail detail;
};

struct ProgramFile {
  std::string sha256;
  ProgramDetail detail;

  bool operator==(const ProgramFile&) const = default;
};

}  // namespace tracefold
