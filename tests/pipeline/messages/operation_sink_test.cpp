// What a location's records say of its operations: two ranks of two threads each, by hand.
#include "pipeline/messages/operation_sink.hpp"

#include "base/error.hpp"
#include "filters/messages/signature_clusters.hpp"
#include "pipeline/messages/record_operations.hpp"
#include "pipeline/profile/profile_pass.hpp"
#include "tests/support/every_record.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <vector>

namespace tracefold::operation_sink_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using enum EventKind;

// Ids of every_record().
constexpr std::uint64_t world = 3, self_comm = 5, between = 8, window = 14, compute = 17;
constexpr std::uint64_t send = 1001;

class OperationSinkTest : public ::testing::Test {
 protected:
  OperationSinkTest() : content_(testing::every_record()) {
    for (auto& [location, events] : content_.events)
      events.clear();

    Definition string, region;
    string.kind = DefinitionKind::String;
    string.fields[0] = send;
    string.text = "MPI_Send";
    region.kind = DefinitionKind::Region;
    region.fields = {send, send, send, send, 1, otf2_value::paradigm_mpi, 0, send};
    content_.definitions.push_back(string);
    content_.definitions.push_back(region);
  }

  void record(std::uint64_t location, EventKind kind, std::vector<std::uint64_t> fields,
              std::uint64_t time = 0) {
    Event event;
    event.kind = kind;
    event.time = time;
    std::copy(fields.begin(), fields.end(), event.fields.begin());
    content_.events[location].push_back(event);
  }

  const Communication& read(RecordOperations records = RecordOperations::with_gaps) {
    write_archive(content_, folder_.path());
    const Archive archive((folder_.path() / "traces.otf2").string(), diagnostics_);
    made_ = profile_pass(archive, {}, {}, diagnostics_, {records}).communication.value();
    return made_;
  }

  // The operations of the n-th rank: kind, values, and the names of its call path.
  std::vector<std::string> list(std::size_t n = 0) {
    if (made_.ranks.empty())
      read();

    std::vector<std::string> out;
    for (SequenceCursor cursor(made_.sequences[made_.ranks.at(n).sequence]); !cursor.at_end();
         cursor.advance()) {
      const auto& operation = made_.operations[cursor.symbol()];
      std::string words(get_row(operation.kind).name);
      if (operation.is_in_same_call)
        words += "+";
      if (operation.thread)
        words += "*" + std::to_string(operation.thread);
      for (std::size_t p = 0; p < list_parameters(operation.kind).size(); ++p)
        words += " " +
                 (operation.values[p] == unknown_value ? "?" : std::to_string(operation.values[p]));
      for (auto p = operation.path; p != 0; p = made_.paths[p].caller)
        words += " in " + made_.names[made_.paths[p].name];
      out.push_back(words);
    }
    return out;
  }

  testing::TraceContent content_;
  testing::TestFolder folder_;
  Diagnostics diagnostics_;
  Communication made_;
};

using testing::master_0;
using testing::master_1;
using testing::thread_0;

TEST_F(OperationSinkTest, ListsMessagesWithRelativePeersAndTheirCallPaths) {
  record(master_0, Enter, {compute});
  record(master_0, Enter, {send});
  record(master_0, MpiSend, {1, world, 7, 100});
  record(master_0, Leave, {send});
  record(master_0, MpiCollectiveEnd, {3, world, 1, 8, 16});
  record(master_0, Leave, {compute});
  record(master_1, MpiRecv, {0, world, 7, 100});

  EXPECT_THAT(list(0), ElementsAre("MpiSend 1 0 7 100 in MPI_Send in compute",
                                   "MpiCollectiveEnd+ 3 0 1 8 16 in compute"))
      << "compute is the call around the one that sent";
  EXPECT_THAT(list(1), ElementsAre("MpiRecv 1 0 7 100"));
  EXPECT_EQ(made_.size, 2u);
  EXPECT_EQ(made_.ranks[0].messages, 1u);
  EXPECT_EQ(made_.ranks[0].bytes, 100u);
  EXPECT_EQ(made_.unknown_ends, 0u);
}

