// What a plan says of the file tracefold.profiles. Plain data.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

// Whether to record what every process does; for the file, with what it is played again from; and
// also for the metrics of members (member_metrics.hpp), which may need a pass of their own.
enum class RecordProgram : std::uint8_t { no, yes, for_file, with_members };

// How exact the file is, and what it leaves out.
struct ProgramDetail {
  unsigned percent = 1;                    // largest error of times
  std::size_t iterations_per_column = 1;   // of a series, that share a value; 0: no iterations
  std::vector<std::string> left_out = {};  // what had no room, for people: "who waits for whom"

  bool operator==(const ProgramDetail&) const = default;
};

// A complete file.
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
