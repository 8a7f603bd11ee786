// A run of a program for a comparison with others: its processes in groups, and what each did by
// call path. Plain data.
#pragma once

#include "model/messages/early_messages.hpp"
#include "model/plan.hpp"
#include "model/profile/call_path_profile.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// What the time of a run goes to, where it was played again (pipeline/replay/replay.hpp). Seconds.
struct PlayedRun {
  double run = 0;      // as recorded; the critical path is as long
  double network = 0;  // by how much it is shorter on a network that costs nothing
  // Of the plan: between whom messages are slow, or of whom all are; empty: no certain ones.
  std::vector<std::size_t> slow_ends = {};
  double before = 0, in_loops = 0, behind = 0;  // the main loops; without any, all is `before`
  std::uint64_t iterations = 0;  // of the main loop; 0: none, or their number is unsure
  // By call path, in main loops and outside of them.
  struct ByPath {
    std::vector<double> in_loops, outside;
  };
  ByPath on_path;          // what of the critical path is in it
  ByPath on_network = {};  // what of it the network takes there; empty: not known
};

struct ComparedRun {
  std::string name;        // the file that was given
  Plan plan;               // with groups and their names
  CallPathProfiles calls;  // by process of the plan; paths name its functions
  double percent = 0;      // times are exact to so many percent; 0: exact
  // Seconds from first to last record, without those in which recording is off; none: not known.
  std::optional<double> run_time = {};
  double recording_off = 0;  // seconds
  EarlyMessages early_messages = {};
  std::optional<PlayedRun> played = {};  // none: not known
};

}  // namespace tracefold
