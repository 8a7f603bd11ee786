// Says in words what differs between two runs, for find_cause(). Pure.
#pragma once

#include "filters/comparison/other_calls.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// What takes a smaller share of the run, or differs by a smaller one, matters to nobody.
inline constexpr double least_cause_share = 0.01;

// "1.50 s", "20.0 ms", "3.00 us" or "0".
std::string format_time_of(double seconds);
// How long b takes, where a is how long it took: "2.0 times as long", "10 % less time".
std::string format_ratio(double a, double b);
// How often b is, where a is how often it was: "1.50 times".
std::string format_often(double a, double b);
// Whole where it is whole or large; else with one digit behind the point.
std::string format_number(double number);
// "twice", "1.50 times"; "more than" where there were none, "none of" where there are none.
std::string describe_times(double a, double b);
// " with as many bytes", " with twice the bytes"; empty where one has none.
std::string describe_bytes(double a, double b);

// Adds, as the last finding, that waiting is not compared where clocks do not fit.
void add_wrong_clocks(RunComparison& out);

// Processes in which a function takes another time.
struct ChangedFunction {
  ClassIndex of = 0;
  std::vector<std::size_t> places;         // of the pairs of processes
  double a = 0, b = 0;                     // means over these
  double change = 0;                       // between these, in all of the run
  double sum = 0;                          // of the changes
  std::vector<std::size_t> opposite = {};  // places that changed in the other direction
  double opposite_a = 0, opposite_b = 0;
  ClassIndex path_caller = no_class;  // means are of the call path below this one
  bool moves = false;                 // it is others in each iteration that take longest
  bool is_of_iteration = false;       // means are of an iteration: B has more or fewer
};

// Runs, changes and comparison have to live as long as this. Where the comparison has iterations,
// these are of the function `iterations_of`.
class CauseWords {
 public:
  CauseWords(const JoinedRuns& runs, std::optional<ClassIndex> iterations_of,
             const std::vector<OtherCalls>& changes, const RunComparison& out)
      : runs_(runs),
        calls_(runs.calls),
        figures_(runs),
        iterations_of_(iterations_of),
        changes_(changes),
        out_(out) {}

  // For runs with as many ranks: of which kind of locations they have other numbers, in each rank
  // where all ranks have as many.
  std::string describe_threads() const;
  // That one run is recorded with less detail: which paradigms, and how much of it the other has.
  std::string describe_detail() const;
  // How a function changes where sizes do, and what most others do, where there is room.
  std::string describe_scaling(ClassIndex of, bool is_weak, std::size_t room) const;
  // A group without a partner.
  std::string describe_alone(const ComparedPair& pair) const;
  // Where a function changed.
  std::string describe_where(ClassIndex of, const std::vector<std::size_t>& places) const;
  // On which processes of a run it is called, where these are not all: " on rank 0 alone".
  std::string describe_callers(ClassIndex of, std::size_t r) const;
  // How calls differ, of which this function changes most (words_of_calls.cpp); empty: nothing of
  // it can be told.
  std::string describe_calls(const OtherCalls& change, ClassIndex most) const;
  // Why it is called more or less often; empty: it is not.
  std::string describe_visits(ClassIndex of) const;
  // That the network takes longer with the same calls, or not as long where `change` is negative;
  // whose messages, where that is known, or in which function. Both runs have to be played.
  std::string describe_network(double change, ClassIndex mostly_in, bool are_same_messages) const;
  // The one whose largest change this function is; null: there is none.
  const OtherCalls* find_change(ClassIndex of) const;
  std::string describe_changed(const ChangedFunction& one) const;
  // "f takes 40 % longer (10 s → 14 s)"; the second of two is "f 40 % less time (…)".
  std::string describe_times_of(const ChangedFunction& one, bool is_first) const;

 private:
  std::optional<double> find_usual(double least) const;
  // In which iterations, where these are some of them only; and the function's times in them.
  struct SomeIterations {
    std::string text;
    double a = 0, b = 0;
  };
  SomeIterations find_iterations(ClassIndex of, bool is_longer) const;
  // ", more so with each iteration", unless only some of them change.
  std::string describe_trend(ClassIndex of, const std::string& some) const;
  // Of calls that are others; empty: nothing of it can be told.
  std::string describe_moved(const OtherCalls& change) const;
  std::string describe_often(const std::vector<std::size_t>& nodes, std::size_t caller) const;
  std::string describe_calls_of(const std::vector<std::size_t>& nodes, std::size_t r,
                                std::size_t caller, ClassIndex most) const;
  std::string describe_replaced(const OtherCalls& change, ClassIndex most) const;
  // What computes of it: ": 20.0 ms → 30.0 ms per process"; empty where one run has none.
  std::string describe_times_of(const OtherCalls& change) const;
  // Whether they are of the same function, called by the same one.
  bool is_same_call(std::size_t node, std::size_t other) const;
  // Those whose names say most.
  std::vector<std::size_t> list_told(std::vector<std::size_t> nodes) const;
  // Per process; empty where the nodes have different numbers.
  std::string count_visits(const std::vector<std::size_t>& nodes, std::size_t r) const;
  // "f, g and h"; of one that only run r calls, on which processes.
  std::string name_nodes(const std::vector<std::size_t>& nodes, std::size_t r) const;
  std::string name_functions(const std::vector<ClassIndex>& of, std::size_t r) const;
  // ", 160 ms on rank 3", where that is far longer in B than all others.
  std::string describe_longest(ClassIndex of) const;
  // Processes of a run: "on rank 3 alone", a group, or all threads of some ranks; empty: none of
  // these.
  std::string name_members(std::size_t r, const std::vector<std::size_t>& members) const;
  // "ranks 3-4,7"
  std::string list_members(std::size_t r, const std::vector<std::size_t>& members) const;

  static constexpr std::size_t longest_list = 60;

  const JoinedRuns& runs_;
  const CommonCalls& calls_;
  CallFigures figures_;
  std::optional<ClassIndex> iterations_of_;
  const std::vector<OtherCalls>& changes_;
  const RunComparison& out_;
};

}  // namespace tracefold
