// The results of correlating views, for people and programs. Plain data.
//
// A view is one metric of one call path over the grid of processes. A shift has a number of steps
// along each axis: the other view is compared at the place that is so many steps further. Sums of
// times are in ticks of the trace's clock.
//
// Source: frequency 2 and 3.
#pragma once

#include "model/profile/metric.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct CorrelationAxis {
  std::string name;
  std::size_t size = 1;
  bool periodic = false;
  bool chosen = true;  // phenomena along this axis are looked for
};

struct CorrelationView {
  std::string metric;
  MetricKind kind = MetricKind::count;
  std::string recorded_unit;  // of a counter
  bool per_second = false;    // its values are rates, so their sum says little
  bool is_inclusive = false;  // with all that the call path calls
  bool is_waiting = false;    // its time is spent waiting for others
  bool is_mpi = false;        // its call path ends with a call of MPI
  std::string call_path;      // "main > solve > MPI_Wait"
  double sum = 0;             // over all processes, and iterations where these are an axis
};

// The correlation of the queried view with another one. Views with identical values are a single
// finding.
struct CorrelationFinding {
  std::size_t view = 0;             // index into the views of the report
  std::vector<std::size_t> same;    // views with the same values everywhere
  double r = 0;                     // from -1 to 1
  std::vector<std::int32_t> shift;  // of r, by axis
  double unshifted = 0;             // the filtered correlation without shift
  double plain = 0;                 // Pearson's correlation
  std::optional<double> chance;  // of a correlation as strong as this by luck; none: not asked for
};

// What was correlated.
struct CorrelationScope {
  std::vector<CorrelationAxis> axes;
  std::string grid;                 // where the axes come from
  std::size_t processes = 0;        // locations that are in the grid
  std::optional<std::size_t> loop;  // whose iterations are an axis, from 0

  std::vector<CorrelationView> views;
  std::size_t left_out = 0;  // views with too small a share of their metric
};

// The values of a view on the whole grid, row by row, the last axis fastest. NaN where the grid has
// no process.
struct CorrelationPicture {
  std::size_t view = 0;  // index into the views of the report
  std::vector<double> values;
  // Of its spectrum, in the same unit; by frequency, the second half of each axis being negative
  // ones. Empty: not known.
  std::vector<double> magnitudes = {};
};

// One view, correlated with all others.
struct CorrelationReport {
  CorrelationScope scope;
  std::size_t query = 0;     // the queried view
  bool query_varies = true;  // along the chosen axes; if false, nothing correlates with it
  std::vector<CorrelationFinding> findings;  // by |r|
  // Findings that were left out, since they may be luck.
  std::size_t left_out_by_chance = 0;
  double most_chance = 1;
  // The pictures that were asked for: of the queried view, and of the first findings with another
  // call path (or, without one, of the first finding).
  std::vector<CorrelationPicture> pictures = {};
};

// Views that correlate with one of them, the leader.
struct CorrelationCluster {
  std::size_t leader = 0;
  std::vector<std::size_t> same;            // views with the same values as the leader
  std::vector<CorrelationFinding> members;  // the leader with each of them, by |r|

  std::size_t count_views() const {
    auto count = 1 + same.size();
    for (const auto& member : members)
      count += 1 + member.same.size();
    return count;
  }
};

// How the pairs of distinct views that vary were handled.
struct PairCounts {
  std::uint64_t all = 0;
  std::uint64_t correlated = 0;
  std::uint64_t pruned_by_bound = 0;     // they have too little in common in frequency
  std::uint64_t pruned_by_triangle = 0;  // their correlations with a leader differ too much
  // Not computed, since one of the two had its leader already, or neither is a leader.
  std::uint64_t not_needed() const {
    return all - correlated - pruned_by_bound - pruned_by_triangle;
  }
};

// All views with each other.
struct ClusterReport {
  CorrelationScope scope;
  double threshold = 0;                      // the smallest |r| of a leader and a member
  std::vector<CorrelationCluster> clusters;  // of two views or more, the largest first
  std::size_t single = 0;                    // views that correlate with no other
  std::size_t constant = 0;                  // views that do not vary along the chosen axes
  // Members that were left out, since they may be luck.
  std::size_t left_out_by_chance = 0;
  double most_chance = 1;
  PairCounts pairs;
};

// A call that waits, and its best explanation.
struct WaitExplanation {
  std::size_t view = 0;                     // the view of its waiting time
  double share = 0;                         // of all waiting time, from 0 to 1
  std::optional<CorrelationFinding> cause;  // none: every candidate may be luck
};

// Ranks that make some calls, and how long they wait or compute, beside the others.
struct StructureFinding {
  std::string caller, callee;    // of a call pair; no caller: whatever is called first
  std::string like;              // of a node of the lattice: all calls of this process; else empty
  std::size_t ranks = 0;         // that make these calls
  std::size_t same = 0;          // other call pairs that the same ranks make
  bool is_waiting = false;       // how long they wait; else how long they are outside of MPI
  std::optional<double> ratio;   // of their mean to that of the others; none: these have nothing
  double r = 0;                  // from -1 to 1
  std::optional<double> chance;  // as above
};

struct ExplanationReport {
  CorrelationScope scope;
  double waiting = 0;                  // ticks, in all calls
  std::vector<WaitExplanation> waits;  // by waiting time
  double most_chance = 1;
  std::vector<StructureFinding> structure = {};  // by |r|
};

}  // namespace tracefold
