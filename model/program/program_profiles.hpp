// What every process of a program did: its call-path profile with all metrics, and, for each
// iteration of each loop, the sums over call paths. It is stored beside a reduced trace
// (pack_program.hpp), which can then answer for all processes of the original. Plain data.
//
// Times are ticks of the trace's clock. Processes are those of the plan, in its order.
//
// In a team, each member has the rows of the processes that it read, and of other processes only
// their number (PackedRows::is_elsewhere).
//
// Source: dynamics 4 (the time-series profiles of all processes).
#pragma once

#include "base/packed_values.hpp"
#include "model/aggregates/aggregates.hpp"
#include "model/iterations/loops.hpp"
#include "model/iterations/spread_ticks.hpp"
#include "model/program/member_metrics.hpp"
#include "model/program/packed_rows.hpp"
#include "model/program/program_devices.hpp"
#include "model/program/program_files.hpp"
#include "model/program/program_sequences.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

// The values of one call path in a loop, by process and iteration, in the columns
// ProgramProfiles::path_columns. Processes that did not call it there, for which it was not
// recorded, or that another member of the team read are missing.
struct ProgramPathSeries {
  PathIndex path = 0;  // in the tree of all processes
  std::map<std::size_t, PackedRows> rows;
};

// The n-th loop of all processes that have at least n loops.
struct ProgramLoop {
  std::vector<PackedRows> rows;  // by process and iteration; none where it has no such loop
  std::vector<ProgramPathSeries> paths = {};  // of some call paths, ascending
  // By kept process that has the loop: the beginnings of its iterations, in ticks.
  std::map<std::size_t, std::vector<std::uint64_t>> begins = {};
  bool is_unsure = false;  // the number of iterations is unsure (Certainty)
};

// A loop as maps of the original show it, for all processes that have it, whatever its number
// there.
struct ProgramMap {
  // By process: the number of this loop among its loops. None: it has the loop only for the map, or
  // not at all.
  std::vector<std::optional<std::size_t>> places;
  // By process that has the loop only for the map: rows as in ProgramLoop. Times decide which loops
  // a process has; a loop that was found in others with the same calls is added to it for the map.
  std::map<std::size_t, PackedRows> rows = {};

  // The loop that has exactly the processes of this map. `loops` are all loops of the program.
  std::optional<std::size_t> find_whole_loop(const std::vector<ProgramLoop>& loops) const;
};

// A part of the run. The values inside and outside of it add up to the whole.
struct ProgramScope {
  std::string name;  // "MPI", "loop 0"
  // By process and path of its shape: the values outside. No rows: all 0.
  std::vector<PackedRows> outside;
  // By process: when the loop begins and ends, in ticks; both 0 where the process does not have it.
  std::vector<Interval> spans = {};

  // From the end of MPI_Init to the beginning of MPI_Finalize.
  static constexpr const char* mpi = "MPI";
};

// Messages from one process to another, and how long each of them waited for the other because of
// them. Processes are those that MPI ranks refer to.
struct ProgramPair {
  std::size_t sender = 0, receiver = 0;
  std::uint64_t messages = 0, bytes = 0;
  std::uint64_t late_sender = 0, late_receiver = 0;  // ticks

  bool operator==(const ProgramPair&) const = default;
};

// How long others waited, by the kind of waiting, in ticks.
struct DelayTimes {
  std::uint64_t late_sender = 0, late_receiver = 0, collective = 0;

  std::uint64_t sum() const { return late_sender + late_receiver + collective; }
  bool operator==(const DelayTimes&) const = default;
};
auto list_members(Like<DelayTimes> auto& times) {
  return std::tie(times.late_sender, times.late_receiver, times.collective);
}

// How long others waited for a process because of what it did before in one call path
// (pipeline/delays/find_delays.hpp): for the process itself, and for others that waited
// themselves because of it.
struct ProgramDelay {
  std::size_t process = 0;  // the process that came late
  // In the tree of all processes; none: not known. One behind all paths: the recorder wrote its
  // buffer to a file.
  std::optional<PathIndex> path;
  DelayTimes own, passed;

