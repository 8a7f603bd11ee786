// Finds what differs between two runs for find_cause(), and how much of their difference each of
// that costs: what they compute (cause_in_computation.cpp), what they call, send and wait for
// (cause_in_calls.cpp), how large they are (find_cause.cpp).
#pragma once

#include "filters/comparison/cause_words.hpp"
#include "filters/comparison/other_calls.hpp"
#include "filters/comparison/run_costs.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

class CauseFinder {
 public:
  // All must outlive this.
  CauseFinder(const JoinedRuns& runs, std::optional<ClassIndex> iterations_of,
              std::optional<Scaling> asked, RunComparison& out);
  // Once.
  void find();

 private:
  // In which order findings come that cost as much.
  enum class Rank : std::uint8_t {
    sizes,
    iterations,
    groups,
    network,
    computation,
    messages,
    names,
    calls,
    waiting,
    members
  };
  struct Finding {
    Rank rank;
    double score = 0;
    std::string text;
    double cost = 0;           // of the run, in seconds
    double weight = 0;         // how much that counts; 0: next to nothing, or not known
    std::string phase = {};    // where it costs that
    bool is_of_calls = false;  // other calls of MPI
  };

  // What it costs the run counts as much as `weight` among other findings. 0: not known.
  Finding& add(Rank rank, double score, std::string text, double cost = 0, double weight = 0,
               std::string phase = {});
  void add_function(Rank rank, double score, std::string text, ClassIndex of, double change);
  double get_least_cost() const;
  std::string describe_cost(const Finding& one) const;

  // Sizes: numbers of ranks and threads, groups, iterations.

  void look_at_sizes();
  // What keeps the run from what is ideal; where costs are not known, what takes longer than that.
  void add_scaling(std::string text);
  // What functions cost beyond what they take longer or less than is ideal: the path has come to
  // them, or left them.
  double sum_moved() const;
  // Processes whose group in B is not the partner of their group in A.
  void look_at_members();
  // More or fewer iterations explain most other changes.
  void look_at_iterations();
  // Whether it is called as often in each iteration as before, of which there are more or fewer.
  bool follows_iterations(ClassIndex of) const;
  double count_iterations(std::size_t r) const {
    return static_cast<double>(runs_.run(r).played->iterations);
  }
  // Times of each process; of an iteration, where the function follows these.
  PartnerValues list_times(ClassIndex of) const;

  // Computation.

  void look_at_computation();
  // Where processes have no partners, groups tell.
  void look_at_groups_computation();
  // Processes that call it in one run only.
  bool look_at_callers(ClassIndex of);
  // Of processes that changed in both directions, those of the smaller changes are opposite; or are
  // left out, where these are small, and the function costs nothing in that direction.
  static void keep_main_direction(const PartnerValues& values, double cost, ChangedFunction& one);
  // Where nearly all of the change is in one of several call paths, times are of that.
  void find_path(ChangedFunction& one) const;
  // Where some take longer, and others less, those come first that the cost is of.
  void look_at_cost(ChangedFunction& one) const;
  bool has_main_thread(const ChangedFunction& one) const;
  bool has_stream(const ChangedFunction& one) const;
  // Where most of the functions take longer by the same factor, that is one finding.
  void explain_all_slower(std::vector<ChangedFunction>& changed, double all_time);
  // Where one function takes longer by what another one takes less, that is one finding.
  void explain_shifted_work(std::vector<ChangedFunction>& changed);

  // Calls and communication.

  // Other messages: with all calls of MPI that have changed with them. Where the program's own
  // functions are called more often, these are the reason.
  void look_at_messages();
  void add_messages(std::size_t node, double score, std::string text);
  // Who sends and receives more in a function, where most do not.
  std::string describe_other_bytes(ClassIndex of) const;
  bool has_messages(ClassIndex of) const;
  bool is_of_mpi(const OtherCalls& change) const;
  // Calls that one run makes alone, or more often.
  void look_at_calls(const OtherCalls& change);
  // The same calls of MPI, and still another time. Where other calls cost much of it, all of it
  // comes from these.
  void look_at_network();
  void look_at_waiting();
  void look_at_names();

  // What has changed may cost more than the runs differ: then the path has left what has not
  // changed. Where nothing costs anything, other calls of MPI or waiting are the reason: without a
  // barrier, a process that is late holds up others later, or not at all.
  //
  //   A: rank 0 solves 3 s, rank 1 4 s, then a barrier; B: rank 0 solves 6 s: solve is 6 s longer
  //   on the path on rank 0, and 4 s shorter on rank 1
  void fit_costs();
  // Whether the runs take another time.
  bool is_other_run() const;
  void report();

  const JoinedRuns& runs_;
  const CommonCalls& calls_;
  CallFigures figures_;
  RunCosts costs_;
  std::vector<OtherCalls> changes_;
  std::optional<Scaling> asked_;
  CauseWords words_;
  RunComparison& out_;
  bool are_messages_other_ = false;
  std::vector<bool> is_told_;  // by function: that it costs what some finding says
  double mean_time_ = 0;       // of a process
  std::vector<Finding> found_;
};

}  // namespace tracefold
