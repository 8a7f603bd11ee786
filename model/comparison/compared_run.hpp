// A run of a program as it is compared with others: its processes in groups, and what each of them
// did by call path. Plain data.
#pragma once

#include "model/plan.hpp"
#include "model/profile/call_path_profile.hpp"

#include <string>

namespace tracefold {

struct ComparedRun {
  std::string name;        // as people know it: the file that was given
  Plan plan;               // with groups and names of these
  CallPathProfiles calls;  // by process of the plan; paths name its functions
  double percent = 0;      // how exact times are; 0: exact
};

}  // namespace tracefold
