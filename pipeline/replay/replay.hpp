// Plays a recorded run again, as it was or with something changed, and tells how long it takes
// then.
//
// What processes do between calls of MPI takes as long as it did, or as the change says. A call
// ends when what it depends on is there, and then takes what was left of its time in the recorded
// run: so a run without a change takes exactly as long as it did. It depends on
//
// * messages that it receives: when the call was entered that sent them;
// * receives of messages that it sends: when the call was entered that posted them. Only where the
//   recorded run waited for that, or the message is longer than all that were sent before anybody
//   received them (the eager ones);
// * collective operations: when the last of those entered whom this process waits for there.
//
// A network without latency and with any bandwidth is a change in which calls take nothing beyond
// what they depend on. Calls of MPI without communication take nothing then either; files do.
//
// A collective operation that does not block is entered by the call that begins it, and waits in
// the one that ends it; a fence of one-sided communication is as a barrier.
//
// Where clocks differ so that a call ended before what it depends on was there, it does not wait
// for that. Other synchronisation of one-sided communication, and messages that nobody sent, are
// not known: what has such must not be played.
//
// A run that is played from what a small trace keeps of it has no recorded ends: first it is played
// without a change, and what that brings about takes their place.
//
// Immutable; any thread may play. Memory: 8 bytes for each begin and end of a call, 12 for each
// dependency, and 8 more for each begin and end while it plays.
//
// Source: Rosas, Giménez, Labarta 2014 (efficiencies by an ideal network; Dimemas); the ideal
// network of POP (https://co-design.pop-coe.eu/metrics).
#pragma once

#include "model/iterations/loops.hpp"
#include "model/program/program_sequences.hpp"
#include "pipeline/delays/timed_processes.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

// By what times are multiplied, by call path: its number in the tree of all processes plus 1; 0 for
// what has none there, and 1 behind all for the writing of buffers. Empty: 1 for all.
using PathFactors = std::vector<double>;

// What divides a part of the run into sections. A section ends where an iteration begins, or with
// an operation in which all processes of the run meet.
struct SectionEnds {
  bool iterations = true, meetings = true;
};

struct ReplayChange {
  PathFactors paths;  // for what is outside of calls that communicate
  // The same of some processes besides, by section, or a single one for all of them.
  using OfProcesses = std::map<std::size_t, std::vector<double>>;
  std::vector<OfProcesses> scalings = {};
  std::vector<std::uint32_t> scaling_of = {};  // by path: the number of its scaling plus 1; 0: none
  double network = 1;                          // for what calls take beyond what they depend on
  SectionEnds sections = {};
};

class Replay {
 public:
  // `is_mpi`: by path as PathFactors has them, whether its time is of MPI, but not of files. The
  // processes must outlive this.
  Replay(const std::vector<TimedProcess>& processes, const FindLate& find_process,
         std::vector<bool> is_mpi);

  // A part of the run, by process: both ends are 0 where it is not there.
  using Part = std::vector<Interval>;

  // From what was kept of a run. `processes` get their lines, and `parts` what was handed to
  // list_sequences(); call paths have numbers below `paths`. Throws Error(input) where sequences do
  // not fit together.
  Replay(const std::vector<ProgramSequence>& sequences, std::size_t paths, std::vector<bool> is_mpi,
         std::vector<TimedProcess>& processes, std::vector<Part>& parts);
  // By process; none where they have more than most_sequence_numbers, where a process of a part has
  // no segments, or times are near the end of the clock.
  std::vector<ProgramSequence> list_sequences(const std::vector<Part>& parts) const;

  // By the two ends of messages: ticks of the one whose number is second.
  using OfPairs = std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t>;

  // How long processes wait for messages of others, in ticks: by the two, and by the call path in
  // which they do, as PathFactors has it.
  struct Waits {
    OfPairs pairs;
    std::map<PathIndex, std::uint64_t> paths;
  };

