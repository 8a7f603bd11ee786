// What the tables of tracefold.profiles are called, and what their limits are beside those of the
// format. docs/profiles-format.md has both. Thread-safe.
#pragma once

#include "model/aggregates/aggregates.hpp"
#include "model/profile/metric.hpp"
#include "model/program/program_file.hpp"
#include "model/program/program_profiles.hpp"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

// Of sampled traces, which processes do the same as far as samples tell.
inline constexpr const char* alike_table = "process/alike";

// Readers read no more of these, and the writer leaves out what is more.
inline constexpr std::size_t most_stored_loops = 10'000;
inline constexpr std::size_t most_stored_lengths = std::size_t{1} << 28;  // loops times processes
inline constexpr std::size_t most_stored_scopes = 1'000;
inline constexpr std::size_t most_stored_values = std::size_t{1} << 30;  // of call paths
inline constexpr std::size_t most_stored_series = 1'000;  // call paths of a loop that have some
inline constexpr std::size_t most_stored_pairs = std::size_t{1} << 26;
inline constexpr std::size_t most_stored_delays = std::size_t{1} << 26;
inline constexpr std::size_t most_stored_places = std::size_t{1} << 28;  // processes times axes
// Of recorded metrics, of all processes: see count_bytes.
inline constexpr std::uint64_t most_stored_name_bytes = std::uint64_t{1} << 31;

std::string name_stored_column(const MetricColumns& columns, std::size_t column);
// In series of iterations, the parts of execution time and the rest, which is computation, have
// tables each.
std::string name_series_column(const MetricColumns& columns, std::size_t column);
// Which processes do not know what they counted.
std::string name_unknown_table(const MetricColumns& columns, std::size_t counter);
// A metric of a scope, its begin or its end.
std::string name_scope_table(std::size_t scope, const std::string& column);
std::string name_loop_scope(std::size_t loop);
std::string name_path_series(std::size_t loop, std::size_t path, const std::string& column);
// Of a map: which loop it is, how many iterations those have that have it only for the map, a
// column of these, and its sums over all processes of the map.
std::string name_map_table(std::size_t map, std::string_view column);
std::string name_pairs_table(std::string_view column);
std::string name_caused_table(Metric metric);
// What others waited, and whether it is what was charged to waiting.
std::string name_delays_table(std::string_view column);
std::string name_topology_table(std::size_t topology);

// Whether a table is of pairs of processes, and whether it says what others waited for one.
bool is_of_pairs(std::string_view table);
bool is_caused(std::string_view table);
// Whether it is of call paths that made others wait.
bool is_of_delays(std::string_view table);
// Whether it is of what was recorded while no call was open.
bool is_outside(std::string_view table);
// Whether a table has sums over all processes, and whether its columns are call paths.
bool is_sum_over_processes(std::string_view table);
bool has_call_paths(std::string_view table);
// The loop whose iterations are the columns of a table.
std::optional<std::size_t> find_series_loop(std::string_view table);
// The map that a table of processes which have its loop only for it is of.
std::optional<std::size_t> find_series_map(std::string_view table);
// The call path that a table of a loop is of.
std::optional<std::size_t> find_series_path(std::string_view table);

// The numbers of those that are true, as ranges; and back, of so many. The latter throws
// Error(input) where there are none of these.
std::string list_true(const std::vector<bool>& flags);
std::vector<bool> read_true(const std::string& numbers, std::size_t count);

// How many columns the series of a loop have whose longest has so many iterations. Only where
// iterations are kept.
std::size_t count_series_columns(std::uint64_t iterations, const ProgramDetail& detail);
// What memory a list of recorded metrics takes, of which each process has one.
std::uint64_t count_bytes(const std::vector<std::string>& names);

// What call paths there are, without processes and loops, which are in tables.
nlohmann::ordered_json write_frame(Aggregates calls);

// The times of delays, each of which has a table.
struct StoredDelayTime {
  std::string_view name;
  DelayTimes ProgramDelay::*part;
  std::uint64_t DelayTimes::*ticks;
};
inline constexpr std::array<StoredDelayTime, 6> stored_delay_times{{
    {"late sender", &ProgramDelay::own, &DelayTimes::late_sender},
    {"late receiver", &ProgramDelay::own, &DelayTimes::late_receiver},
    {"collective", &ProgramDelay::own, &DelayTimes::collective},
    {"late sender, by waiting", &ProgramDelay::waiting, &DelayTimes::late_sender},
    {"late receiver, by waiting", &ProgramDelay::waiting, &DelayTimes::late_receiver},
    {"collective, by waiting", &ProgramDelay::waiting, &DelayTimes::collective},
}};

// Throws Error(input).
[[noreturn]] void refuse_program(const std::string& why);

}  // namespace tracefold
