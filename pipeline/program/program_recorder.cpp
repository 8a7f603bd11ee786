#include "pipeline/program/program_recorder.hpp"

#include "model/plan.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/profile/merge_call_paths.hpp"
#include "pipeline/program/describe_program.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

std::vector<std::size_t> list_columns(const MetricColumns& columns) {
  std::vector<std::size_t> all(columns.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

}  // namespace

// One process: its sums while it is read, and then its part.
struct ProgramRecorder::Recorded {
  Recorded(const MetricColumns& columns, std::vector<std::size_t> lengths_of_loops)
      : lengths(std::move(lengths_of_loops)),
        sums(std::in_place, list_columns(columns)),
        loops(lengths.size()) {}

  void add_iteration(const CallPathProfile& profile, const MetricColumns& columns) {
    sums->add(profile);
    while (loops[loop].iterations() == lengths[loop])
      ++loop;
    values.assign(columns.size(), 0);
    for (const auto& [column, value] : profile.values)
      values[column] += value;
    leave_rest(columns, values);
    loops[loop].add(values);
  }

  std::vector<std::size_t> lengths;  // of loops
  std::optional<SeriesSums> sums;
  std::size_t loop = 0;               // of the next iteration, or one before it
  std::vector<std::uint64_t> values;  // of the last iteration
  std::vector<IterationRows> loops;
  CallPathPart calls;
  std::uint64_t first_time = 0, last_time = 0;
};

ProgramRecorder::ProgramRecorder(const SeriesPass& pass, FindLengths find_lengths)
    : pass_(pass),
      find_lengths_(std::move(find_lengths)),
      processes_(pass.trace().plan().processes.size()) {}

ProgramRecorder::~ProgramRecorder() = default;

void ProgramRecorder::add(const SeriesIteration& it) {
  auto& process = processes_[it.process];
  if (!process)
    process = std::make_unique<Recorded>(pass_.columns(), find_lengths_(it.process));
  process->add_iteration(it.profile, pass_.columns());
}

void ProgramRecorder::end(const SeriesEnd& end) {
  auto& process = processes_[end.process];
  if (!process)
    process = std::make_unique<Recorded>(pass_.columns(), find_lengths_(end.process));
  process->sums->add(end.outside);
  process->sums->set_tree(end.paths);
  process->calls = std::move(*process->sums).make_part(end.process);
  process->sums.reset();
  process->values = {};
  for (auto& loop : process->loops)
    loop.finish();
  process->first_time = end.first_time;
  process->last_time = end.last_time;
}

std::vector<std::size_t> ProgramRecorder::list_missing() const {
  std::vector<std::size_t> missing;
  for (std::size_t p = 0; p < processes_.size(); ++p)
    if (!processes_[p])
      missing.push_back(p);
  return missing;
}

ProgramProfiles ProgramRecorder::take() {
  const auto& plan = pass_.trace().plan();
  auto out = describe_program(pass_.trace().definitions(), plan);

  std::vector<CallPathPart> parts;
  std::size_t loops = 0;
  for (std::size_t p = 0; p < processes_.size(); ++p) {
    auto& process = *processes_[p];
    out.processes[p].first_time = process.first_time;
    out.processes[p].last_time = process.last_time;
    parts.push_back(std::move(process.calls));
    loops = std::max(loops, process.loops.size());
  }
  out.loops.resize(loops);
  for (auto& loop : out.loops)
    loop.rows.resize(processes_.size());
  for (std::size_t p = 0; p < processes_.size(); ++p)
    for (std::size_t l = 0; l < processes_[p]->loops.size(); ++l)
      out.loops[l].rows[p] = std::move(processes_[p]->loops[l]);

  std::vector<std::uint64_t> locations;
  for (const auto& process : plan.processes)
    locations.push_back(process.id);
  out.calls =
      make_aggregates(pass_.functions(), pass_.time_metrics(), std::move(locations),
                      merge_call_paths(std::move(parts), pass_.columns(), processes_.size()));

  return out;
}

}  // namespace tracefold
