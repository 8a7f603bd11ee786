// What is collected by scripts while a trace is profiled, against what another reading tells: of
// random programs, some of whose processes do something else.
#include "filters/groups/group.hpp"
#include "filters/groups/select.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/iterations/script_calls.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "pipeline/profile/series_pass.hpp"
#include "tests/support/trace_builder.hpp"

#include <gtest/gtest.h>
#include <oneapi/tbb/global_control.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
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

enum class Form {
  regions,   // each step is a call of the region `step`, which is asked for
  sequence,  // the calls of all steps are alike and directly in `main`, and loops are found
};

// What the odd one does once, unless it is of all processes.
enum class Deviation {
  none,
  function,
  length,
  partner,
  communicator,
  root,
  order,       // of receives
  completion,  // of sends
  direction,   // of a message
  long_time,   // more than 32 bits of ticks, which is no other call
  cancelled,   // of all processes: a send
  reused,      // of all: an id of a request that is open
  open,        // of all: calls at the end
  metric,      // of all: values that are recorded
  between,     // of all: records between the calls of an iteration
  behind,      // of all: records behind all calls
  early,       // of all: receives that are not completed as they were posted
};

bool is_of_all(Deviation deviation) {
  return deviation >= Deviation::cancelled;
}

struct Program {
  std::size_t seed = 1;
  Form form = Form::regions;
  Deviation deviation = Deviation::none;
  std::size_t odd_ones = 1;  // `odd_one` and those behind it
};

// Writes what one process does. Times are random, so that messages may be received before they are
// sent.
class Process {
 public:
  Process(TraceBuilder& trace, std::uint64_t rank, const Program& program)
      : trace_(trace),
        rank_(rank),
        program_(program),
        choices_(program.seed),
        times_(1000 * program.seed + rank + 1),
        request_(100 * rank) {
    const bool is_odd = rank >= odd_one && rank < odd_one + program.odd_ones;
    if (is_odd || is_of_all(program.deviation))
      deviation_ = program.deviation;
  }

  void run() {
    enter("main");
    call("MPI_Barrier", [&] { collective(barrier, world, otf2_value::root_none, 0); });
    for (std::size_t step = 0; step < steps; ++step)
      do_step(step);
    call("inner", [&] {
      for (std::size_t step = 0; step < steps; ++step)
        call("MPI_Allreduce", [&] { collective(allreduce, world, otf2_value::root_none, 8); });
    });
    call("MPI_Allreduce", [&] { collective(allreduce, world, otf2_value::root_none, 8); });
    if (deviation_ == Deviation::open)
      enter("solve");
    else
      leave();
    if (deviation_ == Deviation::behind)
      record(MpiRecv, {(rank_ + 1) % processes, world, 1, 8});
  }

 private:
  void do_step(std::size_t step) {
    const bool is_region = program_.form == Form::regions;
    if (is_region)
      enter("step");
    else
      choices_ = Random(program_.seed);
    for (auto operations = 2 + choices_() % 4; operations > 0; --operations)
      operate(operations == 1, step == 3);
    if (is_region)
      leave();
    if (deviation_ == Deviation::between && step == 2)
      record(MpiSend, {(rank_ + 1) % processes, world, 1, 8});
  }

  bool deviates(Deviation by, bool is_place) const { return is_place && deviation_ == by; }

