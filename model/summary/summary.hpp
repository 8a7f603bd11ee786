// What `tracefold summary` shows of a run: how efficient it is, what costs most, who is
// responsible, and where. Plain data. Times are in seconds, shares and efficiencies from 0 to 1;
// unknown values are none.
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

// `parallel`, which is that of MPI, is the product of `load_balance`, `communication` and, where
// there is any of it, `io` and `measurement`. `hybrid` is the product of `parallel` and `threads`.
struct Efficiencies {
  std::optional<double> parallel, load_balance, communication, serialisation, transfer, io;
  std::optional<double> threads, hybrid;
  // The share of the time in which not all ranks write the buffers of the measurement to files.
  std::optional<double> measurement = {};
  // The share of the time in which streams of accelerators run kernels, averaged over all streams.
  std::optional<double> accelerator = {};
};

// A call path for people: the function, and its caller.
struct NamedCall {
  std::string function, caller;  // the caller is empty where nobody calls it

  bool empty() const { return function.empty(); }
  auto operator<=>(const NamedCall&) const = default;
};

// What devices do. Shares are of their time, over all of them.
struct DeviceUse {
  ProgramDevices sums;
  NamedCall host = {};    // what hosts are in for most of the idle time; empty: not known
  double host_share = 0;  // of that time, where it is known

  double share(std::uint64_t ProgramDevices::*ticks) const {
    return static_cast<double>(sums.*ticks) / static_cast<double>(sums.time);
  }
};

// A rank with all of its threads; without MPI a process of the operating system.
struct RankTimes {
  std::size_t master = 0;            // process
  std::vector<std::size_t> threads;  // processes, the master first
  double time = 0;                   // of the master, in the part of the run, while it is recorded
  double present = 0;                // the part of the runtime in which it is there
  double useful = 0;                 // the part of it outside of MPI and of I/O
  double mpi = 0;                    // the part of it in MPI
  std::optional<double> waiting;     // the part of `mpi` that is waiting
  double transfer = 0;               // the part of `mpi` without waiting (where known) and I/O
  double io = 0, mpi_io = 0;         // of the master: in all, and in MPI
  double measurement = 0;            // of the master: while buffers are written to files
  double openmp = 0;                 // of the master: in OpenMP's runtime
  double serial = 0;                 // of the master: computation outside of parallel regions
  std::vector<double> computation;   // by thread: outside of MPI, I/O and OpenMP's runtime
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
  measurement,
};
inline constexpr std::size_t paradigm_count = 9;

struct ParadigmTime {
  double seconds = 0;
  std::optional<double> waiting;  // the part that is waiting; none: outside of MPI, or not known
};

struct CallTime {
  std::string function;
  double seconds = 0, share = 0;  // over all processes, and as a share of their time
  double mean = 0, most = 0;      // over ranks
  std::size_t slowest = 0;        // process
  bool is_mpi = false;            // of MPI, or called by it
};

struct CallWaiting {
  NamedCall call;
  double seconds = 0, share = 0;  // waiting, and as a share of all waiting
  double of_call = 0;             // share of the call's time that is waiting
  Metric kind = Metric::none;     // the kind of most of it
};

// A network that was fitted on half of the messages of the whole run.
struct FittedNetwork {
  double latency = 0;                    // seconds
  std::optional<double> bandwidth = {};  // bytes per second; none: messages are about as long
  double error = 0;                      // relative, of the other messages: the median
  std::uint64_t messages = 0;
};

// What the end of the part waited for, one thing after the other: shortening anything else gains no
// time.
struct CriticalTimes {
  struct Call {
    std::string function;
    double seconds = 0, share = 0;  // on the path, and as a share of its length
    double imbalance = 0;           // how much longer that is than the function takes on average
    std::size_t most = 0;           // the process with most of it
    double share_of_most = 0;       // of this function's time on the path
  };
  double seconds = 0;       // its length
  double network = 0;       // of it, while only messages and operations are under way
  std::vector<Call> calls;  // descending
  std::vector<std::uint32_t> over_time = {};  // as CriticalPath has it
};

// How much shorter the part is with a change. Gains overlap, and have no sum.
struct Gain {
  ProgramGain::Kind kind = ProgramGain::Kind::function;
  NamedCall call = {};                // with most of it
  std::vector<std::size_t> who = {};  // as ProgramGain has them
  SomeIterations iterations = {};
  double seconds = 0, share = 0;  // of the runtime
};

