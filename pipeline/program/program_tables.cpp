#include "pipeline/program/program_tables.hpp"

#include "base/error.hpp"

#include <nlohmann/json.hpp>

#include <charconv>
#include <system_error>

namespace tracefold {

std::string name_stored_column(const MetricColumns& columns, std::size_t column) {
  if (const auto* counter = columns.counter(column))
    return "counter " + counter->name;
  return std::string(get_entry(columns.measured[column]).name);
}

std::string name_series_column(const MetricColumns& columns, std::size_t column) {
  if (column < columns.measured.size() && columns.measured[column] == Metric::execution_time)
    return "computation time";
  return name_stored_column(columns, column);
}

std::string name_topology_table(std::size_t topology) {
  return "process/topology " + std::to_string(topology);
}

bool is_sum_over_processes(std::string_view table) {
  return table.ends_with("/by path") || table.ends_with("/by iteration");
}

bool has_call_paths(std::string_view table) {
  return table.starts_with("calls/") && !table.ends_with("/by process");
}

std::optional<std::size_t> find_series_loop(std::string_view table) {
  constexpr std::string_view begin = "loop ";
  if (!table.starts_with(begin) || table.ends_with("/by process") || table.ends_with("/iterations"))
    return std::nullopt;
  std::size_t loop = 0;
  const auto read = std::from_chars(table.data() + begin.size(), table.data() + table.size(), loop);
  return read.ec == std::errc() ? std::optional(loop) : std::nullopt;
}

std::size_t count_series_columns(std::uint64_t iterations, const ProgramDetail& detail) {
  const auto together = detail.iterations_per_column;
  return static_cast<std::size_t>(iterations / together + (iterations % together > 0));
}

std::size_t count_values(const CallPathProfiles& profiles) {
  std::size_t values = 0;
  for (const auto& process : profiles.processes)
    values += profiles.shapes[process.shape].paths.size() * profiles.columns.size();
  return values;
}

nlohmann::ordered_json write_frame(Aggregates calls) {
  calls.locations.clear();
  calls.profiles.processes.clear();
  return aggregates_to_json(calls);
}

void refuse_program(const std::string& why) {
  throw Error(ErrorKind::input, "is no file of profiles that can be read: " + why);
}

}  // namespace tracefold