TEST_F(OperationSinkTest, PutsReceivesWhereTheyWereBegun) {
  record(master_0, MpiIrecvRequest, {5});
  record(master_0, MpiIrecvRequest, {6});
  record(master_0, MpiSend, {1, world, 0, 1});
  record(master_0, MpiIrecv, {1, world, 2, 20, 6});
  record(master_0, MpiIrecv, {1, world, 1, 10, 5});
  EXPECT_THAT(list(), ElementsAre("MpiIrecvRequest 1 0 1 10", "MpiIrecvRequest 1 0 2 20",
                                  "MpiSend 1 0 0 1"));
}

TEST_F(OperationSinkTest, MatchesReusedRequestsFirstInFirstOut) {
  for (int k = 0; k < 3; ++k)
    record(master_0, MpiIrecvRequest, {5});
  for (std::uint64_t tag : {1, 2, 3})
    record(master_0, MpiIrecv, {1, world, tag, 0, 5});
  EXPECT_THAT(list(), ElementsAre("MpiIrecvRequest 1 0 1 0", "MpiIrecvRequest 1 0 2 0",
                                  "MpiIrecvRequest 1 0 3 0"));
}

// A program that never completes its receives takes neither memory without end nor time that grows
// with their square.
TEST_F(OperationSinkTest, GivesUpTheOldestOfVeryManyOpenRequests) {
  constexpr auto most = OperationSink::most_waiting;
  for (std::uint64_t k = 0; k < most + 1; ++k)
    record(master_0, MpiIrecvRequest, {5});
  record(master_0, MpiIrecv, {1, world, 7, 64, 5});
  record(master_0, MpiIrecv, {1, world, 8, 64, 5});

  const auto found = list();
  ASSERT_EQ(found.size(), most + 1);
  EXPECT_EQ(found[0], "MpiIrecvRequest ? ? 0 0");
  EXPECT_EQ(found[1], "MpiIrecvRequest 1 0 7 64");
  EXPECT_EQ(found[2], "MpiIrecvRequest 1 0 8 64");
  EXPECT_EQ(found[3], "MpiIrecvRequest ? ? 0 0");
  EXPECT_EQ(made_.unknown_ends, most - 1);
}

TEST(OpenRequests, AreClosedFirstInFirstOutByIdAlsoWhereTheyShareABucket) {
  OpenRequests requests;
  constexpr std::uint64_t ids = 20'000;  // so that there are more buckets again and again
  for (std::uint64_t k = 0; k < 3; ++k)
    for (std::uint64_t id = 0; id < ids; ++id)
      requests.open(id, k * ids + id);

  for (std::uint64_t k = 0; k < 3; ++k)
    for (std::uint64_t id = ids; id-- > 0;)
      ASSERT_EQ(requests.close(id), k * ids + id);
  EXPECT_EQ(requests.close(7), std::nullopt);

  requests.open(7, 1);
  EXPECT_EQ(requests.close(8), std::nullopt);
  EXPECT_EQ(requests.close(7), 1u);
}

TEST_F(OperationSinkTest, LeavesOutWhatIsNoOperation) {
  record(master_0, MpiIrecvRequest, {5});
  record(master_0, MpiIsend, {1, world, 0, 1, 9});
  record(master_0, MpiRequestTest, {5});
  record(master_0, MpiRequestCancelled, {5});
  record(master_0, MpiIsendComplete, {9});
  record(master_0, MpiCollectiveBegin, {});
  EXPECT_THAT(list(), ElementsAre("MpiIsend 1 0 0 1"));
}

// As rank 0 of FT, which alone calls MPI_Comm_size.
TEST_F(OperationSinkTest, DoesNotCompareCallsWithoutARecord) {
  record(master_0, Enter, {send});
  record(master_0, Leave, {send});
  for (auto master : {master_0, master_1}) {
    record(master, Enter, {compute});
    record(master, MpiCollectiveEnd, {0, world, otf2_value::root_none, 0, 0});
    record(master, Leave, {compute});
  }
  read();
  EXPECT_THAT(find_main_clusters(made_), ElementsAre(0, 0));
  EXPECT_EQ(made_.sequences.size(), 1u);
}