  // How many ticks the part takes, from the first begin to the last end. Its processes begin when
  // they did; what was before is as it was, and what comes behind it as much later as its end.
  // Adds what is waited then to `waits`, where that is given.
  std::uint64_t play(const Part& part, const ReplayChange& change, Waits* waits = nullptr) const;
  // What calls took in the recorded run beyond what they depend on, in ticks: by the process and
  // those whose messages they had, or which had theirs, ascending.
  using Transfers = std::map<std::pair<std::uint32_t, std::vector<std::uint32_t>>, std::uint64_t>;
  Transfers sum_transfers(const Part& part) const;
  // The change to a network that costs nothing.
  ReplayChange make_ideal() const;

  // What ended the waiting of a call: the process, and when it entered the call that did.
  struct Cause {
    std::size_t process = 0;
    std::uint64_t time = 0;
  };
  // A call in which a process waited.
  struct Wait {
    std::uint64_t end = 0;  // of the call
    Cause cause;
  };
  // The last one of a process that ended no later than a time.
  std::optional<Wait> find_last_wait(std::size_t process, std::uint64_t time) const;
  std::size_t count_waits() const;
  const std::vector<TimedProcess>& processes() const { return processes_; }
  // Whether a section ends with a segment of a process. `call`: the number of the process's next
  // call that depends on something, from 0 on, which this counts.
  bool ends_section(std::size_t process, std::size_t segment, std::size_t& call,
                    std::size_t processes) const {
    const auto& own = played_[process];
    if (call == own.calls.size() || own.calls[call].segment != segment)
      return false;
    return meets_all(own.list(call++), processes);
  }
  // Of a path as PathFactors has it.
  bool is_mpi(PathIndex path) const { return path < is_mpi_.size() && is_mpi_[path]; }

 private:
  static constexpr std::uint32_t no_place = ~std::uint32_t{0};

  struct On {
    bool is_meeting = false, waits = true, is_waited_for = false;
    bool is_apart = false;  // a meeting that one call begins, and another one ends
    std::uint32_t process = 0;
    // The segment at whose end what is waited for begins, or the number of the meeting.
    std::uint32_t place = 0;
  };
  struct Call {
    std::uint32_t segment = 0, first = 0;  // of `dependencies`
  };
  struct Played {
    std::vector<std::uint64_t> ends;  // of segments
    std::vector<bool> is_call;
    std::vector<Call> calls;  // that depend on something
    std::vector<On> dependencies;

    std::uint64_t begin(std::size_t segment) const { return segment > 0 ? ends[segment - 1] : 0; }
    // The segment at whose end a call was entered.
    std::optional<std::uint32_t> find_entry(std::uint64_t time) const;
    std::span<const On> list(std::size_t call) const {
      const auto behind = call + 1 < calls.size() ? calls[call + 1].first : dependencies.size();
      return std::span(dependencies).subspan(calls[call].first, behind - calls[call].first);
    }
  };
  template <class Own>
  class PlayOrder;
  class Run;
  class SequencePlayer;

  void resolve(std::size_t process, const FindLate& find_process, std::uint64_t eager,
               const std::vector<std::size_t>& first_meetings);
  ProgramSequence list_sequence(std::size_t process, const std::vector<Part>& parts) const;
  // Once dependencies and times are known.
  void count_members();
  std::uint64_t find_time(const On& on) const {
    return on.is_meeting ? meetings_[on.place] : played_[on.process].ends[on.place];
  }
  // Where the part has not all processes, nothing tells who of a meeting is in it.
  bool meets_all(std::span<const On> dependencies, std::size_t processes) const {
    if (processes != communicating_)
      return false;
    for (const auto& on : dependencies)
      if (on.is_meeting && !on.is_apart && members_[on.place] == processes)
        return true;
    return false;
  }
  // What a call waited for longest; null where it did not wait.
  const On* find_cause(std::size_t process, std::size_t call) const;

  const std::vector<TimedProcess>& processes_;
  std::vector<bool> is_mpi_;
  std::vector<Played> played_;
  std::vector<std::uint64_t> meetings_;  // when the last one entered that others wait for
  std::vector<std::uint32_t> last_;      // who that was
  std::vector<std::uint32_t> members_;   // of meetings: how many processes
  std::size_t communicating_ = 0;        // processes
};

}  // namespace tracefold
