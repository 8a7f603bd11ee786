// What processes did between their calls of MPI, and whom they waited for there: what delays are
// found from, and what a run is played again from.
//
// Plain data. Memory: 52 bytes for each wait, that of time_line.hpp and call_dependencies.hpp.
#pragma once

#include "pipeline/delays/call_times.hpp"
#include "pipeline/delays/time_line.hpp"
#include "pipeline/messages/call_dependencies.hpp"
#include "pipeline/messages/partner_amounts.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

// As one process recorded it.
struct RecordedTimes {
  CallTimes times;
  std::vector<KnownWait> waits;  // in the order of their calls' ends
  CallDependencies dependencies;
  // By its own call path: 1 more than its number in the tree of all processes; 0: it is not there.
  // Path 0 is for the time in which the recorder wrote its buffer.
  std::vector<PathIndex> path_in_all;
  std::uint64_t begin = 0;  // the end of its MPI_Init, else its first event; ticks
};

struct TimedProcess {
  TimeLine line;
  // By whom they are for, then in the order of their calls' ends. `late` are processes.
  std::vector<KnownWait> waits;
  std::vector<std::uint32_t> by_end;  // their numbers, in the order of their calls' ends alone
  std::map<CollectiveMatcher::Key, std::vector<CallTimes::Meeting>> meetings;
  CallDependencies dependencies;
  std::uint64_t begin = 0;

  // The waits for a process.
  std::span<const KnownWait> find_waits(std::size_t process) const;
};

// The process that a location stands for in waits; none where it has no times. Thread-safe.
using FindLate = std::function<std::optional<std::size_t>(std::uint64_t location)>;
// Whether an operation in which processes meet is matched. Thread-safe.
using IsMeeting = std::function<bool(const CollectiveMatcher::Key&)>;

// By process.
std::vector<TimedProcess> make_timed(std::vector<RecordedTimes> recorded, const FindLate& find_late,
                                     const IsMeeting& is_meeting);

}  // namespace tracefold