// OTF2 does not say from where in a function another one is called.
TEST_F(OperationSinkTest, CallsOfOneFunctionShareTheirPath) {
  record(master_0, Enter, {compute});
  for (std::uint64_t time : {10, 20, 30}) {
    record(master_0, Enter, {send}, time);
    record(master_0, MpiSend, {1, world, 7, 100}, time);
    record(master_0, Leave, {send}, time);
  }
  record(master_0, Leave, {compute}, 40);
  EXPECT_THAT(list(), ElementsAre("MpiSend 1 0 7 100 in MPI_Send in compute",
                                  "MpiSend 1 0 7 100 in MPI_Send in compute",
                                  "MpiSend 1 0 7 100 in MPI_Send in compute"));
  EXPECT_EQ(made_.operations.size(), 1u);
}

TEST_F(OperationSinkTest, PersistentRequestsBeginAnOperationEachTimeTheyAreStarted) {
  for (std::uint64_t start = 0; start < 3; ++start) {
    record(master_0, MpiIsend, {1, world, 4, 8, 1});
    record(master_0, MpiIrecvRequest, {2});
    record(master_0, MpiIsendComplete, {1});
    record(master_0, MpiIrecv, {1, world, start, 8, 2});
  }
  EXPECT_THAT(list(), ElementsAre("MpiIsend 1 0 4 8", "MpiIrecvRequest 1 0 0 8", "MpiIsend 1 0 4 8",
                                  "MpiIrecvRequest 1 0 1 8", "MpiIsend 1 0 4 8",
                                  "MpiIrecvRequest 1 0 2 8"));
  EXPECT_EQ(made_.unknown_ends, 0u);
}

TEST_F(OperationSinkTest, SaysWhichEndsAreUnknown) {
  record(master_0, MpiIrecvRequest, {5});           // never completed
  record(master_0, MpiSend, {1, 4711, 0, 1});       // no such communicator
  record(master_0, MpiSend, {2, world, 0, 1});      // no such rank
  record(master_0, MpiIrecv, {1, world, 0, 1, 8});  // never begun
  EXPECT_THAT(list(), ElementsAre("MpiIrecvRequest ? ? 0 0", "MpiSend ? ? 0 1", "MpiSend ? 0 0 1",
                                  "MpiIrecvRequest 1 0 0 1"));
  EXPECT_EQ(made_.unknown_ends, 3u);

  std::string told;
  for (const auto& line : diagnostics_.warnings())
    told += line + "\n";
  for (const char* words : {"not defined", "does not have", "never completed", "never begun"})
    EXPECT_THAT(told, HasSubstr(words));
}

TEST_F(OperationSinkTest, TellsCommunicatorsOfOtherParadigmsFromUndefinedOnes) {
  namespace v = otf2_value;
  constexpr std::uint64_t other = 4711, locations = 4712;
  const auto add = [&](DefinitionKind kind, const std::vector<std::uint64_t>& fields,
                       std::vector<std::uint64_t> list) {
    Definition definition;
    definition.kind = kind;
    std::copy(fields.begin(), fields.end(), definition.fields.begin());
    definition.list = std::move(list);
    content_.definitions.push_back(definition);
  };
  add(DefinitionKind::Group, {locations, send, v::group_comm_locations, v::paradigm_pthread, 0, 2},
      {master_0, master_1});
  add(DefinitionKind::Group, {other, send, v::group_comm_group, v::paradigm_pthread, 0, 2}, {0, 1});
  add(DefinitionKind::Comm, {other, send, other, undefined_id(Ref::comm), 0}, {});
  record(master_0, MpiSend, {1, other, 0, 1});

  EXPECT_THAT(list(), ElementsAre("MpiSend ? ? 0 1"));
  EXPECT_EQ(made_.unknown_ends, 1u);
  EXPECT_THAT(diagnostics_.warnings(), Contains(HasSubstr("in communicators of another paradigm")));
  EXPECT_THAT(diagnostics_.warnings(), Not(Contains(HasSubstr("not defined"))));
}

