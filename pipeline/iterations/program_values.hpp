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

// One loop of all processes that have it, as maps of the original have it. Where a file does not
// tell that, processes have it that have as many iterations, or call the same in a loop of the same
// number. A process that recorded nothing in it, as an idle thread or a stream without kernels,
// does not have it: nothing is known of what that did.
class StoredLoop {
 public:
  // The loop of this number, from 0, or else the one in which the first process that has any
  // spends most time. Throws Error(usage) where there is no such loop. What is stored must stay.
  StoredLoop(const StoredProgram& stored, std::optional<std::size_t> number);

  const StoredProgram& stored() const { return stored_; }
  std::size_t number() const { return number_; }
  // Which of the stored loops it is on a process, or a number beyond these where the process has it
  // only in maps; none: the process does not have it.
  std::optional<std::size_t> find_place(std::size_t process) const { return places_[process]; }
  std::size_t count_iterations(std::size_t process) const;
  std::vector<std::size_t> list_processes() const;  // that have it
  bool is_only_of_map(std::size_t place) const { return place >= stored_.loops(); }
  // Of all processes at a place, in a column.
  ProgramSeries read_series(std::size_t place, std::size_t column) const;
  // Whether all processes with the stored loop of some place are those that have this one.
  bool is_whole() const { return is_whole_; }
  // Exact sums over its processes, by column of iterations; none where they are not known.
  std::optional<std::vector<std::uint64_t>> read_sums(std::size_t column) const;

 private:
  void take_map(const StoredMap& map);
  void find_by_lengths();
  void add_other_lengths(std::size_t first);
  void leave_out_idle();

  const StoredProgram& stored_;
  std::size_t number_;
  std::vector<std::optional<std::size_t>> places_;  // by process
  bool is_whole_ = false;
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
  // The sums of these processes, which are all of the loop; and those of each iteration, where
  // these are known. Only where no iterations share a value.
  MapSums list_sums(const std::vector<std::size_t>& processes) const;

 private:
  struct Values {
    std::vector<double> values;  // process by process; empty: all 0
    std::size_t columns = 0;
    std::vector<double> of_process;
  };
  std::vector<std::size_t> list_places() const;  // of the loop, among the stored ones
  static void add(const ProgramSeries& series, int weight, Values& out);
  void add_sums(const std::optional<std::vector<std::uint64_t>>& sums, int weight);

  const StoredLoop& loop_;
  std::map<std::size_t, Values> values_;  // by place
  // By column of iterations, over all processes; none: not known.
  std::optional<std::vector<double>> of_column_ = std::vector<double>();
  double steps_;  // in a unit of the metric
};

}  // namespace tracefold
