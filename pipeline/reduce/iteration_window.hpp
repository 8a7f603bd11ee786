// The window in time that some iterations of a program's main loop are.
//
// The main loop is the one that takes most of the time. Each process that has it, or takes it from
// another one, keeps the spans in which it is in these iterations. All others keep what lies
// between the first process's begin and the last one's end of each of them.
//
// Source: dynamics 3 (iterations of the main loop).
#pragma once

#include "model/chosen_iterations.hpp"
#include "model/time_window.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tracefold {

struct MainLoopWindow {
  TimeWindow window;
  std::shared_ptr<const ChosenIterations> chosen;
  std::string function;        // what tells the iterations, or where they part
  std::size_t iterations = 0;  // of the process that has most
  std::size_t processes = 0;   // that have the loop
  bool is_unsure = false;      // how many iterations there are
};

// `numbers` ascend, from 0; where the plan has chosen iterations, they are numbers of these.
// Profiles the trace, which the session's plan has after that. Throws Error(usage) where there is
// no loop, or no process has one of the iterations.
MainLoopWindow find_iteration_window(PlanSession& session,
                                     const std::vector<std::uint64_t>& numbers);

}  // namespace tracefold
