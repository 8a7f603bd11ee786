// Everything on a report page, of a run and of the run that it is compared with. Plain data. Times
// are in seconds; unknown values are none, and sections without data are empty.
//
// A process is its index in the plan of the original. In a reduced trace without data of the
// others, the processes are the kept ones.
#pragma once

#include "model/comparison/run_comparison.hpp"
#include "model/errors/fold_errors.hpp"
#include "model/groups/group_reasons.hpp"
#include "model/iterations/group_kinds.hpp"
#include "model/iterations/iteration_map.hpp"
#include "model/messages/skeleton.hpp"
#include "model/plan.hpp"
#include "model/report/pooled_map.hpp"
#include "model/report/poset_layout.hpp"
#include "model/summary/summary.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct ReportRange {
  double least = 0, mean = 0, most = 0;
};

struct ReportGroup {
  std::string name;
  std::vector<std::size_t> members, representatives;          // processes, ascending
  GroupReason reason = {};                                    // how it differs; no parts: not known
  std::optional<ReportRange> computation = {}, waiting = {};  // over its members
  std::size_t merged = 1;  // number of groups that it stands for, where there are very many
};

// The correlation of waiting with another call over processes.
struct ReportCorrelation {
  std::string call;          // a function whose time is compared with the waiting
  double r = 0, chance = 1;  // of such an r by luck
};

// With fewer ranks, correlations mean nothing.
inline constexpr std::size_t least_explained_ranks = 4;
// A correlation that luck makes less often than this stands out.
inline constexpr double clear_chance = 0.05;

struct ReportWait {
  CallWaiting waiting;
  std::optional<ReportCorrelation> correlation = {};  // only where it stands out
  // By group: seconds of waiting in this call. Empty: the page does not list the call.
  std::vector<float> group_seconds = {};
};

// Whom processes wait for in the whole run, of one kind of waiting.
struct ReportLate {
  Metric kind = Metric::none;
  // Each with its share of all waiting of this kind: "rank 3 (50 %)". At least the first one.
  std::vector<std::string> names;
  bool is_spread = false;  // no process has a share worth naming
};

// Metrics of maps. The first has the name that other commands use; the second is all waiting.
inline constexpr const char* map_computation = "computation time";
inline constexpr const char* map_waiting = "waiting";
inline constexpr const char* map_mpi = "MPI time";
inline constexpr const char* map_files = "file time";

// Execution time of an iteration, by group of the plan and kind of iteration.
struct ReportKinds {
  GroupKinds kinds;
  IterationMap map;  // that of the values, without its rows
};

struct ReportLoop {
  std::string name;                    // its call path, or "loop 1"
  std::size_t number = 0;              // from 0 on
  std::uint64_t iterations = 0;        // of the process with most of them
  std::vector<std::uint32_t> kept;     // iterations that the fold keeps, ascending; empty: all
  std::vector<std::uint64_t> numbers;  // of the iterations; empty: 0, 1, 2, …
  std::vector<PooledMap> maps;         // computation and waiting first
  std::vector<std::size_t> also = {};  // other numbers of the same loop
  // The first metric whose map shows the finding: its processes or iterations differ from the
  // others there. Empty: none does.
  std::string finding_metric = {};
  std::optional<ReportKinds> kinds = {};
};

struct ReportFunction {
  std::string name;
  Paradigm kind = Paradigm::computation;
  double seconds = 0, visits = 0;
  // By group: minimum, quartiles and maximum over its processes.
  std::vector<std::array<float, 5>> boxes;
  // By process, in which quarter of its group's values it is, from 0 on; empty: not told.
  std::vector<std::uint8_t> quarters = {};
  // By group: seconds and calls of all its processes.
  std::vector<float> group_seconds = {}, group_visits = {};
  // As a share of the time of all threads. None: only streams of accelerators call it, whose time
  // is not that of threads.
  std::optional<double> share = {};
};

// A call path, in a list in depth-first order: behind a call all that it calls, the longest first.
struct ReportCall {
  std::string name;
  std::optional<std::size_t> caller = {};  // none: nobody on the page calls it
  Paradigm kind = Paradigm::computation;
  double inclusive = 0, exclusive = 0;  // seconds, over all processes
  // By group: seconds of all its processes.
  std::vector<float> group_inclusive = {}, group_exclusive = {};
  std::size_t left_out = 0;  // callees that are not on the page
};

