// What every process of a program did: its whole call-path profile with all metrics, and, for each
// iteration of each of its loops, the sums over call paths. It is stored beside a reduced trace
// (pack_program.hpp), so that this answers for all processes of the original. Plain data.
//
// Times are ticks of the trace's clock. Processes are those of the plan, in its order.
//
// Source: dynamics 4 (the time-series profiles of all processes).
#pragma once

#include "model/aggregates/aggregates.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

// The iterations of one loop of a process: in each of them a value for each column. Iterations are
// added one after the other, and read by column when all are there. About 2 bytes a value.
class IterationRows {
 public:
  void add(std::span<const std::uint64_t> values);
  // Call once, after the last iteration.
  void finish();

  std::size_t iterations() const { return iterations_; }
  // By iteration; all 0 where the column has no values. After finish().
  std::vector<std::uint64_t> read(std::size_t column) const;
  // Whether any iteration has a value in it.
  bool has(std::size_t column) const {
    return column < ends_.size() && find_begin(column) < ends_[column];
  }

 private:
  std::size_t find_begin(std::size_t column) const { return column == 0 ? 0 : ends_[column - 1]; }

  std::size_t iterations_ = 0;
  std::vector<std::uint64_t> values_;  // iteration by iteration, before finish()
  std::vector<std::uint8_t> bytes_;    // column by column, after it; none of a column of zeros
  std::vector<std::size_t> ends_;      // by column, in `bytes_`
};

// The n-th loop of all processes that have so many.
struct ProgramLoop {
  std::vector<IterationRows> rows;  // by process; without iterations where it has no such loop
};

struct ProgramProcess {
  std::uint64_t type = 0;                       // OTF2_LocationType
  std::uint64_t first_time = 0, last_time = 0;  // ticks; 0 without events
  std::string node;                             // where it ran: "machine/node001"
  std::vector<std::string> metrics = {};        // as in Intent
};

struct ProgramProfiles {
  std::vector<ProgramProcess> processes;
  Aggregates calls;                // of all processes; it has no loops
  std::vector<ProgramLoop> loops;  // values have the columns of `calls`, and leave_rest() was done
};

// Values of one iteration by column, of which execution time is the whole: leaves in its place what
// none of its parts has, so that an error of a share of each value is no larger one of the rest.
void leave_rest(const MetricColumns& columns, std::span<std::uint64_t> values);
// The other way round.
void add_parts(const MetricColumns& columns, std::span<std::uint64_t> values);

}  // namespace tracefold
