// What is collected by scripts while a trace is profiled, against what another reading tells: of
// random programs, some of whose processes do something else.
#include "pipeline/iterations/script_calls.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/profile/series_pass.hpp"
#include "tests/support/trace_builder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {
namespace {

using enum EventKind;
using testing::TraceBuilder;
using Random = std::minstd_rand;
using Wait = tracefold::Metric;  // not the record

constexpr std::uint64_t world = TraceBuilder::world, pair_comm = 7;
constexpr std::uint64_t barrier = 0, bcast = 1, allreduce = 11, reduce = 12;
constexpr std::size_t processes = 12, steps = 6;
constexpr std::size_t odd_one = 5;  // the process that does something else

const std::vector<std::string> names{"main",          "step",        "solve",     "inner",
                                     "MPI_Sendrecv",  "MPI_Isend",   "MPI_Irecv", "MPI_Waitall",
                                     "MPI_Allreduce", "MPI_Barrier", "MPI_Bcast", "MPI_Reduce",
                                     "other",         "MPI_Test"};

enum class Deviation {
  none,
  function,
  length,
  partner,
  communicator,
  root,
  order,       // of receives
  completion,  // of sends
  long_time,   // that does not fit
  metric,      // of all processes: values that are recorded
  between,     // likewise: records between the calls of an iteration
};

bool is_of_all(Deviation deviation) {
  return deviation == Deviation::metric || deviation == Deviation::between;
}

// Writes what one process does. Times are random, so that messages may be received before they are
// sent.
class Process {
 public:
  Process(TraceBuilder& trace, std::uint64_t rank, std::size_t seed, Deviation deviation)
      : trace_(trace),
        rank_(rank),
        program_(seed),
        times_(1000 * seed + rank + 1),
        deviation_(rank == odd_one || is_of_all(deviation) ? deviation : Deviation::none),
        request_(100 * rank) {}

  void run() {
    enter("main");
    call("MPI_Barrier", [&] { collective(barrier, world, otf2_value::root_none, 0); });
    for (std::size_t step = 0; step < steps; ++step) {
      enter("step");
      for (auto operations = 2 + program_() % 4; operations > 0; --operations)
        operate(step == 3 && operations == 1);
      leave();
      if (deviation_ == Deviation::between && step == 2)
        record(MpiSend, {(rank_ + 1) % processes, world, 1, 8});
    }
    call("MPI_Allreduce", [&] { collective(allreduce, world, otf2_value::root_none, 8); });
    leave();
  }

 private:
  bool deviates(Deviation by, bool is_place) const { return is_place && deviation_ == by; }

  void operate(bool is_place) {
    const auto length = deviates(Deviation::length, is_place) ? 65u : 64u;
    const auto right = (rank_ + (deviates(Deviation::partner, is_place) ? 2 : 1)) % processes;
    const auto left = (rank_ + processes - 1) % processes;
    const auto comm = deviates(Deviation::communicator, is_place) ? pair_comm : world;
    switch (is_place ? 0 : program_() % 6) {
      case 0:
        call(deviates(Deviation::function, is_place) ? "other" : "solve",
             [&] { call("inner", [] {}); });
        if (is_place && deviation_ == Deviation::long_time)
          now_ += std::uint64_t{1} << 33;
        call("MPI_Sendrecv", [&] {
          record(MpiSend, {right, world, 1, length});
          record(MpiRecv, {left, world, 1, length});
        });
        call("MPI_Allreduce", [&] { collective(allreduce, comm, otf2_value::root_none, 8); });
        call("MPI_Reduce", [&] {
          collective(reduce, world, deviates(Deviation::root, is_place) ? odd_one : 0, 8);
        });
        exchange(left, right, is_place);
        break;
      case 1: call("solve", [] {}); break;
      case 2: call("MPI_Bcast", [&] { collective(bcast, world, 0, 8); }); break;
      case 3:
        call("MPI_Barrier", [&] { collective(barrier, world, otf2_value::root_none, 0); });
        break;
      case 4: exchange(left, right, false); break;
      default: call("MPI_Test", [] {});
    }
  }

  // Two messages to the right, by requests.
  void exchange(std::uint64_t left, std::uint64_t right, bool is_place) {
    const auto first = request_;
    request_ += 4;
    for (auto r : {first, first + 1})
      call("MPI_Irecv", [&] { record(MpiIrecvRequest, {r}); });
    for (auto r : {first + 2, first + 3})
      call("MPI_Isend", [&] { record(MpiIsend, {right, world, r - first, 16, r}); });
    auto receives = std::pair{first, first + 1}, sends = std::pair{first + 2, first + 3};
    if (deviates(Deviation::order, is_place))
      std::swap(receives.first, receives.second);
    if (deviates(Deviation::completion, is_place))
      std::swap(sends.first, sends.second);
    call("MPI_Waitall", [&] {
      for (auto r : {sends.first, sends.second})
        record(MpiIsendComplete, {r});
      for (auto r : {receives.first, receives.second})
        record(MpiIrecv, {left, world, 3, 16, r});
      if (deviates(Deviation::metric, is_place))
        record(make_metric());
    });
  }

  static Event make_metric() {
    Event event;
    event.kind = EventKind::Metric;
    event.fields[0] = 0;
    event.list = {otf2_value::type_uint64, 17};
    return event;
  }

  void collective(std::uint64_t operation, std::uint64_t comm, std::uint64_t root,
                  std::uint64_t bytes) {
    record(MpiCollectiveBegin, {});
    record(MpiCollectiveEnd, {operation, comm, root, bytes, bytes});
  }