  bool operator==(const ProgramDelay&) const = default;
};
auto list_members(Like<ProgramDelay> auto& delay) {
  return std::tie(delay.process, delay.path, delay.own, delay.passed);
}

// The chain of what processes did and waited for that determined when a part of the run ended
// (pipeline/replay/critical_path.hpp). Times are in ticks.
struct CriticalPath {
  // What of it a process did in a call path: 1 more than its number in the tree of all processes;
  // 0: not known. One behind all paths: the recorder wrote its buffer to a file.
  struct Time {
    std::size_t process = 0;
    PathIndex path = 0;
    std::uint64_t ticks = 0;

    bool operator==(const Time&) const = default;
  };
  friend auto list_members(Like<Time> auto& time) {
    return std::tie(time.process, time.path, time.ticks);
  }
  friend auto list_members(Like<CriticalPath> auto& path) {
    return std::tie(path.length, path.network, path.network_in, path.times, path.over_time);
  }
  static constexpr std::size_t most_slots = 240;  // of `over_time`
  static constexpr std::uint32_t on_network = 1, first_process = 2;

  std::uint64_t length = 0;
  std::uint64_t network = 0;  // while nothing but messages and operations are under way
  // The same by call path, as in Time, ascending, but no small amounts. Empty: not known.
  std::vector<std::pair<PathIndex, std::uint64_t>> network_in = {};
  std::vector<Time> times;  // ascending by process and path
  // By slot of its length, which are equally long: what has most of it. 2 more than a process; 0:
  // not known; 1: the network. Empty: not known.
  std::vector<std::uint32_t> over_time = {};

  // Adds that of another part. Then nothing is known of it over time.
  void add(const CriticalPath& other);
};

// Iterations of a loop, from 0 on: the first, each so many behind it, up to the last. `every` is 0
// where they are no certain ones.
struct SomeIterations {
  std::uint64_t first = 0, last = 0, every = 0;

  bool operator==(const SomeIterations&) const = default;
};

// How much shorter a part of the run is with a change (pipeline/replay/find_gains.hpp).
struct ProgramGain {
  enum class Kind : std::uint8_t {
    function,     // all are in it as long as the median, in each iteration
    computation,  // the same of all that they compute
    spread,       // all compute as long as the mean: `who` is those who compute least
    iterations,   // iterations are as long as most others
    order,        // nobody waits for anybody, beyond what computation and the network explain
    files,        // they cost nothing
    network,      // it costs nothing
  };
  static constexpr std::size_t kinds = 7;

  Kind kind = Kind::function;
  // The call path with most of it, numbered as in CriticalPath; 0: none.
  PathIndex path = 0;
  // Processes; empty: no certain ones. Of the order it is a chain, in which each waits for the one
  // before; of the network the ends of slow messages, where these are few; else ascending.
  std::vector<std::size_t> who = {};
  SomeIterations iterations = {};  // that have nearly all of it
  std::uint64_t ticks = 0;

  bool operator==(const ProgramGain&) const = default;
};
auto list_members(Like<ProgramGain> auto& gain) {
  return std::tie(gain.kind, gain.path, gain.who, gain.iterations.first, gain.iterations.last,
                  gain.iterations.every, gain.ticks);
}

// A network that takes a latency and a time for each byte (pipeline/replay/fit_network.hpp), in
// ticks.
struct NetworkFit {
  double latency = 0, per_byte = 0;  // per_byte: 0 where all messages are about as long
  double error = 0;                  // relative, of messages that it was not fitted on: the median
  std::uint64_t messages = 0;
};
auto list_members(Like<NetworkFit> auto& fit) {
  return std::tie(fit.latency, fit.per_byte, fit.error, fit.messages);
}

