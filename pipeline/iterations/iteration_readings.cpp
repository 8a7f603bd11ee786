#include "pipeline/iterations/iteration_readings.hpp"

#include "base/packed_values.hpp"
#include "base/team.hpp"

#include <algorithm>
#include <optional>

namespace tracefold {

namespace {

constexpr std::uint64_t most_for_series = std::uint64_t{1} << 30;  // bytes
constexpr std::uint64_t part_for_stored_profiles = 8;
constexpr std::uint64_t most_for_stored_profiles = std::uint64_t{512} << 20;

}  // namespace

IterationReadings::IterationReadings(const SeriesPass& pass, const AlignedProcesses& aligned)
    : pass_(pass), aligned_(aligned) {
  const auto loops = aligned.folding.empty() ? std::vector<Loop>() : aligned.folded_loops();
  for (std::size_t l = 0; l < loops.size(); ++l) {
    lengths_.push_back(loops[l].iterations.size());
    for (std::size_t i = 0; i < lengths_.back(); ++i)
      iterations_.push_back({l, i});
  }
}

std::size_t IterationReadings::longest_loop() const {
  return *std::max_element(lengths_.begin(), lengths_.end());
}

std::vector<std::size_t> IterationReadings::sample_processes() const {
  const auto bytes = iterations_.size() * SeriesRecorder::bytes_per_iteration(pass_.columns());
  const auto most = std::max<std::uint64_t>(most_for_series / std::max<std::uint64_t>(bytes, 1), 1);
  const auto step = static_cast<std::size_t>((processes().size() + most - 1) / most);

  std::vector<std::size_t> sampled;
  for (std::size_t k = 0; k < processes().size(); k += step)
    sampled.push_back(processes()[k]);

  return sampled;
}

std::vector<std::vector<IterationSeries>> IterationReadings::record_series(
    const std::vector<std::size_t>& sampled, const SeriesCallbacks& also) {
  const auto most = std::min(memory() / part_for_stored_profiles, most_for_stored_profiles);
  const SeriesRecorder recorder(pass_.columns(), pass_.sampled());
  std::map<std::size_t, std::vector<SeriesRecorder>> recorders;      // by process: of each loop
  std::map<std::size_t, std::vector<IterationSeries>> of_processes;  // the same
  for (auto p : sampled) {
    recorders.emplace(p, std::vector<SeriesRecorder>(loops(), recorder));
    stored_.emplace(p, StoredProfiles(most / sampled.size()));
    call_paths_[p];
  }

  const auto own = pass_.read_own(
      sampled, {[&](const SeriesIteration& it) {
                  recorders.at(it.process)[locate(it.iteration).loop].add(it.profile);
                  stored_.at(it.process).add(it.profile);
                  if (also.iteration)
                    also.iteration(it);
                },
                [&](const SeriesEnd& end) {
                  call_paths_.at(end.process).assign(end.paths.begin(), end.paths.end());
                  if (also.end)
                    also.end(end);
                },
                also.keeps_times});

  for (auto& [process, of_loops] : recorders)
    for (auto& of_loop : of_loops)
      of_processes[process].push_back(std::move(of_loop).take());
  share_found(team(), of_processes, own);
  gather_stored(own);
  share_found(team(), call_paths_, own);

  std::vector<std::vector<IterationSeries>> series(loops());
  for (auto& [process, of_loops] : of_processes)
    for (std::size_t l = 0; l < loops(); ++l)
      series[l].push_back(std::move(of_loops[l]));

  return series;
}

void IterationReadings::gather_stored(const std::vector<std::size_t>& own) {
  if (!team())
    return;

  using Stored = std::vector<std::pair<std::size_t, StoredProfiles>>;
  Stored given;
  if (!is_first(team())) {
    for (auto p : own)
      given.emplace_back(p, std::move(stored_.at(p)));
    stored_.clear();
  }
  for (const auto& bytes : team()->gather(pack(given)))
    for (auto& [process, profiles] : unpack<Stored>(bytes))
      stored_.at(process) = std::move(profiles);
}

}  // namespace tracefold
