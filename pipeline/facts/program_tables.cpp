#include "pipeline/facts/program_tables.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <system_error>

namespace tracefold {

namespace {

// A name without slashes, which part the words of a table's name. Different names stay different.
std::string escape_slashes(std::string_view name) {
  std::string escaped;
  for (const char letter : name)
    if (letter == '/')
      escaped += "%2F";
    else if (letter == '%')
      escaped += "%25";
    else
      escaped += letter;

  return escaped;
}

}  // namespace

std::string name_stored_column(const MetricColumns& columns, std::size_t column) {
  if (const auto* counter = columns.counter(column))
    return "counter " + escape_slashes(counter->name);
  return std::string(get_entry(columns.measured[column]).name);
}

std::string name_series_column(const MetricColumns& columns, std::size_t column) {
  if (column < columns.measured.size() && columns.measured[column] == Metric::execution_time)
    return "computation time";
  return name_stored_column(columns, column);
}

std::string name_unknown_table(const MetricColumns& columns, std::size_t counter) {
  return "process/unknown " + name_stored_column(columns, counter);
}

std::string name_scope_table(std::size_t scope, const std::string& column) {
  return "scope " + std::to_string(scope) + "/" + column;
}

std::string name_loop_scope(std::size_t loop) {
  return "loop " + std::to_string(loop);
}

std::string name_path_series(std::size_t loop, std::size_t path, const std::string& column) {
  return "loop " + std::to_string(loop) + "/path " + std::to_string(path) + "/" + column;
}

std::string name_map_table(std::size_t map, std::string_view column) {
  return fmt::format("map {}/{}", map, column);
}

std::string name_pairs_table(std::string_view column) {
  return "pairs/" + std::string(column);
}

std::string name_caused_table(Metric metric) {
  return "caused/" + std::string(get_entry(metric).name);
}

std::string name_delays_table(std::string_view column) {
  return "delays/" + std::string(column);
}

std::string name_set_aside_table(std::optional<std::size_t> scope, std::string_view kind) {
  return scope ? fmt::format("set aside/scope {}/{}", *scope, kind)
               : fmt::format("set aside/run/{}", kind);
}

bool is_of_set_aside(std::string_view table) {
  return table.starts_with("set aside/");
}

bool is_of_delays(std::string_view table) {
  return table.starts_with("delays/");
}

std::string name_critical_path_table(std::size_t replay, std::string_view column) {
  return fmt::format("critical path {}/{}", replay, column);
}

bool is_of_critical_path(std::string_view table) {
  return table.starts_with("critical path ");
}

std::string name_sequence_table(std::string_view list) {
  return fmt::format("sequences/{}", list);
}

bool is_of_sequences(std::string_view table) {
  return table.starts_with("sequences/");
}

bool is_of_pairs(std::string_view table) {
  return table.starts_with("pairs/");
}

bool is_caused(std::string_view table) {
  return table.starts_with("caused/");
}

bool is_outside(std::string_view table) {
  return table.starts_with("outside/");
}

std::string name_topology_table(std::size_t topology) {
  return "process/topology " + std::to_string(topology);
}

bool is_sum_over_processes(std::string_view table) {
  return table.ends_with("/by path") || table.ends_with("/by iteration");
}

bool has_call_paths(std::string_view table) {
  if (table.starts_with("scope ") && (table.ends_with("/begin") || table.ends_with("/end")))
    return false;
  return (table.starts_with("calls/") || table.starts_with("scope ")) &&
         !table.ends_with("/by process");
}

namespace {

// The number that stands between some words at the begin of a name and a slash; none where it is
// written in another way than we write numbers.
std::optional<std::size_t> find_number(std::string_view name, std::string_view words) {
  if (!name.starts_with(words))
    return std::nullopt;
  name.remove_prefix(words.size());
  const auto digits = name.substr(0, name.find('/'));
  std::size_t number = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (read.ec != std::errc() || digits.size() == name.size() || digits != std::to_string(number))
    return std::nullopt;
  return number;
}

}  // namespace

std::optional<std::size_t> find_series_loop(std::string_view table) {
  if (table.ends_with("/by process") || table.ends_with("/iterations"))
    return std::nullopt;
  return find_number(table, "loop ");
}

std::optional<std::size_t> find_series_map(std::string_view table) {
  if (table.ends_with("/by process") || table.ends_with("/by iteration") ||
      table.ends_with("/iterations") || table.ends_with("/loop"))
    return std::nullopt;
  return find_number(table, "map ");
}

std::optional<std::size_t> find_series_path(std::string_view table) {
  const auto end = table.find('/');
  if (!find_number(table, "loop ") || end == std::string_view::npos)
    return std::nullopt;
  return find_number(table.substr(end + 1), "path ");
}

std::string list_true(const std::vector<bool>& flags) {
  std::vector<std::uint64_t> numbers;
  for (std::size_t k = 0; k < flags.size(); ++k)
    if (flags[k])
      numbers.push_back(k);
  return to_ranges(numbers);
}

std::vector<bool> read_true(const std::string& numbers, std::size_t count) {
  std::vector<bool> flags(count);
  for (auto number : parse_ranges(numbers, count)) {
    if (number >= count)
      refuse_program("it lists what is not there");
    flags[static_cast<std::size_t>(number)] = true;
  }
  return flags;
}

std::size_t count_series_columns(std::uint64_t iterations, const ProgramDetail& detail) {
  const auto together = detail.iterations_per_column;
  return static_cast<std::size_t>(iterations / together + (iterations % together > 0));
}

std::uint64_t count_bytes(const std::vector<std::string>& names) {
  constexpr std::uint64_t of_each = 32;  // beside its letters
  std::uint64_t bytes = 0;
  for (const auto& name : names)
    bytes += of_each + name.size();
  return bytes;
}

void refuse_program(const std::string& why) {
  throw Error(ErrorKind::input, "is no file of profiles that can be read: " + why);
}

}  // namespace tracefold
