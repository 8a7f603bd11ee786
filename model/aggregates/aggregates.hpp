// The call-path profiles that the kept processes have in the whole original trace, with all
// metrics. They are stored beside the reduced trace, in which iterations are folded and messages
// left out, so that its totals are still known exactly. Plain data.
//
// Times are ticks of the trace's clock. The values of a call path are without its callees. All time
// of a call path counts for one metric, that of its function.
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

// The columns that are taken of what is stored: execution time as a whole and visits, or all.
enum class StoredColumns : bool { time_and_visits, all };

struct Aggregates {
  std::vector<Function> functions;       // that call paths name
  std::vector<Metric> time_metrics;      // by function: which one its exclusive time counts for
  std::vector<std::uint64_t> locations;  // of the first original, ascending
  CallPathProfiles profiles;             // by location; `execution time` and `visits` are columns

  // How iterations were folded; empty where nothing is known of that.
  std::vector<SeriesFold> loops = {};
  std::vector<std::vector<KeptSeries>> series = {};  // by location: of each loop, or of none
  // Metrics that profiles have and series do not, since their records had been cut when iterations
  // were folded; ascending.
  std::vector<Metric> cut_in_series = {};

  // The place of a location in `locations`.
  std::optional<std::size_t> find(std::uint64_t location) const;
};

// Makes them of profiles whose paths name `functions` by their indexes; only those that are named
// stay. `time_metrics` is by the same indexes, `locations` as in Aggregates.
Aggregates make_aggregates(const std::vector<Function>& functions,
                           const std::vector<Metric>& time_metrics,
                           std::vector<std::uint64_t> locations, CallPathProfiles profiles);

// Those of some locations, which ascend; of those that are not there nothing.
Aggregates keep_locations(const Aggregates& all, const std::vector<std::uint64_t>& locations);

// As if calls of some functions had never been recorded, told by function: what was recorded in
// them counts for the calls around them, or outside of calls where there are none.
Aggregates drop_functions(const Aggregates& all, const std::vector<bool>& is_dropped);

// Forgets how iterations were folded, where they are folded in another way, or not at all.
inline Aggregates drop_series(Aggregates aggregates) {
  aggregates.loops.clear();
  aggregates.series.clear();
  aggregates.cut_in_series.clear();
  return aggregates;
}

// Aggregates that have no loops, with the loops and series of others of the same processes. None
// where the others have a call path that these lack.
std::optional<Aggregates> add_series(Aggregates aggregates, const Aggregates& folded);

// Whether a column of call paths is stored: parts of execution time are not, since all time of a
// call path is of one metric, that of its function.
inline bool is_stored_column(const MetricColumns& columns, std::size_t column) {
  return column >= columns.measured.size() || !is_part_of_execution_time(columns.measured[column]);
}

// Sets the parts of execution time, which are those of functions.
void fill_time_parts(const std::vector<Metric>& time_metrics, CallPathProfiles& profiles);

// What a plan holds of them at most. Who makes a plan leaves out what is larger, and who reads one
// refuses it.
struct AggregateLimits {
  std::size_t values = std::size_t{1} << 27;        // of all processes: 1 GiB
  std::size_t listed_paths = std::size_t{1} << 25;  // of all shapes
  std::size_t iterations = most_series_iterations;  // of a loop
};
bool is_storable(const Aggregates& aggregates, const AggregateLimits& limits = {});

// As a section of a plan.
nlohmann::ordered_json aggregates_to_json(const Aggregates& aggregates);
// Throws Error(input) or what the JSON library throws.
Aggregates aggregates_from_json(const nlohmann::ordered_json& in,
                                const AggregateLimits& limits = {});

}  // namespace tracefold