  template <class Inside>
  void call(const std::string& name, Inside&& inside) {
    enter(name);
    inside();
    leave();
  }
  void enter(const std::string& name) {
    const auto id =
        static_cast<std::uint64_t>(std::find(names.begin(), names.end(), name) - names.begin());
    open_.push_back(id);
    record(Enter, {id});
  }
  void leave() {
    record(Leave, {open_.back()});
    open_.pop_back();
  }
  void record(EventKind kind, std::initializer_list<std::uint64_t> fields) {
    trace_.record(rank_, kind, now_ += times_() % 20, fields);
  }
  void record(Event event) {
    event.time = now_ += times_() % 20;
    trace_.record(rank_, std::move(event));
  }

  TraceBuilder& trace_;
  std::uint64_t rank_;
  Random program_, times_;
  Deviation deviation_;
  std::uint64_t request_;
  std::uint64_t now_ = 1000;
  std::vector<std::uint64_t> open_;
};

using Sums = std::map<std::pair<std::size_t, std::size_t>, std::vector<std::uint64_t>>;

struct Told {
  std::vector<std::size_t> collected;  // processes
  std::size_t scripts = 0;
};

class CollectedTimes : public ::testing::TestWithParam<std::size_t> {
 protected:
  // What was collected of a program, after it was compared with what the events tell.
  static Told compare(std::size_t seed, Deviation deviation,
                      const std::vector<Wait>& waits = {waiting_metrics.begin(),
                                                        waiting_metrics.end()}) {
    const testing::TestFolder folder;
    TraceBuilder trace;
    for (std::size_t r = 0; r < names.size(); ++r)
      trace.add_region(r, names[r]);
    trace.add_mpi_processes(processes);
    trace.add_comm(pair_comm, 102, {odd_one, odd_one + 1});
    for (std::uint64_t rank = 0; rank < processes; ++rank)
      Process(trace, rank, seed, deviation).run();
    const auto archive = trace.write(folder.path());

    FoldOptions options;
    options.asked.region = "step";
    Diagnostics quiet, told, read;
    const auto scripts =
        std::make_shared<const CallScripts>(script_calls(archive, {}, options, {}));
    auto plan = make_plan(archive, {});
    std::optional<CollectedCalls> calls;
    add_profiles(plan, archive, {}, quiet, {RecordOperations::with_gaps, RecordWaits::all, scripts},
                 &calls);

    Told out{{}, scripts->size()};
    for (std::size_t p = 0; p < calls->times.size(); ++p)
      if (calls->times[p])
        out.collected.push_back(p);

    const std::vector<ProcessLoops> no_loops(plan.processes.size());
    const auto add_up = [&](Diagnostics& diagnostics, bool reads) {
      const SeriesPass pass(archive, plan, no_loops, out.collected, waits, {}, diagnostics);
      Sums sums;
      std::mutex mutex;
      const auto add = [&](std::size_t process, std::size_t iteration, const WideSums& of) {
        const std::scoped_lock lock(mutex);
        sums[{process, iteration}].assign(of.low().begin(), of.low().end());
      };
      if (reads)
        pass.read_totals(
            out.collected, [&](std::size_t p) { return &calls->times[p]->script->iterations; },
            add);
      else
        pass.tell_totals(out.collected, *calls, add);
      return sums;
    };
    const auto by_reading = add_up(read, true);
    EXPECT_EQ(add_up(told, false), by_reading);
    EXPECT_EQ(by_reading.size(), out.collected.size() * steps);
    EXPECT_EQ(told.warnings(), read.warnings());

    return out;
  }
};

std::vector<std::size_t> all_but(std::vector<std::size_t> others) {
  std::vector<std::size_t> out;
  for (std::size_t p = 0; p < processes; ++p)
    if (std::find(others.begin(), others.end(), p) == others.end())
      out.push_back(p);
  return out;
}

// Process 0 is the root of reductions.
TEST_P(CollectedTimes, AreWhatAnotherReadingTells) {
  const auto told = compare(GetParam(), Deviation::none);
  EXPECT_EQ(told.scripts, 1u);
  EXPECT_EQ(told.collected, all_but({0}));
}

TEST_P(CollectedTimes, AreOfThoseThatDoTheSame) {
  for (auto deviation :
       {Deviation::function, Deviation::length, Deviation::partner, Deviation::communicator,
        Deviation::root, Deviation::order, Deviation::completion, Deviation::long_time}) {
    const auto told = compare(GetParam(), deviation);
    EXPECT_EQ(told.scripts, 1u);
    EXPECT_EQ(told.collected, all_but({0, odd_one})) << "deviation " << static_cast<int>(deviation);
  }
}

TEST_P(CollectedTimes, NeedNoTimesOfWaiting) {
  EXPECT_EQ(compare(GetParam(), Deviation::none, {}).collected, all_but({0}));
  EXPECT_EQ(compare(GetParam(), Deviation::none, {Wait::mpi_late_receiver_time}).collected,
            all_but({0}));
}

TEST_P(CollectedTimes, AreNotTakenWhereCallsDoNotTellAll) {
  for (auto deviation : {Deviation::metric, Deviation::between})
    EXPECT_EQ(compare(GetParam(), deviation).scripts, 0u);
}

INSTANTIATE_TEST_SUITE_P(Programs, CollectedTimes, ::testing::Range<std::size_t>(1, 21));

}  // namespace
}  // namespace tracefold