struct GroupTimes {
  std::string name;
  std::size_t members = 0;
  double least = 0, mean = 0, most = 0;  // computation of its members
};

// The kinds of losses.
enum class Loss : std::uint8_t {
  none,  // nothing that matters
  load_balance,
  serialisation,
  transfer,
  communication,  // serialisation and transfer together, where not known apart
  threads,
  io,
  iterations,
  accelerator,
  measurement,
};

// Who or what causes a loss.
enum class Culprit : std::uint8_t {
  none,
  process,  // `who` takes longer than others, or works alone
  few,      // the same for several processes, less than half of all
  node,     // all on one node
  idle,     // `who` does less than others
  thread,   // one thread of a rank
  idle_threads,
  serial_part,
  locks,
  overhead,
  sender,  // others wait for `who`
  receiver,
  chain,  // `who` is at the beginning of a chain in which each waits for the one before
  last,   // others wait for `who` in collective operations
  root,
  slow_iteration,
  slower_iterations,
  faster_iterations,
  waits_for_accelerator,
  idle_streams,
  straggler,  // comes last to collective operations on accelerators
  copies,     // hosts copy from and to accelerators
};

// A kernel that processes wait for, and the streams that it runs on.
struct WaitedKernel {
  std::string name = {};
  std::vector<std::size_t> streams = {};  // ascending
  double seconds = 0;                     // of waiting
};

struct Finding {
  Loss loss = Loss::none;
  double share = 0;                       // of the time of all ranks, or `cost` of the runtime
  std::optional<double> efficiency = {};  // the efficiency that shows the loss
  Culprit culprit = Culprit::none;
  std::vector<std::size_t> who = {};  // processes
  std::string node = {};
  bool is_as_others = false;  // a thread: `cost` is what is gained where it takes as long as they
  bool is_thread_number = false;              // `who` are the threads with this number in all ranks
  double value = 0, others = 0;               // what `who` takes, and what others take on average
  NamedCall call = {};                        // the call in which they take it
  Paradigm paradigm = Paradigm::computation;  // of the call
  bool is_alone = false;                      // nobody else does it
  // How others wait for `who`.
  Metric wait = Metric::none;
  NamedCall wait_call = {};
  double lost = 0;                        // by this waiting, over all processes
  bool lost_is_of_run = false;            // `lost` is of the whole run, and not only of the part
  std::vector<std::size_t> victims = {};  // who waits most
  // For losses in iterations.
  std::size_t loop = 0, first = 0, last = 0, iterations = 0;
  std::vector<std::size_t> loop_ranks = {};  // where parts of the ranks have different loops
  double usual = 0;                          // time of an iteration
  std::size_t change_at = 0;                 // the iteration at which they change; 0: gradually
  // The kernel that the call waits for; empty: none, or not known.
  WaitedKernel kernel = {};
  // For transfer: the messages of the call.
  std::uint64_t operations = 0;
  double bytes_each = 0;
  // Where messages grow or shrink with the iterations: bytes of one in the first and in the last.
  double bytes_first = 0, bytes_last = 0;
  std::optional<double> cost = {};  // what the run would gain without it; none: not known
  SomeIterations when = {};         // the iterations that cost nearly all of it
  bool is_of_call = false;          // `value` and `others` are of `call` alone
  // What `who` counts in `call`, as multiples of what others do on average.
  struct Counted {
    double instructions = 0, cycles = 0;
  };
  std::optional<Counted> counted = {};  // none: not known
};

// The call in which processes wait longest for accelerators.
struct AcceleratorWaiting {
  NamedCall call;            // with its caller only if that has more than half of it
  double seconds = 0;        // in the call, over all processes
  double share = 0;          // of the time of all ranks
  WaitedKernel kernel = {};  // the kernel that they wait for most
};

struct WaitingFinding {
  double seconds = 0, share_of_time = 0;  // all waiting, and as a share of the time of all ranks
  CallWaiting worst;
  std::vector<std::size_t> late = {};  // the processes that are waited for most in it
  double late_share = 0;               // of the waiting of that kind
  bool late_is_of_run = false;         // that share is of the whole run, and not only of the part
};