  // The last operation of a step holds all that may deviate, in one of the steps.
  void operate(bool is_last, bool is_odd_step) {
    const bool is_place = is_last && is_odd_step;
    const auto length = deviates(Deviation::length, is_place) ? 65u : 64u;
    const auto right = (rank_ + (deviates(Deviation::partner, is_place) ? 2 : 1)) % processes;
    const auto left = (rank_ + processes - 1) % processes;
    const auto comm = deviates(Deviation::communicator, is_place) ? pair_comm : world;
    switch (is_last ? 0 : choices_() % 6) {
      case 0:
        call(deviates(Deviation::function, is_place) ? "other" : "solve",
             [&] { call("inner", [] {}); });
        if (deviates(Deviation::long_time, is_place))
          now_ += std::uint64_t{3} << 32;
        call("MPI_Sendrecv", [&] {
          if (deviates(Deviation::direction, is_place))
            record(MpiRecv, {left, world, 1, length - 4});
          else
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
    if (deviates(Deviation::early, is_place))
      std::swap(receives.first, receives.second);
    if (deviates(Deviation::reused, is_place))
      call("MPI_Isend", [&] { record(MpiIsend, {right, world, 9, 24, first + 3}); });
    call("MPI_Waitall", [&] {
      if (deviates(Deviation::cancelled, is_place))
        record(MpiRequestCancelled, {sends.first});
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
  const Program& program_;
  Random choices_, times_;
  Deviation deviation_ = Deviation::none;
  std::uint64_t request_;
  std::uint64_t now_ = 1000;
  std::vector<std::uint64_t> open_;
};

using Sums = std::map<std::pair<std::size_t, std::size_t>, std::vector<std::uint64_t>>;

struct Outcome {
  std::vector<std::size_t> collected;  // processes
  std::size_t scripts = 0, iterations = 0;
};

class CollectedTimes : public ::testing::TestWithParam<std::size_t> {
 protected:
  static TraceBuilder make_trace(const Program& program) {
    TraceBuilder trace;
    for (std::size_t r = 0; r < names.size(); ++r)
      trace.add_region(r, names[r]);
    trace.add_mpi_processes(processes);
    trace.add_comm(pair_comm, 102, {odd_one, odd_one + 1});
    for (std::uint64_t rank = 0; rank < processes; ++rank)
      Process(trace, rank, program).run();
    return trace;
  }
  static FoldOptions choose_options(Form form) {
    FoldOptions options;
    options.folds_unsure = true;
    if (form == Form::regions)
      options.asked.region = "step";
    return options;
  }

  // What was collected of a program, after it was compared with what the events say.
  Outcome compare(const Program& program,
                  const std::vector<Wait>& waits = {waiting_metrics.begin(), waiting_metrics.end()},
                  const std::vector<FilterSection>& filters = {}, const ReadOptions& reading = {}) {
    const testing::TestFolder folder;
    const auto archive = make_trace(program).write(folder.path());
    Diagnostics quiet, of_collected, of_read;
    const auto scripts = std::make_shared<const CallScripts>(
        script_calls(archive, filters, choose_options(program.form), reading));
    auto plan = make_plan(archive, filters);
    std::optional<CollectedCalls> calls;
    add_profiles(plan, archive, reading, quiet,
                 {RecordOperations::with_gaps, RecordWaits::all, scripts}, &calls);

    Outcome out{{}, scripts->size(), 0};
    for (std::size_t p = 0; p < calls->times.size(); ++p)
      if (calls->times[p])
        out.collected.push_back(p);
    if (!scripts->empty())
      out.iterations = scripts->begin()->second.iterations.size();

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
        pass.visit_collected_totals(out.collected, *calls, add);
      return sums;
    };
    const auto by_reading = add_up(of_read, true);
    const auto by_script = add_up(of_collected, false);
    EXPECT_EQ(by_script.size(), by_reading.size());
    for (const auto& [place, sums] : by_reading) {
      const auto found = by_script.find(place);
      const bool is_same = found != by_script.end() && found->second == sums;
      EXPECT_TRUE(is_same) << "process " << place.first << ", iteration " << place.second;
      if (!is_same)
        break;
    }
    EXPECT_EQ(by_reading.size(), out.collected.size() * out.iterations);
    EXPECT_EQ(of_collected.warnings(), of_read.warnings());

    return out;
  }

  // Scripts are made where many locations are alike for each thread.
  oneapi::tbb::global_control few_threads_{oneapi::tbb::global_control::max_allowed_parallelism, 2};
};

std::vector<std::size_t> all_but(std::vector<std::size_t> others) {
  std::vector<std::size_t> out;
  for (std::size_t p = 0; p < processes; ++p)
    if (std::find(others.begin(), others.end(), p) == others.end())
      out.push_back(p);
  return out;
}

// Process 0 is the root of reductions.
TEST_P(CollectedTimes, AreWhatAnotherReadingSays) {
  for (auto deviation : {Deviation::none, Deviation::long_time, Deviation::cancelled,
                         Deviation::reused, Deviation::open}) {
    const auto out = compare({GetParam(), Form::regions, deviation});
    EXPECT_EQ(out.scripts, 1u);
    EXPECT_EQ(out.iterations, steps);
    EXPECT_EQ(out.collected, all_but({0})) << "deviation " << static_cast<int>(deviation);
  }
}

// Time directly in the caller of a loop belongs to its iterations.
TEST_P(CollectedTimes, AreWhatAnotherReadingSaysOfFoundLoops) {
  for (auto deviation : {Deviation::none, Deviation::long_time, Deviation::cancelled,
                         Deviation::reused, Deviation::open}) {
    const auto out = compare({GetParam(), Form::sequence, deviation});
    EXPECT_EQ(out.scripts, 1u);
    EXPECT_GE(out.iterations, 3u);
    EXPECT_EQ(out.collected, all_but({0})) << "deviation " << static_cast<int>(deviation);
  }
}

TEST_P(CollectedTimes, AreOfThoseThatDoTheSame) {
  for (auto form : {Form::regions, Form::sequence})
    for (auto deviation :
         {Deviation::function, Deviation::length, Deviation::partner, Deviation::communicator,
          Deviation::root, Deviation::order, Deviation::completion, Deviation::direction}) {
      const auto out = compare({GetParam(), form, deviation});
      EXPECT_EQ(out.scripts, 1u);
      EXPECT_EQ(out.collected, all_but({0, odd_one}))
          << "deviation " << static_cast<int>(deviation);
    }
}

// The middle one of the processes is odd, too.
TEST_P(CollectedTimes, AreGivenUpWhereMostDoSomethingElse) {
  const auto out = compare({GetParam(), Form::regions, Deviation::length, 2});
  EXPECT_EQ(out.scripts, 1u);
  for (auto process : out.collected)
    EXPECT_TRUE(process == odd_one || process == odd_one + 1);
}

TEST_P(CollectedTimes, NeedNoTimesOfWaiting) {
  const Program program{GetParam()};
  for (const auto& waits : std::vector<std::vector<Wait>>{{},
                                                          {Wait::mpi_late_receiver_time},
                                                          {Wait::mpi_late_sender_time},
                                                          {Wait::mpi_wait_at_nxn_time}})
    EXPECT_EQ(compare(program, waits).collected, all_but({0}));
}

TEST_P(CollectedTimes, LeaveOutWhatFiltersDrop) {
  for (auto form : {Form::regions, Form::sequence}) {
    compare({GetParam(), form}, {waiting_metrics.begin(), waiting_metrics.end()},
            {{{"inner", "MPI_Waitall"}, {}, ""}});
    compare({GetParam(), form}, {}, {{{}, {}, "1-10"}});
  }
}

TEST_P(CollectedTimes, NeedRoom) {
  ReadOptions reading;
  reading.memory = std::uint64_t{1} << 16;  // not for the times of all
  EXPECT_LT(compare({GetParam()}, {}, {}, reading).collected.size(), processes - 1);
  reading.memory = 1;
  EXPECT_EQ(compare({GetParam()}, {}, {}, reading).scripts, 0u);
}

TEST_P(CollectedTimes, AreNotTakenWhereCallsDoNotSayAll) {
  for (auto form : {Form::regions, Form::sequence})
    for (auto deviation : {Deviation::metric, Deviation::behind, Deviation::early})
      EXPECT_EQ(compare({GetParam(), form, deviation}).scripts, 0u)
          << "deviation " << static_cast<int>(deviation);

  EXPECT_EQ(compare({GetParam(), Form::sequence, Deviation::between}).scripts, 0u);
  EXPECT_EQ(compare({GetParam(), Form::regions, Deviation::between}).collected, all_but({0}))
      << "what is between calls of regions is in no iteration";
}

// Also where the script has other iterations than those that are folded.
TEST_P(CollectedTimes, ChangeNothingInWhatIsFolded) {
  for (auto form : {Form::regions, Form::sequence}) {
    const testing::TestFolder folder;
    const auto archive = make_trace({GetParam(), form}).write(folder.path());
    Diagnostics quiet;
    const auto options = choose_options(form);
    const auto fold = [&](const CallScripts& scripts, bool is_used) {
      auto plan = make_plan(archive, {});
      std::optional<CollectedCalls> calls;
      add_profiles(plan, archive, {}, quiet,
                   {RecordOperations::with_gaps, RecordWaits::all,
                    std::make_shared<const CallScripts>(scripts)},
                   &calls);
      EXPECT_EQ(!calls->times.empty(), is_used);
      group(plan, 1);
      select(plan, {});
      const auto loops = find_loops_pass(archive, plan, choose_processes_to_search(plan),
                                         options.asked, {}, quiet);
      fold_iterations(archive, plan, loops, options, {}, quiet, &*calls);
      EXPECT_EQ(plan.iterations->loops.empty(), false);
      return to_json(plan);
    };

    const auto by_reading = fold({}, false);
    EXPECT_EQ(fold(script_calls(archive, {}, options, {}), true), by_reading);
    FoldOptions others;
    others.asked.region = "MPI_Reduce";
    EXPECT_EQ(fold(script_calls(archive, {}, others, {}), true), by_reading);
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, CollectedTimes, ::testing::Range<std::size_t>(1, 11));

}  // namespace
}  // namespace tracefold