inline constexpr std::uint8_t no_timeline_function = 255;  // nothing is called

// What processes do over time. Each level has cells of equal time; a cell has the function that has
// most time in it, without what it calls.
struct ReportTimeline {
  struct Function {
    std::string name;
    Paradigm kind = Paradigm::computation;
  };
  struct Level {
    std::size_t cells = 0;                // of a row
    std::vector<std::uint8_t> functions;  // row by row: index, or no_timeline_function
  };
  struct Message {
    std::uint32_t from = 0, to = 0;  // rows
    float sent = 0, received = 0;    // seconds since the begin
  };
  std::vector<std::string> rows;
  double seconds = 0;
  std::vector<Function> functions;  // those with most cells first; the last one may be all others
  std::vector<Level> levels;        // the finest one first
  std::vector<Message> messages;    // those whose receives take longest
  std::uint64_t all_messages = 0;   // number of messages between the rows
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
  std::vector<std::string> names;           // of rows and columns
  std::vector<std::uint32_t> group_of_row;  // empty: a row may have several groups
  std::vector<Metric> metrics;
  std::vector<Pair> largest;  // pairs of ranks, the largest first
  std::uint64_t pairs = 0;    // number of all pairs
};

struct ReportSimilarity {
  std::size_t of = 0;               // number of groups; the largest ones are shown
  std::vector<std::size_t> groups;  // by row
  std::vector<float> values;        // row by row
};

// Where processes are on the grid of ranks.
inline constexpr std::uint32_t no_grid_place = 0xffffffff;
struct ReportGrid {
  std::vector<std::uint64_t> sizes;   // of its axes, the slowest first
  std::vector<std::uint32_t> places;  // by process: its place on all axes as one number
};

// Groups of ranks that communicate alike.
struct ReportClusters {
  std::shared_ptr<const Plan> plan;  // with groups by signature
  std::vector<Skeleton> skeletons;   // what they communicate
};

// What a reduction has kept of the original.
struct ReportFold {
  struct Loop {
    std::string name;
    std::uint64_t iterations = 0, kept = 0;
  };
  std::uint64_t processes = 0, kept_processes = 0;
  std::vector<Loop> loops = {};
  std::optional<FoldErrors> errors = {};
  bool keeps_messages = false;
};

struct Report {
  std::string name;                         // of the trace
  std::vector<Summary> runs;                // the first one is the run that the page is about
  std::size_t nodes = 0;                    // number of nodes; 0: not known
  double whole_run = 0;                     // seconds of the whole run; 0: not known
  std::optional<std::uint64_t> begun = {};  // when it began, in seconds since 1970 (UTC)
  // Processes in the order of ranks and threads, as indexes of the plan. Maps refer to places in
  // this order.
  std::vector<std::uint32_t> order = {};
  std::vector<ReportGroup> groups;
  std::vector<std::uint32_t> group_of;  // by process of the plan: index into `groups`
  std::vector<ReportWait> waits;
  std::vector<ReportLate> late = {};      // by kind of waiting, that with most time first
  std::vector<float> group_waiting = {};  // by group: seconds in all calls; empty: not known
  std::vector<ReportLoop> loops;
  bool leaves_out_loops = false;  // there are more loops than shown
  bool has_iterations = true;     // false: there is a loop, but its iterations are not known
  std::vector<ReportFunction> functions;  // those with most time, descending
  std::size_t functions_left_out = 0;
  std::vector<ReportCall> calls = {};  // those with most time, callees included
  // Functions and calls cover only the time between MPI_Init and MPI_Finalize, as the finding does.
  bool functions_are_around = false;
  std::optional<ReportTimeline> timeline = {};
  std::optional<ReportMatrix> matrix = {};
  std::optional<ReportSimilarity> similarity = {};
  std::optional<PosetLayout> poset = {};
  std::shared_ptr<const Plan> plan = {};  // with the groups of `kinds`; null: there are none
  std::optional<ReportGrid> grid = {};
  std::optional<ReportClusters> clusters = {};
  std::optional<ReportFold> fold = {};  // none: the trace is an original
  std::optional<RunComparison> changes = {};
  // For people: commands that make a reduction, or a better one.
  std::string remedy = {};
};

}  // namespace tracefold
