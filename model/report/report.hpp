// All that a report page shows of a run, and of what is compared with it. Plain data. Times are in
// seconds; what is not known is none, and a section that nothing is known of is empty.
//
// A process is its place in the plan of the original. Where a trace was reduced and keeps nothing
// of the others, processes are the kept ones.
#pragma once

#include "model/comparison/run_comparison.hpp"
#include "model/errors/fold_errors.hpp"
#include "model/groups/group_reasons.hpp"
#include "model/report/pooled_map.hpp"
#include "model/report/poset_layout.hpp"
#include "model/summary/summary.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct ReportRange {
  double least = 0, mean = 0, most = 0;
};

struct ReportGroup {
  std::string name;
  std::vector<std::size_t> members, representatives;  // processes, ascending
  GroupReason reason = {};                            // why it is apart; no parts: not known
  std::optional<ReportRange> computation = {}, waiting = {};  // over its members
  std::size_t merged = 1;  // groups that it stands for, since there are very many
};

// How one thing follows another over processes.
struct ReportCorrelation {
  std::string call;          // a function, whose time is held against the waiting
  double r = 0, chance = 1;  // that it is as large by chance
};

// Fewer ranks tell nothing of what goes with what.
inline constexpr std::size_t least_explained_ranks = 4;

struct ReportWait {
  CallWaiting waiting;
  // For whom processes wait, of all waiting of this kind in the whole run: "rank 3 (50 %)". It is
  // the longest one at least, and empty where nothing is known of it.
  std::vector<std::string> late;
  bool late_is_spread = false;  // no one has a part of it that is worth a name
  std::optional<ReportCorrelation> correlation = {};
  // By group: seconds that its processes wait in this call. Empty: the page does not list the call.
  std::vector<float> group_seconds = {};
};

// Metrics of maps: the name of the first is that of other commands, the second is all waiting.
inline constexpr const char* map_computation = "computation time";
inline constexpr const char* map_waiting = "waiting";
inline constexpr const char* map_mpi = "MPI time";
inline constexpr const char* map_files = "file time";

struct ReportLoop {
  std::string name;                    // its call path, or "loop 1"
  std::size_t number = 0;              // from 0 on
  std::uint64_t iterations = 0;        // of the process that has most
  std::vector<std::uint32_t> kept;     // iterations that the fold keeps, ascending; empty: all
  std::vector<PooledMap> maps;         // computation and waiting first
  std::vector<std::size_t> also = {};  // other numbers of the same loop
  // The first metric in whose map the finding is seen: whom it is of differ from all others, or its
  // iterations from the others. Empty: none does.
  std::string finding_metric = {};
};

struct ReportFunction {
  std::string name;
  Paradigm kind = Paradigm::computation;
  double seconds = 0, visits = 0;
  // By group: least, quarter, median, three quarters, most of its processes.
  std::vector<std::array<float, 5>> boxes;
  // By group: seconds of all its processes, and their calls.
  std::vector<float> group_seconds = {}, group_visits = {};
  // Of the time of all threads. None: only streams of accelerators are in it, whose time is beside
  // that of threads.
  std::optional<double> share = {};
};

struct ReportMatrix {
  struct Metric {
    std::string metric, label, unit;
    std::vector<float> values;  // row = sender
  };
  struct Pair {
    std::string from, to;
    std::uint64_t messages = 0, bytes = 0;
    std::optional<double> waiting = {};
  };
  std::vector<std::string> names;           // of rows, which are columns, too
  std::vector<std::uint32_t> group_of_row;  // empty: rows are of several groups
  std::vector<Metric> metrics;
  std::vector<Pair> largest;  // pairs of ranks, the first with most
  std::uint64_t pairs = 0;    // in all
};

struct ReportSimilarity {
  std::size_t of = 0;               // groups there are; shown are those with most members
  std::vector<std::size_t> groups;  // by row
  std::vector<float> values;        // row by row
};

// What a reduction left of the original.
struct ReportFold {
  struct Loop {
    std::string name;
    std::uint64_t iterations = 0, kept = 0;
  };
  std::uint64_t processes = 0, kept_processes = 0;
  std::vector<Loop> loops = {};
  std::optional<FoldErrors> errors = {};
  bool keeps_profiles = false, keeps_messages = false;
};

struct Report {
  std::string name;           // of the trace
  std::vector<Summary> runs;  // the first one is what all else is of
  // In the order of ranks and threads: places in the plan. Numbers of processes in maps are places
  // in this order.
  std::vector<std::uint32_t> order = {};
  std::vector<ReportGroup> groups;
  std::vector<std::uint32_t> group_of;  // by process of the plan: its place in `groups`
  std::vector<ReportWait> waits;
  std::vector<float> group_waiting = {};  // by group: seconds in all calls; empty: not known
  std::vector<ReportLoop> loops;
  bool leaves_out_loops = false;  // there are more of them
  bool has_iterations = true;  // false: a loop is there, but what its iterations did is not known
  std::vector<ReportFunction> functions;  // those with most time, descending
  std::size_t functions_left_out = 0;
  // Functions are of what is between MPI_Init and MPI_Finalize, where the finding is of that.
  bool functions_are_around = false;
  std::optional<ReportMatrix> matrix = {};
  std::optional<ReportSimilarity> similarity = {};
  std::optional<PosetLayout> poset = {};
  std::optional<ReportFold> fold = {};  // none: an original
  std::optional<RunComparison> changes = {};
  // In words for people: commands that make a reduction, or a better one.
  std::string remedy = {};
};

}  // namespace tracefold
