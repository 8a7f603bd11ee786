// The differences between two runs of a program, or between two groups of processes of one run.
// Plain data. Times are in seconds. Values of call paths do not include their callees.
//
// The spread separates changes from noise. Where each process has a partner in the other run, it is
// the spread of their differences; otherwise it is that of both runs. To ignore processes that do
// something else, it is computed from the densest two fifths of the values: the standard deviation
// of a normal distribution with such a range.
//
// Source: thesis 4.4.2 (profiles of groups); Rousseeuw, Leroy (1988) (the shortest part of the
// values).
#pragma once

#include "model/comparison/growth.hpp"
#include "model/comparison/scaling.hpp"
#include "model/messages/early_messages.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// What is compared. Messages are counted at both ends, so that one within the program counts twice.
// Bytes are those of messages, collectives and one-sided communication.
enum class Measure : std::uint8_t { time, visits, messages, bytes };
inline constexpr std::size_t measures = 4;
inline constexpr std::array<const char*, measures> measure_names{"time", "visits", "messages",
                                                                 "bytes"};

struct Difference {
  double total_a = 0, total_b = 0;  // over all processes
  double a = 0, b = 0;              // mean over processes that call it
  double spread = 0;                // of b - a; 0 also without has_spread
  bool has_spread = false;          // enough processes of a group call it
  bool is_beyond = false;           // the difference is more than the spread explains
};

struct DifferenceRow {
  std::string name;            // a function, "caller → callee", or "main > solve > MPI_Send"
  std::string name_in_b = {};  // its name in the second run, where it differs
  bool is_in_a = true, is_in_b = true;
  std::array<Difference, measures> of;  // by Measure

  const Difference& get(Measure measure) const { return of[static_cast<std::size_t>(measure)]; }
};

// A group of one run, paired with the most similar group of the other run.
struct ComparedGroup {
  std::size_t number = 0;  // in the plan of its run
  std::string name;        // for people
  std::uint64_t processes = 0;
  double time = 0;  // mean
};

struct ComparedPair {
  std::optional<ComparedGroup> a, b;  // at least one of them
  double similarity = 0;              // Jaccard, of their sets of call pairs
  double subsumption = 0;             // the share of what `a` does that `b` does, too
  bool has_partners = false;          // each process of one has a partner in the other
  std::vector<DifferenceRow> functions, paths, call_pairs;  // only what differs; the largest first
};

// The times of the iterations of the main loop in both runs: means over some processes of a group.
struct ComparedIterations {
  std::string process;        // "rank 3", or "8 of 36 processes, inside of the grid"
  std::size_t processes = 1;  // of the first run, over which the means are taken
  std::string function;       // whose time is shown; empty: all time of the iterations
  std::vector<double> a, b;   // by iteration
  std::vector<std::size_t> slower, faster;  // iterations beyond the spread, from 0
};

struct ComparedSide {
  std::string name;
  std::string part = {};  // which processes of the run are compared; empty: all
  std::uint64_t processes = 0, ranks = 0, groups = 0;
  double time = 0;                      // of all processes
  std::optional<double> run_time = {};  // of all of the run, as in ComparedRun; none: not known
  // How much of it is before, in and behind the main loops, in seconds; none: not known.
  std::optional<std::array<double, 3>> phases = {};
  double recording_off = 0;
  EarlyMessages early_messages = {};  // of all of the run
  bool is_kept_only = false;
};

struct RunComparison {
  // A sentence that explains the difference, and other findings, the most important first.
  std::string headline;
  std::vector<std::string> findings;
  ComparedSide a, b;
  bool are_partners = false;  // the processes of both runs correspond one by one
  bool knows_spread = true;   // false: too few processes to tell
  bool are_alike = true;      // false: the runs have hardly any calls in common
  // The share of the functions of A that B calls, and of B that A calls.
  std::array<double, 2> functions_in_other{1, 1};
  std::optional<std::size_t> less_detailed;  // 0 or 1: A or B is recorded with less detail
  double noise = 0;                          // relative difference up to which nothing has changed
  std::vector<ComparedPair> pairs;
  std::vector<DifferenceRow> functions;  // of all processes, all of them, by difference
  std::optional<ComparedIterations> iterations;
};

// The totals of several runs by function, for one measure. A function has no total in a run that
// does not call it.
struct RunTable {
  Measure measure = Measure::time;
  std::vector<ComparedSide> runs;
  struct Row {
    std::string name;
    std::vector<std::optional<double>> totals;  // by run
  };
  std::vector<Row> rows;                   // by the largest total
  std::optional<Scaling> scaling = {};     // none: all have as many ranks
  std::optional<GrowthTable> growth = {};  // none: there are too few runs
};

}  // namespace tracefold
