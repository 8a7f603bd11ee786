#include "pipeline/expand/call_times.hpp"

#include "model/plan.hpp"

namespace tracefold {

namespace {

// By process, in ticks.
std::vector<std::uint64_t> read_first_times(const StoredProgram& stored) {
  const auto* table = stored.file().find("process/first time");
  if (!table || table->rows != stored.size() || table->columns != 1)
    throw Error(ErrorKind::input, "tracefold.profiles does not say when processes begin");
  return stored.file().read(*table);
}

}  // namespace

StoredCallTimes::StoredCallTimes(const WholeProgram& program, const FunctionTable& functions)
    : profiles_(program.calls.profiles),
      time_column_(*profiles_.columns.find(Metric::execution_time)),
      tree_(PathNumbers::make_tree(
          rename_functions(profiles_.paths, program.plan.functions, functions.functions()))),
      first_times_(read_first_times(*program.stored)) {
  for (std::size_t p = 0; p < program.plan.processes.size(); ++p)
    processes_.emplace(program.plan.processes[p].id, p);
}

ProcessPace StoredCallTimes::find_pace(const CallTemplate& calls, std::uint64_t location) const {
  const auto process = processes_.find(location);
  if (process == processes_.end())
    return {};

  std::vector<std::uint64_t> ticks(profiles_.paths.size());
  const auto sums = sum_with_callees(profiles_, process->second, time_column_);
  const auto& paths = profiles_.shape(process->second).paths;
  for (std::size_t k = 0; k < paths.size(); ++k)
    ticks[paths[k]] = sums[k];

  ProcessPace pace{first_times_[process->second], std::vector<CallPace>(calls.mpi_paths.size())};
  PathNumbers numbers;
  for (std::size_t k = 0; k < calls.mpi_paths.size(); ++k) {
    const auto& known = calls.mpi_paths[k];
    const auto stored = numbers.find(tree_, known.path, calls.tree);
    if (stored == no_path)
      continue;
    const auto told = static_cast<double>(ticks[stored]);
    if (known.ticks > 0)
      pace.calls[k].scale = told / static_cast<double>(known.ticks);
    else
      pace.calls[k].more = told / static_cast<double>(known.calls);
  }

  return pace;
}

}  // namespace tracefold
