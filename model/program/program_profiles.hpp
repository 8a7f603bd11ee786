// What every process of a program did: its whole call-path profile with all metrics, and, for each
// iteration of each of its loops, the sums over call paths. It is stored beside a reduced trace
// (pack_program.hpp), so that this answers for all processes of the original. Plain data.
//
// Times are ticks of the trace's clock. Processes are those of the plan, in its order.
//
// Of a team, each member has the rows of the processes that it read; of the others it knows how
// many there are (PackedRows::is_elsewhere).
//
// Source: dynamics 4 (the time-series profiles of all processes).
#pragma once

#include "base/packed_values.hpp"
#include "model/aggregates/aggregates.hpp"
#include "model/iterations/loops.hpp"
#include "model/program/member_metrics.hpp"
#include "model/program/packed_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace tracefold {

// What one call path did in a loop: by process and iteration, with the columns
// ProgramProfiles::path_columns. Processes that did not call it there, or of which that was not
// recorded, are left out; of a team, also those that another member read.
struct ProgramPathSeries {
  PathIndex path = 0;  // in the tree of all processes
  std::map<std::size_t, PackedRows> rows;
};

// The n-th loop of all processes that have so many.
struct ProgramLoop {
  std::vector<PackedRows> rows;  // by process and iteration; none where it has no such loop
  std::vector<ProgramPathSeries> paths = {};  // of some call paths, ascending
  // When the iterations begin, in ticks: of the kept processes that have the loop.
  std::map<std::size_t, std::vector<std::uint64_t>> begins = {};
  bool is_unsure = false;  // how many iterations it has (Certainty)
};

// The n-th loop of a process that has so many, as maps of the original show it: all processes that
// have it, at whatever place among their loops.
struct ProgramMap {
  // By process which of its loops it is; none: it has it only for the map, or not at all.
  std::vector<std::optional<std::size_t>> places;
  // By process that has it only for the map, and iteration: as the rows of ProgramLoop. Which loops
  // a process has depends on times; what was found in others that do the same is in all of them.
  std::map<std::size_t, PackedRows> rows = {};

  // The loop of which the map has all processes and nothing else. `loops` are all of the program's.
  std::optional<std::size_t> find_whole_loop(const std::vector<ProgramLoop>& loops) const;
};

// A part of the run, as one loop: what is in it and what is not add up to the whole.
struct ProgramScope {
  std::string name;  // "MPI", "loop 0"
  // By process and path of its shape: what is not in it. No rows: nothing.
  std::vector<PackedRows> outside;
  // By process when a loop begins and ends, in ticks; both 0 where a process does not have it.
  std::vector<Interval> spans = {};

  // From the end of MPI_Init to the begin of MPI_Finalize.
  static constexpr const char* mpi = "MPI";
};

// What two processes have to do with each other: messages from one to the other, and how long
// either waited for the other because of them. Processes are those that MPI's ranks mean.
struct ProgramPair {
  std::size_t sender = 0, receiver = 0;
  std::uint64_t messages = 0, bytes = 0;
  std::uint64_t late_sender = 0, late_receiver = 0;  // ticks

  bool operator==(const ProgramPair&) const = default;
};

// How long others waited, by what they waited for; ticks.
struct DelayTimes {
  std::uint64_t late_sender = 0, late_receiver = 0, collective = 0;

  std::uint64_t sum() const { return late_sender + late_receiver + collective; }
  bool operator==(const DelayTimes&) const = default;
};
auto list_members(Like<DelayTimes> auto& times) {
  return std::tie(times.late_sender, times.late_receiver, times.collective);
}

// How long others waited for a process because of what it did in a call path before
// (pipeline/delays/find_delays.hpp): because it waited there itself, and because of all else.
struct ProgramDelay {
  std::size_t process = 0;        // that came late
  std::optional<PathIndex> path;  // in the tree of all processes; none: it is not known which
  DelayTimes own, waiting;

  bool operator==(const ProgramDelay&) const = default;
};
auto list_members(Like<ProgramDelay> auto& delay) {
  return std::tie(delay.process, delay.path, delay.own, delay.waiting);
}

struct ProgramProcess {
  std::uint64_t type = 0;                       // OTF2_LocationType
  std::uint64_t first_time = 0, last_time = 0;  // ticks; 0 without events
  std::uint64_t mpi_begin = 0, mpi_end = 0;     // ticks: the scope ProgramScope::mpi
  std::string node;                             // where it ran: "machine/node001"
  std::vector<std::string> metrics = {};        // as in Intent
};

// A Cartesian topology that the trace defines, and where in it each process is.
struct ProgramTopology {
  struct Axis {
    std::string name;
    std::uint64_t size = 0;
    bool is_periodic = false;

    bool operator==(const Axis&) const = default;
  };
  std::string name;
  std::vector<Axis> axes;
  // By process and axis, from 1 on; 0 on all axes: the process is not in it, or nobody knows where.
  std::vector<std::uint64_t> places;

  bool operator==(const ProgramTopology&) const = default;
};

struct ProgramProfiles {
  std::vector<ProgramProcess> processes;
  std::vector<ProgramTopology> topologies = {};
  // Of all processes: what call paths they have; values are in `values`, and there are no loops.
  Aggregates calls;
  std::vector<PackedRows> values;  // by process and path of its shape
  std::vector<ProgramScope> scopes = {};
  std::vector<ProgramPair> pairs = {};  // ascending by sender and receiver
  // By metric of collective operations and process: how long others waited in them because it
  // came last; ticks.
  std::map<Metric, std::vector<std::uint64_t>> caused = {};
  std::vector<ProgramDelay> delays = {};  // ascending by process and path
  // By column of a counter: which processes recorded values of it that are infinite or no numbers,
  // so that it is not known what they counted. Only counters of which there are such values.
  std::map<std::size_t, std::vector<bool>> unknown_counters = {};
  std::vector<std::size_t> path_columns = {};
  std::vector<ProgramLoop> loops;  // values have the columns of `calls`, and leave_rest() was done
  std::vector<ProgramMap> maps = {};  // one for each loop; the same of their values
  // By kept process that stands for others and has no loop: how these spend each thousandth of the
  // run, by time. Of a team, also of those with loops, how these spend the iterations, since no
  // member has the rows of all. They are not stored.
  std::map<std::size_t, std::vector<MemberTimes>> member_times = {};

  // Whether this member of a team has the rows of a process.
  bool is_here(std::size_t process) const { return !values[process].is_elsewhere(); }
};

// Moves the values of `calls` to `values`.
void pack_values(ProgramProfiles& program);

// Values of one iteration by column, of which execution time is the whole: leaves in its place what
// none of its parts has, so that an error of a share of each value is no larger one of the rest.
void leave_rest(const MetricColumns& columns, std::span<std::uint64_t> values);

}  // namespace tracefold
