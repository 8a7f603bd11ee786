// Which processes make others wait, and why: by messages that are sent or received late, and by
// coming last to collective operations. Plain data; times are in seconds.
#pragma once

#include "model/profile/metric.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

// A reason why others wait: calls of `function` by `caller` that delayed a process.
struct WaitingCause {
  // `measurement`: the recorder wrote its buffer to a file.
  enum class Kind : std::uint8_t { computation, other, measurement, unknown };

  Kind kind = Kind::unknown;  // measurement and unknown: without functions
  std::string function;
  std::string caller;  // empty where nobody calls it
  double seconds = 0;

  bool operator==(const WaitingCause&) const = default;
};

// A process for which others wait.
struct LateProcess {
  std::size_t process = 0;
  std::string name;                  // "rank 3", "rank 3, thread 1", or as the trace calls it
  double seconds = 0;                // that others wait because of it
  double passed_on = 0;              // the part of those that do not wait for it directly
  std::vector<WaitingCause> causes;  // the longest first

  bool operator==(const LateProcess&) const = default;
};

// The processes that come last to collective operations of one kind.
struct LastInCollectives {
  struct Last {
    std::string name;
    double seconds = 0;  // that others wait for it in these operations

    bool operator==(const Last&) const = default;
  };
  Metric metric = Metric::none;
  double seconds = 0;
  std::vector<Last> last;  // the longest first

  bool operator==(const LastInCollectives&) const = default;
};

struct WaitingReport {
  // All waiting because of late senders, of late receivers, and in collectives; how much of it was
  // passed on by those who came late, since they waited themselves; and how much was caused by
  // their computing.
  struct WaitTotal {
    double seconds = 0, passed_on = 0, computing = 0;

    bool operator==(const WaitTotal&) const = default;
  };
  WaitTotal late_sender, late_receiver, collective;
  bool knows_collectives = false;
  bool knows_delays = false;  // why processes come late; if false, there are no late processes
  std::vector<LastInCollectives> collectives;    // by kind, the longest first
  std::vector<LateProcess> processes;            // the longest first
  std::vector<WaitingCause> causes;              // of all late processes, the longest first
  std::vector<Metric> unknown_collectives = {};  // kinds that are not known, where others are

  double seconds() const {
    return late_sender.seconds + late_receiver.seconds + collective.seconds;
  }
  double passed_on() const {
    return late_sender.passed_on + late_receiver.passed_on + collective.passed_on;
  }
};

}  // namespace tracefold
