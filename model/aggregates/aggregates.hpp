// The exact call-path profiles of the kept processes in the whole original trace, with all metrics.
// They are stored beside the reduced trace, whose events no longer give these totals, since
// iterations are folded and messages left out. Plain data.
//
// Times are ticks of the trace's clock. Values of a call path do not include its callees. The time
// of a call path counts for a single metric, that of its function.
//
// Source: dynamics 4.1.5 (clusters add up to the exact aggregate profile).
#pragma once

#include "model/aggregates/kept_series.hpp"
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

  // How iterations were folded; empty where that is not known.
  std::vector<SeriesFold> loops = {};
  std::vector<std::vector<KeptSeries>> series = {};  // by location: one of each loop, or none
  // Metrics that the profiles have and the series do not, since their records had been cut when the
  // iterations were folded; ascending.
  std::vector<Metric> cut_in_series = {};

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

// The aggregates as if calls of some functions had never been recorded: their values count for the
// caller, or as outside of calls where there is none. `is_dropped` is by function.
Aggregates drop_functions(const Aggregates& all, const std::vector<bool>& is_dropped);

// Removes how iterations were folded, where they will be folded in another way or not at all.
inline Aggregates drop_series(Aggregates aggregates) {
  aggregates.loops.clear();
  aggregates.series.clear();
  aggregates.cut_in_series.clear();
  return aggregates;
}

// Adds the loops and series of `folded` to aggregates of the same processes without loops. None
// where `folded` has a call path that `aggregates` lacks.
std::optional<Aggregates> add_series(Aggregates aggregates, const Aggregates& folded);

// Whether a column is stored. Parts of execution time are not, since they follow from execution
// time and the metric of each function.
inline bool is_stored_column(const MetricColumns& columns, std::size_t column) {
  return column >= columns.measured.size() || !is_part_of_execution_time(columns.measured[column]);
}

// Fills the columns of the parts of execution time by the metric of each function.
void fill_time_parts(const std::vector<Metric>& time_metrics, CallPathProfiles& profiles);

// The limits of what a plan holds. A writer leaves out what is larger, and a reader refuses it.
struct AggregateLimits {
  std::size_t values = std::size_t{1} << 27;        // of all processes: 1 GiB
  std::size_t listed_paths = std::size_t{1} << 25;  // of all shapes
  std::size_t iterations = most_series_iterations;  // of a loop
};
bool is_storable(const Aggregates& aggregates, const AggregateLimits& limits = {});

// A section of a plan.
nlohmann::ordered_json aggregates_to_json(const Aggregates& aggregates);
// Throws Error(input) or what the JSON library throws.
Aggregates aggregates_from_json(const nlohmann::ordered_json& in,
                                const AggregateLimits& limits = {});

}  // namespace tracefold