// What is known of a part of the run since it was played again (pipeline/replay/replay.hpp).
struct ProgramReplay {
  std::string part;            // a scope's name, or `run`
  std::uint64_t recorded = 0;  // ticks that it takes
  std::uint64_t ideal = 0;     // and on a network that costs nothing
  CriticalPath critical_path;
  std::vector<ProgramGain> gains = {};  // descending
  // Ticks that it takes with what was asked (model/what_if.hpp); none: nothing was.
  std::optional<std::uint64_t> asked = {};
  std::optional<NetworkFit> network = {};  // of the whole run; none: not known

  static constexpr const char* run = "run";
};
auto list_members(Like<ProgramReplay> auto& replay) {
  return std::tie(replay.part, replay.recorded, replay.ideal, replay.critical_path, replay.gains,
                  replay.asked, replay.network);
}

struct ProgramProcess {
  std::uint64_t type = 0;                       // OTF2_LocationType
  std::uint64_t first_time = 0, last_time = 0;  // ticks; 0 without events
  std::uint64_t mpi_begin = 0, mpi_end = 0;     // ticks: the scope ProgramScope::mpi
  std::uint64_t early_messages = 0;             // that it received before they were sent
  std::string node;                             // where it ran: "machine/node001"
  std::vector<std::string> metrics = {};        // as in Intent
  SetAsideTimes set_aside = {};
};

// A Cartesian topology of the trace, with the place of each process.
struct ProgramTopology {
  struct Axis {
    std::string name;
    std::uint64_t size = 0;
    bool is_periodic = false;

    bool operator==(const Axis&) const = default;
  };
  std::string name;
  std::vector<Axis> axes;
  // By process and axis, from 1; 0 on all axes: not in the topology, or not known.
  std::vector<std::uint64_t> places;

  bool operator==(const ProgramTopology&) const = default;
};

struct ProgramProfiles {
  std::vector<ProgramProcess> processes;
  std::vector<ProgramTopology> topologies = {};
  // Only call paths, by process; the values are in `values`, and it has no loops.
  Aggregates calls;
  std::vector<PackedRows> values;  // by process and path of its shape
  std::vector<ProgramScope> scopes = {};
  std::vector<ProgramPair> pairs = {};  // ascending by sender and receiver
  // By metric of collective operations and process: how long others waited because it came last, in
  // ticks.
  std::map<Metric, std::vector<std::uint64_t>> caused = {};
  std::vector<ProgramDelay> delays = {};    // ascending by process and path
  std::vector<ProgramReplay> replays = {};  // none: it cannot be played
  // By process; none: it is not to be played from these, or they were too many.
  std::vector<ProgramSequence> sequences = {};
  // Those with most time first, the rest last. Empty: no operations are recorded.
  std::vector<ProgramFileUse> files = {};
  std::vector<ProgramDevices> devices = {};  // of parts; none: there are none, or not known
  // By column of a counter: the processes that recorded infinite values or NaN, for which the
  // counter is therefore not known. Only counters with such values.
  std::map<std::size_t, std::vector<bool>> unknown_counters = {};
  std::vector<std::size_t> path_columns = {};
  std::vector<ProgramLoop>
      loops;  // their rows have the columns of `calls`, after replace_time_by_rest()
  std::vector<ProgramMap> maps = {};  // one for each loop; rows as in `loops`
  // By kept process that stands for others and has no loop: the times of these in each thousandth
  // of the run. In a team also by those with loops: the times in each iteration, since no member
  // has the rows of all. Not stored.
  std::map<std::size_t, std::vector<MemberTimes>> member_times = {};

  // Whether this member of the team has the rows of a process.
  bool is_here(std::size_t process) const { return !values[process].is_elsewhere(); }
};

// Moves the values of `calls` to `values`.
void pack_values(ProgramProfiles& program);

// Replaces the execution time among the values of one iteration by the rest that none of its parts
// has. Values are stored with a relative error, which then applies to the rest only.
void replace_time_by_rest(const MetricColumns& columns, std::span<std::uint64_t> values);

}  // namespace tracefold