TEST_F(OperationSinkTest, KnowsCommunicatorsByTheirPlaceAmongThoseOfTheRank) {
  record(master_0, MpiSend, {0, self_comm, 0, 1});
  record(master_0, MpiSend, {0, between, 0, 1});  // the other side of an inter-communicator
  record(master_1, MpiSend, {0, between, 0, 1});
  EXPECT_THAT(list(0), ElementsAre("MpiSend 0 1 0 1", "MpiSend 1 2 0 1"));
  EXPECT_THAT(list(1), ElementsAre("MpiSend 1 2 0 1"));
}

TEST_F(OperationSinkTest, ListsOneSidedOperationsWithTheirWindow) {
  record(master_0, RmaPut, {window, 1, 64, 0});
  record(master_1, RmaGet, {window, 1, 32, 0});
  EXPECT_THAT(list(0), ElementsAre("RmaPut 1 14 64"));
  EXPECT_THAT(list(1), ElementsAre("RmaGet 0 14 32"));
}

// A stream of an accelerator is no rank, whatever communicator its window has.
TEST_F(OperationSinkTest, LeavesOutWhatAcceleratorsDoToWindowsAndFiles) {
  constexpr std::uint64_t file_handle = 1;
  record(master_0, RmaPut, {window, 1, 64, 0});
  record(testing::stream_0, RmaPut, {window, 1, 64, 0});
  record(testing::stream_0, RmaAtomic, {window, 1, 0, 8, 8, 0});
  record(testing::stream_0, IoOperationBegin, {file_handle, 0, 0, 4096, 1});
  EXPECT_THAT(list(0), ElementsAre("RmaPut 1 14 64"));
  EXPECT_EQ(made_.ranks.size(), 1u);
  EXPECT_EQ(made_.ranks[0].locations.size(), 1u);
  EXPECT_EQ(made_.unknown_ends, 0u);
}

class AccompaniedOperationsTest : public OperationSinkTest {
 protected:
  static constexpr std::uint64_t all = 0xffffffff, file_handle = 44;

  AccompaniedOperationsTest() {
    record(master_0, Enter, {send});
    record(master_0, RmaWinCreate, {window});
    record(master_0, RmaPut, {window, 1, 64, 5});
    record(master_0, RmaPut, {window, 1, 32, 6});
    record(master_0, Leave, {send});
    record(master_0, Enter, {compute});
    record(master_0, RmaOpCompleteNonBlocking, {window, 5});
    record(master_0, RmaOpCompleteRemote, {window, 5});
    record(master_0, RmaOpCompleteRemote, {window, 5});  // of none
    record(master_0, RmaRequestLock, {window, all, 7, 1});
    record(master_0, RmaSync, {window, 9, 0});  // with none
    record(master_0, Enter, {send});
    record(master_0, IoOperationBegin, {file_handle, 1, 2, 4096, 5});
    record(master_0, IoOperationComplete, {file_handle, 4000, 5});
    record(master_0, Leave, {send});
    record(master_0, IoSeek, {file_handle, 8, 1, 9});
    record(master_0, Leave, {compute});
    record(master_1, RmaWinCreate, {window});
  }
};

TEST_F(AccompaniedOperationsTest, AreToldWhereMessagesAreKept) {
  EXPECT_THAT(
      list(),
      ElementsAre("RmaWinCreate 14 in MPI_Send", "RmaPut+ 1 14 64 in MPI_Send",
                  "RmaPut+ 1 14 32 in MPI_Send", "RmaOpCompleteNonBlocking 14 2 in compute",
                  "RmaOpCompleteRemote+ 14 2 in compute", "RmaOpCompleteRemote+ 14 ? in compute",
                  "RmaRequestLock+ " + std::to_string(no_root) + " 14 7 1 in compute",
                  "RmaSync+ ? 14 0 in compute",
                  "IoOperationBegin " + std::to_string(pack_operation(1, 2)) +
                      " 44 4096 in MPI_Send in compute",
                  "IoOperationComplete+ 44 4000 1 in MPI_Send in compute",
                  "IoSeek+ 1 44 8 9 in compute"));
  EXPECT_EQ(made_.unknown_ends, 0u);
  EXPECT_EQ(made_.ranks.size(), 1u) << "nothing that the other one does is an operation";

  std::vector<std::string> defined;
  for (const auto& [definition, texts] : made_.definitions)
    defined.push_back(describe(definition));
  EXPECT_THAT(defined, ::testing::IsSupersetOf({"RmaWin 14", "IoRegularFile 31", "IoHandle 44"}));
}

