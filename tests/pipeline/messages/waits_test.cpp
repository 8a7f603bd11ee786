// Waiting in MPI, by hand-made calls of a few processes.
#include "base/for_each_index.hpp"
#include "model/plan.hpp"
#include "pipeline/facts/series_pass.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "tests/support/trace_builder.hpp"
#include "tests/support/trace_tool.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <string>

namespace tracefold::waits_test {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using enum EventKind;
using testing::TraceBuilder;
using Wait = tracefold::Metric;  // not the record

constexpr std::uint64_t world = TraceBuilder::world;
constexpr std::uint64_t bcast = 1, gather = 2, allgather = 6, alltoallv = 9, allreduce = 11,
                        reduce = 12, scan = 14, reduce_scatter_block = 16;
constexpr std::uint64_t barrier = 0, no_root = otf2_value::root_none;

class WaitsTest : public ::testing::Test {
 protected:
  struct Inside {
    std::uint64_t time;
    EventKind kind;
    std::initializer_list<std::uint64_t> fields;
  };

  // A call, with records in it at their times.
  void call(std::uint64_t location, const std::string& name, std::uint64_t begin, std::uint64_t end,
            const std::vector<Inside>& records = {}) {
    const auto [region, is_new] = regions_.try_emplace(name, regions_.size());
    if (is_new)
      trace_.add_region(region->second, name);

    trace_.record(location, Enter, begin, {region->second});
    for (const auto& r : records)
      trace_.record(location, r.kind, r.time, r.fields);
    trace_.record(location, Leave, end, {region->second});
  }
  void send(std::uint64_t location, std::uint64_t to, std::uint64_t begin, std::uint64_t end,
            const std::string& name = "MPI_Send") {
    call(location, name, begin, end, {{begin + 1, MpiSend, {to, world, 7, 64}}});
  }
  void receive(std::uint64_t location, std::uint64_t from, std::uint64_t begin, std::uint64_t end) {
    call(location, "MPI_Recv", begin, end, {{end - 1, MpiRecv, {from, world, 7, 64}}});
  }
  struct Collective {
    std::uint64_t operation = barrier;
    std::uint64_t comm = world;
    std::uint64_t root = no_root;
    std::uint64_t sent = 8, received = 8;
  };
  void collective(std::uint64_t location, std::uint64_t begin, std::uint64_t end,
                  const Collective& c) {
    const auto name = c.operation == barrier ? "MPI_Barrier" : "MPI_Allreduce";
    const auto bytes = c.operation == barrier ? 0 : 1;
    call(location, name, begin, end,
         {{begin + 1, MpiCollectiveBegin, {}},
          {end - 1,
           MpiCollectiveEnd,
           {c.operation, c.comm, c.root, bytes * c.sent, bytes * c.received}}});
  }

  void open() {
    if (archive_)
      return;
    archive_.emplace(trace_.write(folder_.path()));
    plan_ = make_plan(*archive_, {});
    plan_.filters = filters_;
    add_profiles(plan_, *archive_, {}, diagnostics_);
  }
  SeriesPass make_pass(std::vector<Wait> waits, Diagnostics& diagnostics,
                       CollectedWaits* collected = nullptr) {
    open();
    loops_.resize(plan_.processes.size());
    std::vector<std::size_t> members(plan_.processes.size());
    std::iota(members.begin(), members.end(), std::size_t{0});
    return {{*archive_, plan_, {}, diagnostics}, loops_, members, std::move(waits), collected};
  }

