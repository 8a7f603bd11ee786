// Call-path profiles of processes that come from a file or from events: with the functions that the
// call paths name, and by location of the first original. Plain data.
//
// Times are ticks of the trace's clock. Values of a call path do not include its callees. The time
// of a call path counts for a single metric, that of its function.
#pragma once

#include "model/profile/call_path_profile.hpp"
#include "model/profile/intent.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tracefold {

// Which stored columns are read: execution time and visits, or all.
enum class StoredColumns : bool { time_and_visits, all };

struct Aggregates {
  std::vector<Function> functions;   // that call paths name
  std::vector<Metric> time_metrics;  // by function: the metric that its exclusive time counts for
  std::vector<std::uint64_t> locations;  // of the first original, ascending
  CallPathProfiles profiles;             // by location; `execution time` and `visits` are columns

  // The index of a location in `locations`.
  std::optional<std::size_t> find(std::uint64_t location) const;
};

// Makes aggregates of profiles whose paths use indexes into `functions`. Functions that no path
// uses are left out. `time_metrics` uses the same indexes; `locations` is as in Aggregates.
Aggregates make_aggregates(const std::vector<Function>& functions,
                           const std::vector<Metric>& time_metrics,
                           std::vector<std::uint64_t> locations, CallPathProfiles profiles);

// The aggregates of some locations, which are ascending. Locations without any are skipped.
Aggregates keep_locations(const Aggregates& all, const std::vector<std::uint64_t>& locations);

// The aggregates as if calls in some call paths had never been recorded: their values count for the
// caller, or as outside of calls where there is none. `is_dropped` is by path of the tree.
Aggregates drop_paths(const Aggregates& all, const std::vector<bool>& is_dropped);

// Whether a column is stored. Parts of execution time are not, since they follow from execution
// time and the metric of each function.
inline bool is_stored_column(const MetricColumns& columns, std::size_t column) {
  return column >= columns.measured.size() || !is_part_of_execution_time(columns.measured[column]);
}

// Fills the columns of the parts of execution time by the metric of each function.
void fill_time_parts(const std::vector<Metric>& time_metrics, CallPathProfiles& profiles);

// So many call paths the shapes of a file may list. A writer leaves out what is larger, and a
// reader refuses it.
inline constexpr std::size_t most_listed_paths = std::size_t{1} << 25;
std::size_t count_listed_paths(const Aggregates& aggregates);

// The functions, columns, call paths and shapes of a file, without processes.
nlohmann::ordered_json frame_to_json(const Aggregates& aggregates);
// Throws Error(input) or what the JSON library throws.
Aggregates frame_from_json(const nlohmann::ordered_json& in,
                           std::size_t most_listed = most_listed_paths);

}  // namespace tracefold
