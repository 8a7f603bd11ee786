// Who waits for whom, and what makes others wait: the part of StoredProgram that reads it.
#include "model/profile/time_metric.hpp"
#include "pipeline/facts/program_tables.hpp"
#include "pipeline/facts/stored_program.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

std::optional<std::vector<ProgramPair>> StoredProgram::read_pairs() const {
  const auto& about = file_.about();
  const auto has_pairs = about.find("has_pairs");
  if (has_pairs == about.end() || *has_pairs != true)
    return std::nullopt;
  const auto* senders = file_.find(name_pairs_table("sender"));
  if (!senders)
    return std::vector<ProgramPair>();

  if (senders->rows > std::min(most_stored_pairs, processes_ * processes_))
    refuse_program("it has too many pairs of processes");
  const auto rows = static_cast<std::size_t>(senders->rows);
  const auto read = [&](std::string_view column) {
    return read_table(name_pairs_table(column), rows, 1);
  };
  const auto from = read("sender"), to = read("receiver"), messages = read("messages"),
             bytes = read("bytes"),
             late_sender = read(get_entry(Metric::mpi_late_sender_time).name),
             late_receiver = read(get_entry(Metric::mpi_late_receiver_time).name);
  std::vector<ProgramPair> out;
  for (std::size_t k = 0; k < rows; ++k) {
    if (from[k] >= processes_ || to[k] >= processes_)
      refuse_program("it has pairs of processes that are not there");
    if (k > 0 && std::pair(from[k], to[k]) <= std::pair(from[k - 1], to[k - 1]))
      refuse_program("its pairs of processes do not ascend");
    out.push_back({static_cast<std::size_t>(from[k]), static_cast<std::size_t>(to[k]), messages[k],
                   bytes[k], late_sender[k], late_receiver[k]});
  }

  return out;
}

std::optional<std::map<Metric, std::vector<std::uint64_t>>> StoredProgram::read_caused() const {
  std::map<Metric, std::vector<std::uint64_t>> out;
  for (auto metric : columns().list_waits())
    if (is_collective_wait(metric)) {
      auto caused = read_caused(metric);
      if (!caused)
        return std::nullopt;
      out.emplace(metric, std::move(*caused));
    }

  return out;
}

std::optional<std::vector<std::uint64_t>> StoredProgram::read_caused(Metric metric) const {
  if (is_cut_ || !columns().find(metric))
    return std::nullopt;
  const auto name = name_caused_table(metric);
  return file_.find(name) ? read_field(name) : std::vector<std::uint64_t>(processes_);
}

std::optional<std::vector<ProgramDelay>> StoredProgram::read_delays() const {
  const auto& about = file_.about();
  const auto has_delays = about.find("has_delays");
  if (is_cut_ || has_delays == about.end() || *has_delays != true)
    return std::nullopt;
  const auto* processes = file_.find(name_delays_table("process"));
  if (!processes)
    return std::vector<ProgramDelay>();

  const auto paths = frame_.profiles.paths.size();
  if (processes->rows > most_stored_delays || processes->rows > processes_ * (paths + 2))
    refuse_program("it has too many delays");
  const auto rows = static_cast<std::size_t>(processes->rows);
  const auto of = read_table(name_delays_table("process"), rows, 1),
             path = read_table(name_delays_table("call path"), rows, 1);
  std::vector<ProgramDelay> out(rows);
  for (std::size_t k = 0; k < rows; ++k) {
    if (of[k] >= processes_ || path[k] > paths + 1)
      refuse_program("it has delays of processes or call paths that are not there");
    if (k > 0 && std::pair(of[k], path[k]) <= std::pair(of[k - 1], path[k - 1]))
      refuse_program("its delays do not ascend");
    out[k].process = static_cast<std::size_t>(of[k]);
    if (path[k] > 0)
      out[k].path = static_cast<PathIndex>(path[k] - 1);
  }
  for (const auto& time : stored_delay_times) {
    const auto name = name_delays_table(time.name);
    if (!file_.find(name))
      continue;
    const auto ticks = read_table(name, rows, 1);
    for (std::size_t k = 0; k < rows; ++k)
      (out[k].*time.part).*time.ticks = ticks[k];
  }

  return out;
}

std::vector<ProgramReplay> StoredProgram::read_replays() const {
  auto out = replays_;
  const auto paths = frame_.profiles.paths.size();
  for (std::size_t r = 0; r < out.size(); ++r) {
    const auto name = [&](std::string_view column) { return name_critical_path_table(r, column); };
    const auto* processes = file_.find(name("process"));
    if (!processes)
      continue;
    if (processes->rows > processes_ * (paths + 2))
      refuse_program("it has too much on a critical path");
    const auto rows = static_cast<std::size_t>(processes->rows);
    const auto of = read_table(name("process"), rows, 1),
               called = read_table(name("call path"), rows, 1),
               ticks = read_table(name("ticks"), rows, 1);
    for (std::size_t k = 0; k < rows; ++k) {
      if (of[k] >= processes_ || called[k] > paths + 1)
        refuse_program("it has a critical path of processes or call paths that are not there");
      out[r].critical_path.times.push_back(
          {static_cast<std::size_t>(of[k]), static_cast<PathIndex>(called[k]), ticks[k]});
    }
    const auto* slots = file_.find(name("over time"));
    if (!slots)
      continue;
    if (slots->rows > CriticalPath::most_slots)
      refuse_program("it has a critical path in too many slots");
    for (auto place : read_table(name("over time"), static_cast<std::size_t>(slots->rows), 1)) {
      if (place >= processes_ + CriticalPath::first_process)
        refuse_program("it has a critical path of processes that are not there");
      out[r].critical_path.over_time.push_back(static_cast<std::uint32_t>(place));
    }
  }

  return out;
}

std::vector<ProgramSequence> StoredProgram::read_sequences() const {
  std::vector<ProgramSequence> out;
  if (!parts_.has_sequences)
    return out;
  std::uint64_t numbers = 0;
  out.resize(processes_);
  for (const auto& [name, list, is_time] : sequence_lists) {
    const auto* table = file_.find(name_sequence_table(name));
    if (!table || table->columns > most_sequence_numbers)
      refuse_program("it has not all that the run is played from");
    const auto columns = static_cast<std::size_t>(table->columns);
    numbers += columns * processes_;
    if (numbers > most_sequence_numbers)
      refuse_program("it has too much that the run is played from");
    const auto values = read_table(table->name, processes_, columns);
    for (std::size_t p = 0; p < processes_; ++p)
      (out[p].*list)
          .assign(values.begin() + static_cast<std::ptrdiff_t>(p * columns),
                  values.begin() + static_cast<std::ptrdiff_t>((p + 1) * columns));
  }
  return out;
}

}  // namespace tracefold
