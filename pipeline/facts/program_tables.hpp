// The names of the tables of tracefold.profiles, and limits besides those of the format.
// docs/profiles-format.md describes both. Thread-safe.
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

// For sampled traces: which processes do the same as far as samples tell.
inline constexpr const char* alike_table = "process/alike";

// Readers refuse more than this, and the writer leaves it out.
inline constexpr std::size_t most_stored_loops = 10'000;
inline constexpr std::size_t most_stored_lengths = std::size_t{1} << 28;  // loops times processes
inline constexpr std::size_t most_stored_scopes = 1'000;
inline constexpr std::size_t most_stored_values = std::size_t{1} << 30;  // of call paths
inline constexpr std::size_t most_stored_series = 1'000;  // call paths of a loop that have a series
inline constexpr std::size_t most_stored_pairs = std::size_t{1} << 26;
inline constexpr std::size_t most_stored_delays = std::size_t{1} << 26;
inline constexpr std::size_t most_stored_places = std::size_t{1} << 28;  // processes times axes
// The names of recorded metrics, over all processes: see count_bytes().
inline constexpr std::uint64_t most_stored_name_bytes = std::uint64_t{1} << 31;

std::string name_stored_column(const MetricColumns& columns, std::size_t column);
// In series of iterations, the parts of execution time and the rest (computation) have tables of
// their own.
std::string name_series_column(const MetricColumns& columns, std::size_t column);
// For the processes whose value of a counter is not known.
std::string name_unknown_table(const MetricColumns& columns, std::size_t counter);
// `column` is a metric of a scope, its begin or its end.
std::string name_scope_table(std::size_t scope, const std::string& column);
std::string name_loop_scope(std::size_t loop);
// For a kind of time that is set aside (SetAsideKind), in a scope or in the whole run.
std::string name_set_aside_table(std::optional<std::size_t> scope, std::string_view kind);
std::string name_path_series(std::size_t loop, std::size_t path, const std::string& column);
// `column` is the loop of a map, the numbers of iterations of processes that have it only for the
// map, a column of these, or its sums over all processes of the map.
std::string name_map_table(std::size_t map, std::string_view column);
std::string name_pairs_table(std::string_view column);
std::string name_caused_table(Metric metric);
// `column` is a kind of waiting, with or without the part charged to waiting.
std::string name_delays_table(std::string_view column);
std::string name_topology_table(std::size_t topology);

// Whether a table is about pairs of processes; and about waiting for a single one.
bool is_of_pairs(std::string_view table);
bool is_caused(std::string_view table);
// Whether a table is about call paths that made others wait.
bool is_of_delays(std::string_view table);
// Of a part of the run that was played, by its number.
std::string name_critical_path_table(std::size_t replay, std::string_view column);
bool is_of_critical_path(std::string_view table);
// `list` is one of sequence_lists.
std::string name_sequence_table(std::string_view list);
bool is_of_sequences(std::string_view table);
bool is_of_set_aside(std::string_view table);
// Whether a table has values recorded without an open call.
bool is_outside(std::string_view table);
// Whether a table has sums over all processes; and whether its columns are call paths.
bool is_sum_over_processes(std::string_view table);
bool has_call_paths(std::string_view table);
// The loop whose iterations are the columns of the table.
std::optional<std::size_t> find_series_loop(std::string_view table);
// The map of a table for processes that have its loop only for the map.
std::optional<std::size_t> find_series_map(std::string_view table);
// The call path of a table for a loop.
std::optional<std::size_t> find_series_path(std::string_view table);

// The indexes of true flags as ranges; and back, for `count` flags. The latter throws Error(input)
// if the text is no such list.
std::string list_true(const std::vector<bool>& flags);
std::vector<bool> read_true(const std::string& numbers, std::size_t count);

// The number of columns of a loop's series, if the longest has so many iterations. Only if
// iterations are stored.
std::size_t count_series_columns(std::uint64_t iterations, const ProgramDetail& detail);
// The memory of a list of recorded metrics, of which each process has one.
std::uint64_t count_bytes(const std::vector<std::string>& names);

// The times of delays, each with a table of its own.
struct StoredDelayTime {
  std::string_view name;
  DelayTimes ProgramDelay::*part;
  std::uint64_t DelayTimes::*ticks;
};
inline constexpr std::array<StoredDelayTime, 6> stored_delay_times{{
    {"late sender", &ProgramDelay::own, &DelayTimes::late_sender},
    {"late receiver", &ProgramDelay::own, &DelayTimes::late_receiver},
    {"collective", &ProgramDelay::own, &DelayTimes::collective},
    {"late sender, passed on", &ProgramDelay::passed, &DelayTimes::late_sender},
    {"late receiver, passed on", &ProgramDelay::passed, &DelayTimes::late_receiver},
    {"collective, passed on", &ProgramDelay::passed, &DelayTimes::collective},
}};

// Throws Error(input).
[[noreturn]] void refuse_program(const std::string& why);

}  // namespace tracefold
