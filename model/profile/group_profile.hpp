// The profile of a group of processes: the spread over processes of the visits and times of each
// function, call path or call pair. Plain data. Times are ticks of the trace's clock.
//
// Source: thesis 4.4.2: "the second, 25th, 50th, 75th and 98th percentile, plus
// optionally outliers", as in box plots (McGill, Tukey, Larsen 1978).
#pragma once

#include "model/profile/call_path_profile.hpp"
#include "model/profile/metric_ratio.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

inline constexpr std::array<unsigned, 5> shown_percentiles{2, 25, 50, 75, 98};

// The spread of one quantity over the processes of a group. A process counts as often as the number
// of processes that it stands for, and with 0 where it has nothing of the quantity.
struct Spread {
  std::array<std::uint64_t, shown_percentiles.size()> at{};  // nearest rank
  double total = 0;                                          // over all processes
  // The number of processes further outside of the box (25 % to 75 %) than 1.5 times its height.
  std::uint64_t outliers = 0;
  // At most 8 outliers as indexes of processes, the furthest first.
  std::vector<std::size_t> furthest;
  std::vector<std::uint64_t> furthest_values = {};  // the value of each of these
  std::uint64_t minimum = 0, maximum = 0;
};

enum class Quantity { exclusive, inclusive, visits };

// The processes of each quarter of a row, as ascending indexes: up to the 25 % percentile, up to 50
// %, up to 75 %, and above. Equal values are in the same quarter.
using Quarters = std::array<std::vector<std::size_t>, 4>;

// The relation of a row to the function that it is listed under.
enum class Relation { self, caller, callee };

struct ProfileRow {
  PathIndex path = no_path;  // only if rows are call paths
  // virtual_root is the caller of functions that nobody calls. If rows are groups of functions, it
  // is the index of the group.
  FunctionIndex function = virtual_root;
  Relation relation = Relation::self;
  FunctionIndex subject = virtual_root;  // the function whose caller or callee `function` is
  Spread visits, inclusive, exclusive;
  double variation = 0;               // of the exclusive time: 98 % minus 2 %, divided by the mean
  std::vector<Spread> counters = {};  // without callees, in steps; as ProfileReport::counters
  std::optional<Quarters> quarters = {};
  std::optional<double> ratio = {};  // ProfileReport::ratio, without callees; none: not known

  // Exclusive time times variation, for each process of the group: the mean cancels, and 98 % minus
  // 2 % remains, in ticks.
  std::uint64_t exclusive_width() const { return exclusive.at.back() - exclusive.at.front(); }
};

inline constexpr std::size_t all_groups = static_cast<std::size_t>(-1);

struct GroupProfile {
  std::size_t group = 0;             // or all_groups: the processes of all groups together
  std::uint64_t processes = 0;       // with those that kept ones stand for
  std::vector<ProfileRow> rows;      // rows that any process of the group has
  std::size_t left_out = 0;          // number of rows beyond the limit
  double time = 0;                   // in all calls of its processes, in ticks
  std::optional<double> ratio = {};  // of all that its processes do in calls
  // Only those that this representative of the plan stands for, where several do for the group.
  std::optional<std::size_t> cluster = {};
};

// The functions with most exclusive time, and the least, mean and most time in them of the
// processes of each group. A process that does not call a function counts with 0.
//
// Source: thesis 2.3 and 4.4.1 (Vampir's Process Summary by Brunst, with groups for its clusters).
struct ProcessSummary {
  struct Extent {
    std::uint64_t minimum = 0, maximum = 0;
    double mean = 0;
  };
  std::vector<FunctionIndex> functions;   // as ProfileRow::function, those with most time first
  std::vector<std::vector<Extent>> bars;  // by group of the report and by function
};

// A metric that the trace recorded.
struct RecordedCounter {
  std::string name;
  std::uint64_t steps_per_unit = 1;
  std::string unit;  // empty: not known
  // Only locations without calls record it, so that it is not known of functions.
  bool is_unknown_in_calls = false;
};

struct ProfileReport {
  enum class View { functions, call_paths, neighbours, function_groups };
  View view = View::functions;
  std::vector<CallPath> paths;  // the tree of call paths, if rows are call paths
  std::vector<GroupProfile> groups;
  std::optional<GroupProfile> all = {};  // of all groups; none if one group was asked for
  // None if rows are neither functions nor groups of these, or kept processes stand for others.
  std::optional<ProcessSummary> summary = {};
  std::vector<RecordedCounter> counters = {};
  std::vector<std::string> function_groups = {};  // their names, if rows are such groups
  std::optional<MetricRatio> ratio = {};          // that was asked for
  std::optional<Quantity> quarters_of = {};       // the quantity that sorts processes into quarters
};

}  // namespace tracefold
