#include "pipeline/answers/compare_iterations.hpp"

#include "model/describe_group.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

std::vector<bool> list_class_functions(const JoinedRuns& runs, std::size_t r,
                                       const std::optional<ClassIndex>& of) {
  std::vector<bool> wanted(runs.run(r).plan.functions.size());
  for (std::size_t f = 0; of && f < wanted.size(); ++f)
    wanted[f] = runs.calls.names.class_of[r][f] == *of;
  return wanted;
}

bool takes_time(const std::vector<double>& times) {
  return std::any_of(times.begin(), times.end(), [](double time) { return time > 0; });
}

// "rank 3", or "8 of 36 processes, inside of the grid".
std::string name_processes(const Plan& plan, const IterationChoice& choice, std::size_t known) {
  if (choice.candidates == 1)
    return name_process(plan.processes[choice.a.front()]);
  return fmt::format("{} of {} processes, {}", known, choice.candidates,
                     label_group(plan, choice.group));
}

}  // namespace

std::optional<ClassIndex> add_iterations(const ReadComparedRun& a, const ReadComparedRun& b,
                                         const JoinedRuns& runs, RunComparison& out) {
  const auto choice = choose_iterations(runs);
  if (!choice)
    return std::nullopt;
  auto of_a = read_iteration_times(a, choice->a, list_class_functions(runs, 0, choice->function));
  auto of_b = read_iteration_times(b, choice->b, list_class_functions(runs, 1, choice->function));
  if (!of_a || !of_b)
    return std::nullopt;

  const bool knows_function =
      choice->function && takes_time(of_a->of_functions) && takes_time(of_b->of_functions);
  ComparedIterations it;
  it.processes = of_a->processes;
  it.process = name_processes(runs.a.plan, *choice, of_a->processes);
  if (knows_function)
    it.function = runs.calls.name_class(*choice->function);
  it.a = std::move(knows_function ? of_a->of_functions : of_a->computation);
  it.b = std::move(knows_function ? of_b->of_functions : of_b->computation);
  mark_iterations(it, runs.noise);
  out.iterations = std::move(it);
  return choice->function;
}

}  // namespace tracefold