  // What each process waited for, in ticks: "0: late-sender 5, late-receiver 7". What it did not
  // wait for is left out.
  std::vector<std::string> waits(std::vector<Wait> wanted = {waiting_metrics.begin(),
                                                             waiting_metrics.end()}) {
    const auto out = list_waits(make_pass(wanted, diagnostics_));
    const auto reasons = reasons_;

    // The same comes out of what is collected while the trace is profiled, with messages or not.
    for (auto operations :
         {RecordOperations::with_gaps, RecordOperations::yes, RecordOperations::no}) {
      Diagnostics again;
      auto profiled =
          profile_pass(*archive_, plan_.filters, {}, again, {operations, {RecordWaits::all}});
      EXPECT_EQ(profiled.communication.has_value(), operations != RecordOperations::no);
      auto& calls = profiled.calls.value();
      const auto pass = make_pass(wanted, again, &calls.waits);
      EXPECT_EQ(list_waits(pass), out);
      EXPECT_EQ(reasons_, reasons);
    }

    return out;
  }
  std::vector<std::string> list_waits(const SeriesPass& pass) {
    reasons_.clear();
    for (auto wait : waiting_metrics)
      if (const auto* reason = pass.find_unknown(wait))
        reasons_.push_back(std::string(get_entry(wait).name) + ": " + *reason);

    std::map<std::uint64_t, std::string> out;
    std::mutex out_mutex;
    const auto add = [&](std::size_t process, const CallPathProfile& profile) {
      const auto words = describe_waits(pass.columns(), profile);
      const std::scoped_lock lock(out_mutex);
      if (!words.empty())
        out[plan_.processes[process].id] = words;
    };

    pass.read({{}, [&](const SeriesEnd& end) { add(end.process, end.outside); }});

    std::vector<std::string> lines;
    for (const auto& [id, words] : out)
      lines.push_back(fmt::format("{}: {}", id, words));
    return lines;
  }
  static std::string describe_waits(const MetricColumns& columns, const CallPathProfile& profile) {
    std::string words;
    for (auto wait : waiting_metrics) {
      const auto column = columns.find(wait);
      std::uint64_t sum = 0;
      for (std::size_t r = 0; column && r < profile.rows.size(); ++r)
        sum += profile.value(r, *column);
      const auto name = std::string(get_entry(wait).name);
      if (sum)
        words +=
            fmt::format("{}{} {}", words.empty() ? "" : ", ", name.substr(4, name.size() - 9), sum);
    }
    return words;
  }

