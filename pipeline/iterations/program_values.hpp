// Values of iterations of all processes of the original, from the file beside a reduced trace.
//
// Immutable, thread-safe.
#pragma once

#include "model/iterations/iteration_map.hpp"
#include "pipeline/facts/stored_program.hpp"
#include "pipeline/iterations/map_pass.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tracefold {

// One loop of all processes that have it, as in maps of the original. If the file does not say
// which these are, they are the processes with as many iterations, or with the same calls in a loop
// of the same number. Processes without recorded values in it, such as idle threads or streams
// without kernels, do not have it.
class StoredLoop {
 public:
  // Loop number `number`, from 0; by default the loop in which the first process with loops spends
  // most time. Throws Error(usage) if there is no such loop. `stored` must outlive this.
  StoredLoop(const StoredProgram& stored, std::optional<std::size_t> number);

  const StoredProgram& stored() const { return stored_; }
  std::size_t number() const { return number_; }
  // The number of this loop among the stored loops of a process, or a number beyond these if the
  // process has it only in maps; none: the process does not have it.
  std::optional<std::size_t> find_place(std::size_t process) const { return places_[process]; }
  std::size_t count_iterations(std::size_t process) const;
  std::vector<std::size_t> list_processes() const;  // that have it
  bool is_only_of_map(std::size_t place) const { return place >= stored_.loops(); }
  // The values of one column for all processes at a place.
  ProgramSeries read_series(std::size_t place, std::size_t column) const;
  // Whether the processes with this loop are all those with the stored loop of one place.
  bool is_whole() const { return is_whole_; }
  // Exact sums over its processes, by column of iterations; none if not known.
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
  // The same for a time in some call paths: those without series count as 0. Paths refer to
  // functions of `calls`.
  StoredSeries(const StoredLoop& loop, const ShownMetric& metric, const Aggregates& calls,
               const std::vector<PathIndex>& paths);

  // The value, or the mean of iterations that share a value. The process must have the iteration.
  double get(std::size_t process, std::size_t iteration) const;
  // The sums of these processes, which must be all of the loop; and those of each iteration, if
  // known. Only if no iterations share a value.
  MapSums list_sums(const std::vector<std::size_t>& processes) const;

 private:
  struct Values {
    std::vector<double> values;  // process by process; empty: all 0
    std::size_t columns = 0;
    std::vector<double> of_process;
  };
  std::vector<std::size_t> list_places() const;  // of the loop, among stored ones
  static void add(const ProgramSeries& series, int weight, Values& out);
  void add_sums(const std::optional<std::vector<std::uint64_t>>& sums, int weight);

  const StoredLoop& loop_;
  std::map<std::size_t, Values> values_;  // by place
  // By column of iterations, over all processes; none: not known.
  std::optional<std::vector<double>> of_column_ = std::vector<double>();
  double steps_;  // in a unit of the metric
};

}  // namespace tracefold