// A file, or the rest of all files, that the whole run reads and writes.
struct FileTimes {
  struct Amount {
    std::uint64_t operations = 0;
    double seconds = 0;                       // of all processes
    std::optional<std::uint64_t> bytes = {};  // none: not known
    // By second of these; none: not known.
    std::optional<double> find_bandwidth() const {
      if (!bytes || seconds <= 0)
        return std::nullopt;
      return static_cast<double>(*bytes) / seconds;
    }
  };
  std::string name;  // empty: the rest
  std::uint64_t files = 1;
  Amount read, written, other;
  double seconds = 0, share = 0;      // of all operations, and as a share of the time of all ranks
  std::size_t count = 0;              // of processes
  std::vector<std::size_t> who = {};  // these; empty: not known
};

// Smaller shares of the time of all ranks, or of all threads, are noise: no sentence tells them.
inline constexpr double least_told_share = 0.005;

struct Summary {
  std::string trace;
  RunPart part = RunPart::run;
  std::string window = {};
  std::size_t loops = 0;                    // number of loops in the part
  bool loops_are_unsure = false;            // the number of their iterations is unsure
  std::vector<std::uint64_t> numbers = {};  // of iterations; empty: 0, 1, 2, …
  std::uint64_t iterations = 0;  // of all loops; where parts of the ranks differ, of the largest
  // Where parts of the ranks have different loops: which, and how many iterations. Else empty.
  struct RankLoop {
    std::vector<std::size_t> ranks;  // processes, ascending
    std::uint64_t iterations = 0;
  };
  std::vector<RankLoop> rank_loops = {};
  std::vector<Process> processes;
  unsigned percent = 0;
  bool has_mpi = false, has_openmp = false, has_ranks = false;
  std::size_t threads = 0, streams = 0;  // of CPUs, and of accelerators
  std::size_t recording_streams = 0;     // streams that recorded anything in the whole run
  // From the first beginning to the last end, of all pieces, without the time in which recording is
  // off, on average over ranks.
  double runtime = 0;
  double recording_off = 0;     // the share of the whole run in which recording is off
  std::optional<double> ideal;  // the runtime on an ideal network
  Efficiencies efficiencies;
  std::vector<RankTimes> ranks;
  // Masters of ranks whose event files are missing; these are not in `ranks`.
  std::vector<std::size_t> missing;
  // How long the part would take with what was asked; none: not asked, or not known.
  std::optional<double> what_if = {};
  std::optional<OutsideLoops> outside_loops = {};
  EarlyEnds early_ends = {};
  LateStarts late_starts = {};
  EarlyMessages early_messages = {};
  std::vector<CounterSum> counters = {};
  std::optional<std::vector<FileTimes>> files = {};  // with most time; none: not known
  double time = 0;                                   // of all threads, in calls
  std::array<ParadigmTime, paradigm_count> paradigms{};
  std::vector<CallTime> calls;                 // descending
  std::vector<CallWaiting> waits;              // descending
  std::optional<CriticalTimes> critical = {};  // none: not known
  std::optional<FittedNetwork> network = {};   // none: not known
  std::vector<Gain> gains;                     // descending
  std::vector<GroupTimes> groups;
  Finding finding;
  // The finding is about the time between MPI_Init and MPI_Finalize, since more is lost outside of
  // the main loop than in it.
  bool finding_is_around = false;
  Efficiencies around = {};               // then: the efficiencies between these two
  std::optional<double> loop_share = {};  // of the time between these two
  std::optional<WaitingFinding> waiting;
  std::optional<AcceleratorWaiting> accelerator_waiting = {};
  std::optional<DeviceUse> devices = {};     // none: there are none, or not known
  std::optional<WaitingReport> causes = {};  // of waiting, in the whole run; none: not known
  double useful = 0;                         // of all ranks

  // The share of the time in which accelerators run kernels, on any of their streams, or where that
  // is not known, on average over streams.
  std::optional<double> find_busy_accelerators() const {
    return devices ? devices->share(&ProgramDevices::kernels) : efficiencies.accelerator;
  }

  // Waiting for less than this, over all processes, is noise.
  double least_told_waiting() const {
    double time = 0;
    for (const auto& rank : ranks)
      time += rank.time;
    return least_told_share * time;
  }
};

}  // namespace tracefold
