#include "pipeline/iterations/recorded_processes.hpp"

#include "base/for_each_index.hpp"
#include "base/interrupt.hpp"

#include <optional>
#include <utility>

namespace tracefold {

namespace {

// Which calls make the iterations of a process, by loop; none where that is not known.
std::optional<std::vector<IterationCounts>> list_calls(const AlignedProcesses& aligned,
                                                       const SearchedLoops* searched,
                                                       std::size_t process) {
  const auto at = aligned.counted.find(process);
  const auto source = at == aligned.counted.end() ? process : at->second;
  const auto& loops = aligned.loops[source];
  std::vector<IterationCounts> counts;
  if (loops.loops.empty())
    return counts;
  if (!searched || loops.taken_from)
    return std::nullopt;

  for (const auto& loop : loops.loops)
    if (counts.push_back(searched->count_calls(source, loop)); counts.back().empty())
      return std::nullopt;
  return counts;
}

}  // namespace

std::vector<std::size_t> RecordedProcesses::pass_on(const std::vector<std::size_t>& all,
                                                    MeasuredTotals* totals,
                                                    ProgramRecorder* program) const {
  const auto processes = pass_.trace().list_own(all);
  if (!calls_.series)
    return processes;

  std::vector<char> is_done(processes.size());
  for_each_index(processes.size(), [&](std::size_t k) {
    check_stop();
    is_done[k] = pass_on_one(processes[k], totals, program);
  });

  std::vector<std::size_t> rest;
  for (std::size_t k = 0; k < processes.size(); ++k)
    if (!is_done[k])
      rest.push_back(processes[k]);
  return rest;
}

bool RecordedProcesses::pass_on_one(std::size_t process, MeasuredTotals* totals,
                                    ProgramRecorder* program) const {
  const auto loops = list_calls(aligned_, calls_.loops.get(), process);
  if (!loops)
    return false;

  const std::vector<bool> no_functions(pass_.functions().size());
  auto recorded = pass_.take(*calls_.series, process, *loops,
                             program ? program->path_functions() : no_functions);
  if (!recorded)
    return false;

  if (totals)
    add_totals(process, *recorded, *totals);
  if (program)
    program->add(process, std::move(*recorded));
  return true;
}

void RecordedProcesses::add_totals(std::size_t process, const RecordedProcess& recorded,
                                   MeasuredTotals& totals) const {
  const auto width = static_cast<std::ptrdiff_t>(pass_.columns().size());
  std::size_t iteration = 0;
  for (auto at = recorded.iterations.begin(); at != recorded.iterations.end(); at += width)
    totals.add(process, iteration++, WideSums(std::vector(at, at + width)));
}

}  // namespace tracefold
