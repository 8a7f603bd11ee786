// Everything on a report page, of a run and of the run that it is compared with. Plain data. Times
// are in seconds; unknown values are none, and sections without data are empty.
//
// A process is its index in the plan of the original. In a reduced trace without data of the
// others, the processes are the kept ones.
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

struct ReportWait {
  CallWaiting waiting;
  // The processes for which others wait, with their share of all waiting of this kind in the whole
  // run: "rank 3 (50 %)". At least the first one; empty where not known.
  std::vector<std::string> late;
  bool late_is_spread = false;  // no process has a share worth naming
  std::optional<ReportCorrelation> correlation = {};
  // By group: seconds of waiting in this call. Empty: the page does not list the call.
  std::vector<float> group_seconds = {};
};

// Metrics of maps. The first has the name that other commands use; the second is all waiting.
inline constexpr const char* map_computation = "computation time";
inline constexpr const char* map_waiting = "waiting";
inline constexpr const char* map_mpi = "MPI time";
inline constexpr const char* map_files = "file time";

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
};

struct ReportFunction {
  std::string name;
  Paradigm kind = Paradigm::computation;
  double seconds = 0, visits = 0;
  // By group: minimum, quartiles and maximum over its processes.
  std::vector<std::array<float, 5>> boxes;
  // By group: seconds and calls of all its processes.
  std::vector<float> group_seconds = {}, group_visits = {};
  // As a share of the time of all threads. None: only streams of accelerators call it, whose time
  // is not that of threads.
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
  std::string name;           // of the trace
  std::vector<Summary> runs;  // the first one is the run that the page is about
  // Processes in the order of ranks and threads, as indexes of the plan. Maps refer to places in
  // this order.
  std::vector<std::uint32_t> order = {};
  std::vector<ReportGroup> groups;
  std::vector<std::uint32_t> group_of;  // by process of the plan: index into `groups`
  std::vector<ReportWait> waits;
  std::vector<float> group_waiting = {};  // by group: seconds in all calls; empty: not known
  std::vector<ReportLoop> loops;
  bool leaves_out_loops = false;  // there are more loops than shown
  bool has_iterations = true;     // false: there is a loop, but its iterations are not known
  std::vector<ReportFunction> functions;  // those with most time, descending
  std::size_t functions_left_out = 0;
  // Functions cover only the time between MPI_Init and MPI_Finalize, as the finding does.
  bool functions_are_around = false;
  std::optional<ReportMatrix> matrix = {};
  std::optional<ReportSimilarity> similarity = {};
  std::optional<PosetLayout> poset = {};
  std::optional<ReportFold> fold = {};  // none: the trace is an original
  std::optional<RunComparison> changes = {};
  // For people: commands that make a reduction, or a better one.
  std::string remedy = {};
};

}  // namespace tracefold
