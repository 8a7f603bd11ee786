// Plans of processes that call what a test says.
#pragma once

#include "filters/groups/group.hpp"
#include "model/profile/profile.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::testing {

class PlanBuilder {
 public:
  // The number of a function, which is made where it is new.
  FunctionIndex function(const std::string& name, std::uint64_t paradigm = 1) {
    for (FunctionIndex f = 0; f < functions_.size(); ++f)
      if (functions_[f].name == name)
        return f;

    Function made;
    made.name = name;
    made.paradigm = paradigm;
    functions_.push_back(made);

    return static_cast<FunctionIndex>(functions_.size() - 1);
  }

  // Calls are {caller, callee}; "" is the virtual root. All functions take `time` ticks.
  PlanBuilder& process(Process p, const std::vector<std::pair<std::string, std::string>>& calls,
                       std::uint64_t time = 1, std::uint64_t type = 1) {
    Intent intent;
    intent.type = type;
    for (const auto& [caller, callee] : calls) {
      const auto from = caller.empty() ? virtual_root : function(caller);
      intent.pairs.push_back({from, function(callee)});
    }

    std::sort(intent.pairs.begin(), intent.pairs.end());
    const auto at = std::find(profiles_.intents.begin(), profiles_.intents.end(), intent);
    profiles_.processes.push_back(
        {static_cast<std::uint32_t>(at - profiles_.intents.begin()),
         std::vector<std::uint64_t>(find_called_functions(intent).size(), time)});
    if (at == profiles_.intents.end())
      profiles_.intents.push_back(intent);

    p.id = processes_.size();
    processes_.push_back(std::move(p));

    return *this;
  }
  // A main thread of a rank.
  PlanBuilder& rank(std::uint64_t number,
                    const std::vector<std::pair<std::string, std::string>>& calls,
                    std::uint64_t time = 1) {
    return thread(number, 0, calls, time);
  }
  PlanBuilder& thread(std::uint64_t number, std::uint64_t thread,
                      const std::vector<std::pair<std::string, std::string>>& calls,
                      std::uint64_t time = 1, std::uint64_t type = 1) {
    Process p;
    p.rank = p.location_group = number;
    p.thread = thread;
    p.is_mpi_endpoint = thread == 0;
    p.name = "thread";

    return process(p, calls, time, type);
  }

  Plan plan() {
    Plan made;
    made.trace.ticks_per_second = 1;
    record_profiles(made, functions_, std::move(processes_), std::move(profiles_));
    return made;
  }

 private:
  std::vector<Function> functions_;
  std::vector<Process> processes_;
  Profiles profiles_;
};

}  // namespace tracefold::testing
