// Who makes others wait, and by what: messages that were sent or received late, and collective
// operations in which one came last. Plain data; times are in seconds.
#pragma once

#include "model/profile/metric.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

// Why others wait: what was done in calls of a function in calls of another one.
struct WaitingCause {
  enum class Kind : std::uint8_t { computation, other, waiting, unknown };

  Kind kind = Kind::unknown;  // unknown: there are no functions
  std::string function;
  std::string caller;  // of it; empty where it has none
  double seconds = 0;

  bool operator==(const WaitingCause&) const = default;
};

// A process that comes late.
struct LateProcess {
  std::size_t process = 0;
  std::string name;                  // "rank 3", "rank 3, thread 1", or as the trace calls it
  double seconds = 0;                // that others wait for it
  double passed_on = 0;              // of them: that it was late by waiting itself
  std::vector<WaitingCause> causes;  // the longest first

  bool operator==(const LateProcess&) const = default;
};

// Who comes last in collective operations of a kind.
struct LastInCollectives {
  struct Last {
    std::string name;
    double seconds = 0;  // that others wait for it in them

    bool operator==(const Last&) const = default;
  };
  Metric metric = Metric::none;
  double seconds = 0;
  std::vector<Last> last;  // the longest first

  bool operator==(const LastInCollectives&) const = default;
};

struct WaitingReport {
  // All that is waited for late senders, late receivers and in collective operations, and how much
  // of it those that came late were late by waiting themselves, and by computing.
  struct Sum {
    double seconds = 0, passed_on = 0, computing = 0;

    bool operator==(const Sum&) const = default;
  };
  Sum late_sender, late_receiver, collective;
  bool knows_collectives = false;
  bool knows_delays = false;  // why processes come late; else there are no late processes
  std::vector<LastInCollectives> collectives;  // by kind, the longest first
  std::vector<LateProcess> processes;          // the longest first
  std::vector<WaitingCause> causes;            // of all of them, the longest first

  double seconds() const {
    return late_sender.seconds + late_receiver.seconds + collective.seconds;
  }
  double passed_on() const {
    return late_sender.passed_on + late_receiver.passed_on + collective.passed_on;
  }
};

}  // namespace tracefold
