// What differs between two runs of a program, or between two groups of processes of one. Plain
// data. Times are in seconds. Values are of call paths alone, without their callees.
//
// The spread tells noise from change. Where processes of one run have partners in the other one, it
// is that of their differences; else it is that of both runs. It is the standard deviation that the
// densest two fifths of the values would have if they were normally distributed, so that it is not
// widened by processes that do something else.
//
// Source: thesis 4.4.2 (profiles of groups); Rousseeuw, Leroy (1988) (the shortest part of the
// values).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// What is compared. Messages are those that are sent or received, so that one inside of the program
// counts twice; bytes are those of messages, collective operations and one-sided communication.
enum class Measure : std::uint8_t { time, visits, messages, bytes };
inline constexpr std::size_t measures = 4;
inline constexpr std::array<const char*, measures> measure_names{"time", "visits", "messages",
                                                                 "bytes"};

struct Difference {
  double total_a = 0, total_b = 0;  // over all processes
  double a = 0, b = 0;              // means over processes
  double spread = 0;                // of b - a
  bool is_beyond = false;           // the difference is more than the spread explains
};

struct DifferenceRow {
  std::string name;            // a function, "caller → callee", or "main > solve > MPI_Send"
  std::string name_in_b = {};  // of a function, where it is called otherwise there
  bool is_in_a = true, is_in_b = true;
  std::array<Difference, measures> of;  // by Measure

  const Difference& get(Measure measure) const { return of[static_cast<std::size_t>(measure)]; }
};

// A group of one run beside the most similar one of the other.
struct ComparedGroup {
  std::size_t number = 0;  // in its plan
  std::string name;        // as people are shown it
  std::uint64_t processes = 0;
  double time = 0;  // mean
};

struct ComparedPair {
  std::optional<ComparedGroup> a, b;  // one at least
  double similarity = 0;              // Jaccard, of their sets of call pairs
  double subsumption = 0;             // how much of what a does b does, too
  bool has_partners = false;          // each process of one has a partner in the other
  std::vector<DifferenceRow> functions, paths, call_pairs;  // only what differs; by difference
};

// Times of iterations of the main loop, beside those of the other run: means over some processes of
// a group.
struct ComparedIterations {
  std::string process;                      // "rank 3", or "8 of 36 processes, inside of the grid"
  std::size_t processes = 1;                // of the first run, that these are means of
  std::string function;                     // whose time it is; empty: all time of iterations
  std::vector<double> a, b;                 // by iteration
  std::vector<std::size_t> slower, faster;  // iterations, from 0, beyond the spread
};

struct ComparedSide {
  std::string name;
  std::string part = {};  // which processes of the run are meant; empty: all of them
  std::uint64_t processes = 0, ranks = 0, groups = 0;
  double time = 0;  // of all processes
  bool is_kept_only = false;
};

struct RunComparison {
  // What explains the difference, in a sentence, and what else was found, the most important first.
  std::string headline;
  std::vector<std::string> findings;
  ComparedSide a, b;
  bool are_partners = false;  // processes of one run are those of the other one
  bool knows_spread = true;   // false: there are too few processes
  bool are_alike = true;      // false: hardly anything is called in both
  double noise = 0;           // relative, that counts as no change
  std::vector<ComparedPair> pairs;
  std::vector<DifferenceRow> functions;  // of all processes, all of them, by difference
  std::optional<ComparedIterations> iterations;
};

// Several runs beside each other: totals by function, of one measure. A function that a run does
// not call has none there.
struct RunTable {
  Measure measure = Measure::time;
  std::vector<ComparedSide> runs;
  struct Row {
    std::string name;
    std::vector<std::optional<double>> totals;  // by run
  };
  std::vector<Row> rows;  // by the largest total
};

}  // namespace tracefold
