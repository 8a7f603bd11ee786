// Values of iterations of all processes of the original, from what is stored beside a reduced
// trace.
//
// Immutable once made; any thread may ask.
#pragma once

#include "model/iterations/iteration_map.hpp"
#include "pipeline/iterations/map_pass.hpp"
#include "pipeline/program/stored_program.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tracefold {

// One loop of all processes that have it: that have as many iterations, or call the same in a loop
// of the same number. A process that recorded nothing in it, as an idle thread or a stream without
// kernels, does not have it: nothing is known of what that did.
class StoredLoop {
 public:
  // The loop of this number, from 0, or else the one in which the first process that has any
  // spends most time. Throws Error(usage) where there is no such loop. What is stored must stay.
  StoredLoop(const StoredProgram& stored, std::optional<std::size_t> number);

  const StoredProgram& stored() const { return stored_; }
  std::size_t number() const { return number_; }
  // Which of the stored loops it is on a process; none: the process does not have it.
  std::optional<std::size_t> find_place(std::size_t process) const { return places_[process]; }
  std::size_t count_iterations(std::size_t process) const;
  std::vector<std::size_t> list_processes() const;  // that have it

 private:
  void add_other_lengths(std::size_t first);
  void leave_out_idle();

  const StoredProgram& stored_;
  std::size_t number_;
  std::vector<std::optional<std::size_t>> places_;  // by process
};

// A metric in each iteration of a loop. Memory: 8 bytes for each process and stored column.
class StoredSeries {
 public:
  StoredSeries(const StoredLoop& loop, const ShownMetric& metric);
  // A time of some call paths only: those that have series, others count as 0. Paths name
  // functions of `calls`.
  StoredSeries(const StoredLoop& loop, const ShownMetric& metric, const Aggregates& calls,
               const std::vector<PathIndex>& paths);

  // Where iterations share a value, its mean. The process must have the iteration.
  double get(std::size_t process, std::size_t iteration) const;
  // The sums of these processes; and those of each iteration, where these are known and all of them
  // have the same of the stored loops. Only where no iterations share a value.
  MapSums list_sums(const std::vector<std::size_t>& processes) const;

 private:
  struct Values {
    std::vector<double> values;  // process by process; empty: all 0
    std::size_t columns = 0;
    std::vector<double> of_process, of_column;
    bool knows_columns = true;  // whether of_column is known
  };
  std::vector<std::size_t> list_places() const;  // of the loop, among the stored ones
  static void add(const ProgramSeries& series, int weight, Values& out);

  const StoredLoop& loop_;
  std::map<std::size_t, Values> values_;  // by stored loop
  double steps_;                          // in a unit of the metric
};

}  // namespace tracefold