  testing::TestFolder folder_;
  Diagnostics diagnostics_;
  TraceBuilder trace_;
  std::map<std::string, std::uint64_t> regions_;
  std::vector<FilterSection> filters_;
  std::optional<Archive> archive_;
  Plan plan_;
  std::vector<ProcessLoops> loops_;
  std::vector<std::string> reasons_;
};

TEST_F(WaitsTest, AReceiverIsNotLateWhileASenderIs) {
  trace_.add_mpi_processes(2);
  call(0, "MPI_Sendrecv", 100, 180,
       {{101, MpiSend, {1, world, 7, 64}}, {179, MpiRecv, {1, world, 7, 64}}});
  call(1, "MPI_Sendrecv", 150, 190,
       {{151, MpiSend, {0, world, 7, 64}}, {189, MpiRecv, {0, world, 7, 64}}});
  EXPECT_THAT(waits(), ElementsAre("0: late-sender 50"));
  EXPECT_THAT(waits({Wait::mpi_late_receiver_time}), IsEmpty()) << "also where that is not asked";
  EXPECT_THAT(waits({Wait::mpi_late_sender_time}), ElementsAre("0: late-sender 50"));
}

TEST_F(WaitsTest, ASendWaitsUntilItsReceiveIsPosted) {
  trace_.add_mpi_processes(2);
  send(0, 1, 100, 180);
  receive(1, 0, 150, 170);
  send(0, 1, 200, 240);  // the receive was there before
  receive(1, 0, 190, 250);
  send(0, 1, 300, 310);  // was buffered
  receive(1, 0, 400, 410);
  EXPECT_THAT(waits(), ElementsAre("0: late-receiver 50", "1: late-sender 10"));
  EXPECT_THAT(reasons_, IsEmpty());
}

TEST_F(WaitsTest, BufferedAndReadySendsDoNotWaitForReceivers) {
  trace_.add_mpi_processes(2);
  send(0, 1, 100, 180, "MPI_Bsend");
  send(0, 1, 200, 280, "MPI_Rsend");
  send(0, 1, 300, 380, "MPI_Ssend");
  for (std::uint64_t t : {150, 250, 350})
    receive(1, 0, t, t + 20);
  EXPECT_THAT(waits(), ElementsAre("0: late-receiver 50"));
}

TEST_F(WaitsTest, ANonBlockingSendWaitsWhereItIsCompleted) {
  trace_.add_mpi_processes(2);
  call(0, "MPI_Isend", 100, 110, {{105, MpiIsend, {1, world, 7, 64, 1}}});
  call(0, "MPI_Isend", 110, 120, {{115, MpiIsend, {1, world, 7, 64, 2}}});
  call(0, "MPI_Isend", 120, 125, {{121, MpiIsend, {1, world, 7, 64, 3}}});
  call(0, "MPI_Waitall", 130, 200,
       {{190, MpiIsendComplete, {2}}, {191, MpiIsendComplete, {1}}, {192, MpiIsendComplete, {3}}});
  call(1, "MPI_Irecv", 140, 150, {{145, MpiIrecvRequest, {5}}});
  call(1, "MPI_Irecv", 160, 165, {{162, MpiIrecvRequest, {6}}});
  call(1, "MPI_Irecv", 210, 215, {{212, MpiIrecvRequest, {7}}});
  call(1, "MPI_Waitall", 220, 230,
       {{221, MpiIrecv, {0, world, 7, 64, 7}},
        {222, MpiIrecv, {0, world, 7, 64, 6}},
        {223, MpiIrecv, {0, world, 7, 64, 5}}});
  EXPECT_THAT(waits(), ElementsAre("0: late-receiver 30")) << "the second was posted at 160";
}

TEST_F(WaitsTest, ACallThatWaitsForBothCountsOnce) {
  trace_.add_mpi_processes(3);
  call(0, "MPI_Sendrecv", 100, 200,
       {{101, MpiSend, {1, world, 7, 64}}, {199, MpiRecv, {2, world, 7, 64}}});
  receive(1, 0, 160, 190);
  send(2, 0, 140, 145);
  EXPECT_THAT(waits(), ElementsAre("0: late-sender 40, late-receiver 20"));
}

TEST_F(WaitsTest, ABarrierWaitsForItsLastProcess) {
  trace_.add_mpi_processes(3);
  collective(0, 100, 200, {});
  collective(1, 150, 205, {});
  collective(2, 180, 210, {});
  collective(0, 320, 410, {});
  collective(1, 400, 415, {});
  collective(2, 310, 405, {});
  EXPECT_THAT(waits(), ElementsAre("0: wait-at-barrier 160", "1: wait-at-barrier 30",
                                   "2: wait-at-barrier 90"));
}

TEST_F(WaitsTest, WaitingIsNoLongerThanTheCallsOwnTime) {
  trace_.add_mpi_processes(2);
  call(0, "compute", 1, 5);
  trace_.record(0, Enter, 100, {regions_.size()});
  trace_.add_region(regions_.size(), "MPI_Barrier");
  regions_.emplace("MPI_Barrier", regions_.size());
  call(0, "compute", 110, 150);
  trace_.record(0, MpiCollectiveEnd, 190, {barrier, world, no_root, 0, 0});
  trace_.record(0, Leave, 195, {regions_.at("MPI_Barrier")});
  collective(1, 190, 200, {});
  EXPECT_THAT(waits(), ElementsAre("0: wait-at-barrier 55")) << "195 - 100 - 40, of 90";
}

TEST_F(WaitsTest, OperationsOfAllToAllWaitForTheLast) {
  trace_.add_mpi_processes(2);
  std::uint64_t t = 0;
  for (auto operation : {allgather, alltoallv, allreduce, reduce_scatter_block}) {
    collective(0, t + 10, t + 60, {operation});
    collective(1, t + 50, t + 70, {operation});
    t += 100;
  }
  EXPECT_THAT(waits(), ElementsAre("0: wait-at-NxN 160"));
}

TEST_F(WaitsTest, OthersWaitForTheRootOfABroadcast) {
  trace_.add_mpi_processes(3);
  collective(0, 10, 60, {bcast, world, 1, 0, 8});
  collective(1, 50, 70, {bcast, world, 1, 24, 8});
  collective(2, 90, 100, {bcast, world, 1, 0, 8});
  EXPECT_THAT(waits(), ElementsAre("0: late-broadcast 40"));
}

TEST_F(WaitsTest, TheRootOfAReductionWaitsForTheLastSender) {
  trace_.add_mpi_processes(4);
  for (auto operation : {gather, reduce}) {
    const auto t = 100 * operation;
    collective(2, t + 10, t + 90, {operation, world, 2, 0, 24});
    collective(0, t + 30, t + 35, {operation, world, 2, 8, 0});
    collective(1, t + 70, t + 75, {operation, world, 2, 8, 0});
    collective(3, t + 80, t + 85, {operation, world, 2, 0, 0});  // has nothing to send
  }
  EXPECT_THAT(waits(), ElementsAre("2: early-reduce 120"));
}

TEST_F(WaitsTest, OperationsWithoutBytesWaitForNobody) {
  trace_.add_mpi_processes(2);
  for (auto operation : {bcast, allreduce, reduce}) {
    const auto t = 100 * operation;
    const auto root = operation == allreduce ? no_root : operation == bcast ? 1 : 0;
    collective(0, t + 10, t + 60, {operation, world, root, 0, 0});
    collective(1, t + 50, t + 70, {operation, world, root, 0, 0});
  }
  EXPECT_THAT(waits(), IsEmpty());
  EXPECT_THAT(reasons_, IsEmpty());
}

TEST_F(WaitsTest, MessagesWithoutBytesAreWaitedForAsOthers) {
  trace_.add_mpi_processes(2);
  call(0, "MPI_Ssend", 10, 90, {{11, MpiSend, {1, world, 7, 0}}});
  call(1, "MPI_Recv", 50, 95, {{94, MpiRecv, {0, world, 7, 0}}});
  EXPECT_THAT(waits(), ElementsAre("0: late-receiver 40"));
}

TEST_F(WaitsTest, EachCommunicatorHasItsOwnOrder) {
  trace_.add_mpi_processes(4).add_comm(1, 201, {0, 2}).add_comm(2, 202, {1, 3});
  trace_.add_comm(3, 203, {2});
  trace_.add_self_comm(4, 204);
  // On 0 the small one comes first, on 1 the whole one; others differ in number.
  collective(0, 100, 160, {allreduce, 1});
  collective(2, 150, 165, {allreduce, 1});
  collective(2, 200, 210, {allreduce, 3});
  collective(2, 210, 220, {allreduce, 4});
  collective(3, 100, 210, {allreduce, 2});
  for (std::uint64_t id : {0, 1, 2, 3})
    collective(id, 300 + 10 * id, 340, {allreduce});
  collective(1, 350, 390, {allreduce, 2});
  EXPECT_THAT(waits(), ElementsAre("0: wait-at-NxN 80", "1: wait-at-NxN 20", "2: wait-at-NxN 10",
                                   "3: wait-at-NxN 110"));
  EXPECT_THAT(reasons_, IsEmpty());
  EXPECT_THAT(diagnostics_.warnings(), Contains(HasSubstr("collective operations end before")))
      << "3 left before 1 came";
}

TEST_F(WaitsTest, ThreadsOfARankTakeTurnsInSendingAndReceiving) {
  trace_.add_location_group(0, {0, 10}).add_location_group(1, {1, 11}).add_world({0, 1});
  send(0, 1, 100, 105);
  send(10, 1, 200, 205);
  send(0, 1, 300, 305);
  receive(11, 0, 50, 106);
  receive(1, 0, 150, 206);
  receive(11, 0, 290, 306);
  call(10, "MPI_Ssend", 400, 460, {{401, MpiSend, {1, world, 7, 64}}});
  receive(1, 0, 440, 462);
  // With a tag of their own.
  call(10, "MPI_Send", 500, 510, {{501, MpiSend, {1, world, 8, 64}}});
  call(11, "MPI_Recv", 480, 512, {{511, MpiRecv, {0, world, 8, 64}}});
  EXPECT_THAT(waits(),
              ElementsAre("1: late-sender 50", "10: late-receiver 40", "11: late-sender 80"));
  EXPECT_THAT(reasons_, IsEmpty());
}

TEST_F(WaitsTest, ThreadsMayDoCollectivesOnCommunicatorsOfTheirOwn) {
  trace_.add_location_group(0, {0, 10}).add_location_group(1, {1, 11}).add_world({0, 1});
  trace_.add_comm(1, 201, {0, 1});
  collective(0, 100, 160, {});
  collective(1, 140, 165, {});
  collective(10, 200, 290, {barrier, 1});
  collective(11, 230, 295, {barrier, 1});
  EXPECT_THAT(waits(), ElementsAre("0: wait-at-barrier 40", "10: wait-at-barrier 30"));
}

TEST_F(WaitsTest, AreNotKnownWhereSeveralThreadsOfAProcessTakePart) {
  trace_.add_location_group(0, {0, 10}).add_location_group(1, {1}).add_world({0, 1});
  collective(0, 100, 160, {});
  collective(10, 200, 290, {});
  collective(1, 140, 165, {});
  collective(0, 300, 350, {allreduce});
  collective(1, 310, 355, {allreduce});
  EXPECT_THAT(waits(), ElementsAre("0: wait-at-NxN 10"));
  EXPECT_THAT(reasons_, ElementsAre("MPI wait-at-barrier time: several threads of a process take "
                                    "part in operations on comm"));
}

TEST_F(WaitsTest, AreNotKnownWhereProcessesRecordedDifferentNumbers) {
  trace_.add_mpi_processes(2);
  collective(0, 100, 160, {allreduce});
  collective(0, 200, 260, {allreduce});
  collective(1, 140, 165, {allreduce});
  collective(0, 300, 350, {});
  collective(1, 310, 350, {});
  EXPECT_THAT(waits(), ElementsAre("0: wait-at-barrier 10"));
  EXPECT_THAT(reasons_, ElementsAre("MPI wait-at-NxN time: the processes of comm recorded "
                                    "different numbers of operations"));
}

TEST_F(WaitsTest, AreNotKnownWhereAProcessRecordedNone) {
  trace_.add_mpi_processes(3);
  collective(0, 100, 160, {});
  collective(1, 140, 165, {});
  EXPECT_THAT(waits(), IsEmpty());
  EXPECT_THAT(reasons_, ElementsAre(HasSubstr("different numbers of operations")));
}

TEST_F(WaitsTest, AreNotKnownWhereRootsAreGone) {
  trace_.add_mpi_processes(2);
  collective(0, 100, 160, {bcast, world, no_root});
  collective(1, 140, 165, {bcast, world, no_root});
  collective(0, 200, 260, {reduce, world, 0});
  collective(1, 240, 265, {reduce, world, 5});
  EXPECT_THAT(waits(), IsEmpty());
  EXPECT_THAT(reasons_,
              ElementsAre("MPI late-broadcast time: the roots of operations on comm cannot be told",
                          "MPI early-reduce time: the roots of operations on comm cannot be told"));
}

TEST_F(WaitsTest, AreNotKnownWhereRootsDiffer) {
  trace_.add_mpi_processes(2);
  collective(0, 100, 160, {bcast, world, 0});
  collective(1, 140, 165, {bcast, world, 1});
  EXPECT_THAT(waits(), IsEmpty());
  EXPECT_THAT(reasons_, ElementsAre(HasSubstr("late-broadcast time: the roots")));
}

TEST_F(WaitsTest, AreNotKnownBetweenTwoGroupsOfProcesses) {
  trace_.add_mpi_processes(2).add_comm(1, 201, {0}).add_comm(2, 202, {1});
  trace_.define(DefinitionKind::InterComm, {5, trace_.string("inter"), 201, 202, world, 0});
  collective(0, 100, 160, {allreduce, 5});
  collective(1, 140, 165, {allreduce, 5});
  collective(0, 200, 260, {});
  collective(1, 240, 265, {});
  EXPECT_THAT(waits(), ElementsAre("0: wait-at-barrier 40"));
  EXPECT_THAT(reasons_, ElementsAre(HasSubstr("the processes of communicator 5 cannot be told")));
}

TEST_F(WaitsTest, AreNotKnownWhereProcessesAreLeftOut) {
  trace_.add_mpi_processes(2);
  collective(0, 100, 160, {});
  collective(1, 140, 165, {});
  send(0, 1, 200, 280);
  receive(1, 0, 250, 290);
  filters_ = {{{}, {}, "0-1"}};
  EXPECT_THAT(waits(), IsEmpty());
  EXPECT_THAT(reasons_, AllOf(::testing::SizeIs(3), Contains(HasSubstr("processes are left out"))));
}

TEST_F(WaitsTest, AreNotKnownWhereRecordsAreMissing) {
  trace_.add_mpi_processes(2);
  for (std::uint64_t id : {0, 1}) {
    call(id, "MPI_Barrier", 100, 110);
    call(id, "MPI_Send", 200, 210);
  }
  EXPECT_THAT(waits(), IsEmpty());
  EXPECT_THAT(reasons_,
              ElementsAre("MPI wait-at-barrier time: collective operations are not recorded",
                          "MPI late-sender time: messages are not recorded",
                          "MPI late-receiver time: messages are not recorded"));
}

TEST_F(WaitsTest, AreNotKnownWhereNonBlockingReceivesHaveNoEnd) {
  trace_.add_mpi_processes(2);
  send(0, 1, 10, 20);
  receive(1, 0, 5, 25);
  call(0, "MPI_Isend", 100, 110, {{105, MpiIsend, {1, world, 7, 64, 1}}});
  call(1, "MPI_Irecv", 140, 150, {{145, MpiIrecvRequest, {5}}});
  call(1, "MPI_Wait", 150, 190);
  EXPECT_THAT(waits(), IsEmpty());
  EXPECT_THAT(reasons_,
              Contains("MPI late-sender time: the ends of non-blocking receives are not recorded"));
}

TEST_F(WaitsTest, AreNotKnownWhereMessagesHaveOneEnd) {
  trace_.add_mpi_processes(3);
  send(0, 1, 10, 20);
  send(0, 2, 20, 30);
  EXPECT_THAT(waits(), IsEmpty());
  EXPECT_THAT(reasons_,
              Contains("MPI late-receiver time: the other ends of messages are not known"));
}

TEST_F(WaitsTest, WarnOfMessagesWithOneEnd) {
  trace_.add_mpi_processes(3);
  send(0, 1, 10, 20);
  send(0, 2, 20, 30);
  receive(1, 0, 5, 25);
  EXPECT_THAT(waits(), ElementsAre("1: late-sender 5"));
  EXPECT_THAT(diagnostics_.warnings(), Contains(HasSubstr("whose other end is not known")));
}

TEST_F(WaitsTest, ScansAndOperationsThatDoNotBlockAreNotMatched) {
  trace_.add_mpi_processes(2);
  collective(0, 100, 160, {scan});
  collective(1, 140, 165, {scan});
  call(0, "MPI_Ibarrier", 200, 205, {{201, NonBlockingCollectiveRequest, {1}}});
  call(0, "MPI_Wait", 210, 290,
       {{280, NonBlockingCollectiveComplete, {barrier, world, no_root, 0, 0, 1}}});
  call(1, "MPI_Ibarrier", 260, 265, {{261, NonBlockingCollectiveRequest, {1}}});
  call(1, "MPI_Wait", 270, 290,
       {{280, NonBlockingCollectiveComplete, {barrier, world, no_root, 0, 0, 1}}});
  EXPECT_THAT(waits(), IsEmpty());
  EXPECT_THAT(diagnostics_.warnings(),
              Contains(HasSubstr("collective operations that do not block is not told")));
}

TEST_F(WaitsTest, AtFences) {
  trace_.add_mpi_processes(2);
  trace_.define(DefinitionKind::RmaWin, {3, trace_.string("window"), world, 0});
  const auto fence = [&](std::uint64_t rank, std::uint64_t begin, std::uint64_t sync) {
    call(rank, "MPI_Win_fence", begin, 165,
         {{160, RmaCollectiveEnd, {barrier, sync, 3, no_root, 0, 0}}});
  };
  fence(0, 100, 3);
  fence(1, 140, 3);
  EXPECT_THAT(waits(), ElementsAre("0: wait-at-fence 40"));
}

// Only memory is kept in step, as by MPI_Win_fence with MPI_MODE_NOPRECEDE.
TEST_F(WaitsTest, AreNoneAtFencesThatKeepNoProcessesInStep) {
  trace_.add_mpi_processes(2);
  trace_.define(DefinitionKind::RmaWin, {3, trace_.string("window"), world, 0});
  for (std::uint64_t rank : {0, 1})
    call(rank, "MPI_Win_fence", 100 + 40 * rank, 165,
         {{160, RmaCollectiveEnd, {barrier, 2, 3, no_root, 0, 0}}});
  EXPECT_THAT(waits(), IsEmpty());
  EXPECT_THAT(reasons_, IsEmpty());
}

TEST_F(WaitsTest, AtFencesAreNotKnownWhereTheseAreNotRecorded) {
  trace_.add_mpi_processes(2);
  call(0, "MPI_Win_fence", 100, 165);
  call(1, "MPI_Win_fence", 140, 165);
  EXPECT_THAT(reasons_, IsEmpty());
  EXPECT_THAT(waits(), IsEmpty());
  EXPECT_THAT(reasons_,
              ElementsAre("MPI wait-at-fence time: collective operations are not recorded"));
}

TEST_F(WaitsTest, AreReadOnlyWhereTheyAreWanted) {
  trace_.add_mpi_processes(2);
  collective(0, 100, 160, {});
  collective(1, 140, 165, {});
  send(0, 1, 200, 280);
  receive(1, 0, 250, 290);
  EXPECT_THAT(waits({Wait::mpi_wait_at_barrier_time}), ElementsAre("0: wait-at-barrier 40"));
  EXPECT_THAT(waits({Wait::mpi_late_receiver_time}), ElementsAre("0: late-receiver 50"));
  EXPECT_THAT(waits({}), IsEmpty());
}

TEST_F(WaitsTest, DoNotDependOnTheNumberOfThreads) {
  constexpr std::uint64_t processes = 7;
  trace_.add_mpi_processes(processes);
  for (std::uint64_t k = 0; k < 50; ++k)
    for (std::uint64_t id = 0; id < processes; ++id) {
      const auto t = 1000 * k + 37 * (id * k % 11);
      const auto operation = k % 4 == 0   ? barrier
                             : k % 4 == 1 ? bcast
                             : k % 4 == 2 ? reduce
                                          : allreduce;
      const auto root = operation == bcast || operation == reduce ? k % processes : no_root;
      collective(id, t, 1000 * k + 900, {operation, world, root});
    }

  std::vector<std::vector<std::string>> found;
  for (std::size_t threads : {1, 2, 8}) {
    const ThreadLimit limit(threads);
    found.push_back(waits());
  }
  EXPECT_THAT(found[0], ::testing::SizeIs(processes));
  EXPECT_EQ(found[0], found[1]);
  EXPECT_EQ(found[0], found[2]);
}

}  // namespace tracefold::waits_test