TEST_F(AccompaniedOperationsTest, AreNotToldWhereRanksAreOnlyCompared) {
  read(RecordOperations::yes);
  EXPECT_THAT(list(), ElementsAre("RmaPut 1 14 64 in MPI_Send", "RmaPut 1 14 32 in MPI_Send",
                                  "IoOperationBegin " + std::to_string(pack_operation(1, 2)) +
                                      " 44 4096 in MPI_Send in compute"));
  EXPECT_THAT(made_.definitions, IsEmpty());
}

TEST_F(AccompaniedOperationsTest, HoldAsManyOpenOperationsAsTheyMay) {
  content_.events[master_0].clear();
  for (std::uint64_t k = 0; k <= OperationSink::most_begun; ++k)
    record(master_0, RmaPut, {window, 1, 8, k});
  record(master_0, RmaOpCompleteRemote, {window, 0});
  record(master_0, RmaOpCompleteRemote, {window, OperationSink::most_begun});
  const auto found = list();
  ASSERT_EQ(found.size(), OperationSink::most_begun + 3);
  EXPECT_EQ(found[found.size() - 2], "RmaOpCompleteRemote 14 ?");
  EXPECT_EQ(found.back(), "RmaOpCompleteRemote 14 1");
}

// OTF2 lists no ranks of COMM_SELF, so nothing tells who is on that side.
TEST_F(OperationSinkTest, DoesNotKnowTheSideOfAnIntercommunicatorThatIsCommSelf) {
  std::uint64_t self_group = 0;
  for (const auto& d : content_.definitions)
    if (d.kind == DefinitionKind::Comm && d.fields[0] == self_comm)
      self_group = get_field<"group", DefinitionKind::Comm>(d);
  for (auto& d : content_.definitions)
    if (d.kind == DefinitionKind::InterComm && d.fields[0] == between)
      get_field<"groupA", DefinitionKind::InterComm>(d) = self_group;

  record(master_0, MpiSend, {0, between, 1, 10});  // from that side
  record(master_1, MpiRecv, {0, between, 1, 10});  // to the other, which knows the communicator
  EXPECT_THAT(list(0), ElementsAre("MpiSend ? ? 1 10"));
  EXPECT_THAT(list(1), ElementsAre("MpiRecv ? 2 1 10"));
  EXPECT_EQ(made_.unknown_ends, 2u);
}

TEST_F(OperationSinkTest, PutsThreadsOfARankBehindEachOther) {
  record(thread_0, MpiSend, {1, world, 2, 2});
  record(master_0, MpiSend, {1, world, 1, 1});
  EXPECT_THAT(list(), ElementsAre("MpiSend 1 0 1 1", "MpiSend*1 1 0 2 2"));
  EXPECT_EQ(made_.ranks.size(), 1u);
  EXPECT_EQ(made_.ranks[0].locations.size(), 2u);
}

TEST_F(OperationSinkTest, AddsUpTimeBetweenCallsOfMpi) {
  for (std::uint64_t time : {100, 200, 350}) {
    record(master_0, Enter, {send}, time);
    record(master_0, MpiSend, {1, world, 1, 1}, time);
    record(master_0, Leave, {send}, time + 10);
  }
  read();
  ASSERT_EQ(made_.ranks[0].gaps.size(), 1u);
  EXPECT_EQ(made_.ranks[0].gaps[0].ticks, 90u + 140u);
}

TEST_F(OperationSinkTest, HasNoRanksWithoutOperations) {
  record(master_0, Enter, {compute});
  record(master_0, Leave, {compute});
  EXPECT_THAT(read().ranks, IsEmpty());
}

}  // namespace tracefold::operation_sink_test
