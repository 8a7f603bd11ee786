// What became of one trace of a job. Plain data, and as one line of JSON.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

enum class JobStatus : std::uint8_t {
  done,
  exists,    // there is something of the output's name
  busy,      // another process reduces this trace
  no_trace,  // there is none in the folder
  disk_full,
  no_permission,
  damaged,   // the trace cannot be read
  changing,  // its files changed while they were read
  timeout,
  interrupted,
  failed,
  wrong_use,
  own  // a trace that tracefold has made; it is no line of a log
};

struct JobOutcome {
  JobStatus status = JobStatus::failed;
  std::filesystem::path trace = {};   // the anchor, or the folder where there is no trace
  std::filesystem::path output = {};  // empty: there would be none
  std::optional<std::uint64_t> bytes = {}, small_bytes = {};  // of the trace, and of the output
  double seconds = 0;
  bool is_deleted = false;  // the original, after it was verified
  std::vector<std::string> warnings = {};
  std::string message = {};  // what is to be known besides
};

// As "disk full".
std::string_view to_text(JobStatus status);

// What one process tells another: a line without its end. None where it is none.
std::string pack_outcome(const JobOutcome& outcome);
std::optional<JobOutcome> unpack_outcome(const std::string& line);

}  // namespace tracefold
