// A run of a program for a comparison with others: its processes in groups, and what each did by
// call path. Plain data.
#pragma once

#include "model/messages/early_messages.hpp"
#include "model/plan.hpp"
#include "model/profile/call_path_profile.hpp"

#include <optional>
#include <string>

namespace tracefold {

struct ComparedRun {
  std::string name;        // the file that was given
  Plan plan;               // with groups and their names
  CallPathProfiles calls;  // by process of the plan; paths name its functions
  double percent = 0;      // times are exact to so many percent; 0: exact
  // Seconds from first to last record, without those in which recording is off; none: not known.
  std::optional<double> run_time = {};
  double recording_off = 0;  // seconds
  EarlyMessages early_messages = {};
};

}  // namespace tracefold
