// What `tracefold summary` shows of a run: how efficient it is, what costs most, and who and where.
// Plain data. Times are in seconds, shares and efficiencies from 0 to 1; what is not known is none.
//
// Source: POP's efficiencies (https://co-design.pop-coe.eu/metrics).
#pragma once

#include "model/messages/waiting_report.hpp"
#include "model/profile/metric.hpp"
#include "model/summary/run_facts.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// Hybrid is the product of the parallel efficiency, which is that of MPI, and of OpenMP's.
struct Efficiencies {
  std::optional<double> parallel, load_balance, communication, serialisation, transfer;
  std::optional<double> openmp, hybrid;
  // The share of the time in which a stream of an accelerator computes, the average over all
  // streams.
  std::optional<double> accelerator = {};
};

// A rank with all of its threads; without MPI a process of the operating system.
struct RankTimes {
  std::size_t master = 0;            // process
  std::vector<std::size_t> threads;  // processes, the master first
  double time = 0;                   // of the master, in the part of the run
  double useful = 0;                 // of it outside of MPI
  double mpi = 0;                    // of it in MPI
  std::optional<double> waiting;     // of that
  double transfer = 0;               // of it neither waiting nor I/O; with it, where not known
  double io = 0, mpi_io = 0;         // of the master: all, and in MPI
  double openmp = 0;                 // of the master: in OpenMP's runtime
  double serial = 0;                 // of the master: computation outside of parallel regions
  std::vector<double> computation;   // by thread: outside of MPI and of OpenMP's runtime
};

enum class Paradigm : std::uint8_t {
  computation,
  point_to_point,
  collective,
  synchronisation,
  other_mpi,
  io,
  openmp,
  accelerator,
};
inline constexpr std::size_t paradigm_count = 8;

struct ParadigmTime {
  double seconds = 0;
  std::optional<double> waiting;  // of it; none where it is no part of MPI, or not known
};

// A call path as people are told it: what is called, and by whom.
struct NamedCall {
  std::string function, caller;  // the caller is empty where nobody calls it

  bool empty() const { return function.empty(); }
  bool operator==(const NamedCall&) const = default;
};

struct CallTime {
  std::string function;
  double seconds = 0, share = 0;  // of all processes; of their time
  double mean = 0, most = 0;      // over ranks
  std::size_t slowest = 0;        // process
};

struct CallWaiting {
  NamedCall call;
  double seconds = 0, share = 0;  // waiting, and its share of all waiting
  double of_call = 0;             // the share of the call's time that is waiting
  Metric kind = Metric::none;     // that most of it is
};

struct GroupTimes {
  std::string name;
  std::size_t members = 0;
  double least = 0, mean = 0, most = 0;  // computation
};

// What costs most, and of whom.
enum class Loss : std::uint8_t {
  none,  // nothing that matters
  load_balance,
  serialisation,
  transfer,
  communication,  // serialisation and transfer, where they are not known apart
  openmp,
  io,
  iterations,
  accelerator,
};

// Whom or what a loss is of.
enum class Culprit : std::uint8_t {
  none,
  process,  // `who` takes longer than others, or alone
  few,      // the same of some, which are no half
  node,     // all on one node
  idle,     // `who` does less than others
  thread,   // one thread of a rank
  idle_threads,
  serial_part,
  overhead,
  sender,  // others wait for `who`
  receiver,
  chain,  // `who` are the first ones of a chain in which each waits for the one before
  last,   // others wait in collective operations for `who`
  root,
  slow_iteration,
  slower_iterations,
  faster_iterations,
  waits_for_accelerator,
  idle_streams,
};

// A kernel on an accelerator that is waited for, and on which streams, as processes.
struct WaitedKernel {
  std::string name = {};
  std::vector<std::size_t> streams = {};  // ascending
  double seconds = 0;                     // of the waiting
};

struct Finding {
  Loss loss = Loss::none;
  double share = 0;                       // of the time of all ranks that is lost by it
  std::optional<double> efficiency = {};  // the one that says it
  Culprit culprit = Culprit::none;
  std::vector<std::size_t> who = {};  // processes
  std::string node = {};
  bool is_thread_number = false;              // threads of this number in all ranks
  double value = 0, others = 0;               // what `who` takes, and the others on average
  NamedCall call = {};                        // in which they take it
  Paradigm paradigm = Paradigm::computation;  // that the call is of
  bool is_alone = false;                      // nobody else does it
  // How others wait for them.
  Metric wait = Metric::none;
  NamedCall wait_call = {};
  double lost = 0;                        // by it, over all
  bool lost_is_of_run = false;            // it is lost in the whole run, not in the part alone
  std::vector<std::size_t> victims = {};  // who waits most
  // Iterations.
  std::size_t loop = 0, first = 0, last = 0, iterations = 0;
  double usual = 0;           // time of an iteration
  std::size_t change_at = 0;  // of those that change at one iteration: it; 0: gradually
  // A kernel that the call waits for; empty: not known, or it waits for none.
  WaitedKernel kernel = {};
  // Messages of a call that transfers.
  std::uint64_t operations = 0;
  double bytes_each = 0;
};

// The call in which processes wait for accelerators longest.
struct AcceleratorWaiting {
  NamedCall call;            // the caller only where it has more than half of it
  double seconds = 0;        // in the call, of all processes
  double share = 0;          // of the time of all ranks
  WaitedKernel kernel = {};  // for which they wait most
};

struct WaitingFinding {
  double seconds = 0, share_of_time = 0;  // all waiting, and its share of all ranks' time
  CallWaiting worst;
  std::vector<std::size_t> late = {};  // for whom is waited most in it
  double late_share = 0;               // of the waiting of that kind
  bool late_is_of_run = false;         // that share is of the whole run, not of the part alone
};

struct Summary {
  std::string trace;
  RunPart part = RunPart::run;
  bool leaves_out_ends = false;  // of the run: MPI_Init and MPI_Finalize
  std::string window = {};
  std::size_t loops = 0;          // in the part
  bool loops_are_unsure = false;  // how many iterations they have
  std::uint64_t iterations = 0;
  std::vector<Process> processes;
  std::optional<std::uint64_t> kept_of = {};
  unsigned percent = 0;
  bool has_mpi = false, has_ranks = false;
  std::size_t threads = 0, streams = 0;  // of CPUs, in all; of accelerators
  std::size_t recording_streams = 0;     // of these: that recorded anything in the whole run
  double runtime = 0;                    // from the first begin to the last end, of all pieces
  std::optional<double> ideal;           // the same on an ideal network
  Efficiencies efficiencies;
  std::vector<RankTimes> ranks;
  double time = 0;  // of all threads, in calls
  std::array<ParadigmTime, paradigm_count> paradigms{};
  std::vector<CallTime> calls;     // descending
  std::vector<CallWaiting> waits;  // descending
  std::vector<GroupTimes> groups;
  Finding finding;
  // The finding is of what is between MPI_Init and MPI_Finalize, since more is lost outside of the
  // main loop than in it.
  bool finding_is_around = false;
  Efficiencies around = {};               // where it is: those between these two
  std::optional<double> loop_share = {};  // of the time between these two
  std::optional<WaitingFinding> waiting;
  std::optional<AcceleratorWaiting> accelerator_waiting = {};
  std::optional<WaitingReport> causes = {};  // of waiting, in the whole run; none: not known
  double useful = 0;                         // of all ranks
};

}  // namespace tracefold
