// Small programs that are reduced and expanded again.
#include "tests/support/expand_fixture.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace tracefold::expand_test {

using ::testing::ElementsAre;
using enum EventKind;
using testing::ExpandTest;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::read_events;
using ::testing::StartsWith;
using testing::TraceBuilder;

// OTF2 allows one group of that kind for each paradigm, whichever communicators use it.
TEST_F(ExpandTest, SeveralCommunicatorsOfEachRankAloneShareAGroup) {
  constexpr std::uint64_t self = 10, again = 11, self_group = 120;
  builder_.add_self_comm(self, self_group);
  builder_.define(K::Comm, {again, builder_.string("again"), self_group, TraceBuilder::none, 0});
  for (std::uint64_t rank = 0; rank < ranks_; ++rank)
    for (auto comm : {self, again})
      call(rank, broadcast, 10, 10,
           {make(MpiCollectiveBegin, {}),
            make(MpiCollectiveEnd, {otf2_value::collective_bcast, comm, 0, 8, 8})});

  const auto full = expand();
  std::vector<std::uint64_t> groups;
  for (const auto& d : full.definitions().all())
    if (full.definitions().is_self(d))
      groups.push_back(get_field<"group", K::Comm>(d));
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0], groups[1]);
  for (std::uint64_t rank = 0; rank < ranks_; ++rank)
    EXPECT_EQ(list_times(full, rank, MpiCollectiveEnd).size(), 2u);
}

class ExpandSharedTest : public ExpandTest {
 protected:
  ExpandSharedTest() : ExpandTest(4, true) {}
};

TEST_F(ExpandSharedTest, EachRankOfAProcessHasItsOwnMessages) {
  for (std::uint64_t rank = 0; rank < ranks_; ++rank) {
    call(rank, send, 10, 10, {make(MpiSend, {(rank + 1) % ranks_, world, 0, 8 + rank})});
    call(rank, receive, 50, 10,
         {make(MpiRecv, {(rank + 3) % ranks_, world, 0, 8 + (rank + 3) % 4})});
  }

  const auto full = expand();
  ASSERT_EQ(full.definitions().locations().size(), ranks_);
  std::size_t processes = 0;
  for (const auto& d : full.definitions().all())
    processes += d.kind == K::LocationGroup;
  EXPECT_EQ(processes, 2u);
  for (std::uint64_t rank = 0; rank < ranks_; ++rank)
    for (const auto& event : read_events(full, rank))
      if (event.kind == MpiSend) {
        EXPECT_EQ((get_field<"receiver", MpiSend>(event)), (rank + 1) % ranks_);
        EXPECT_EQ((get_field<"msgLength", MpiSend>(event)), 8 + rank);
      }
  for (std::uint64_t rank = 0; rank < ranks_; ++rank) {
    EXPECT_EQ(list_times(full, rank, MpiSend).size(), 1u);
    EXPECT_EQ(list_times(full, rank, MpiRecv).size(), 1u);
  }
}

TEST_F(ExpandSharedTest, ARankStaysWhereAnotherOneOfItsProcessIsNotExpanded) {
  for (std::uint64_t rank : {0, 2}) {
    call(rank, send, 10, 10, {make(MpiSend, {2 - rank, world, 0, 8})});
    call(rank, receive, 50, 10, {make(MpiRecv, {2 - rank, world, 0, 8})});
  }
  for (std::uint64_t rank : {1, 3}) {
    call(rank, send, 10, 10, {make(MpiSend, {4 - rank, world, 0, 8})});
    call(rank, receive, 50, 10, {make(MpiRecv, {4 - rank, world, 0, 8})});
  }

  const auto part = expand(LocationList{{0, 2}, {}, {}});
  ASSERT_THAT(part.definitions().locations(), ElementsAre(0, 1));
  EXPECT_EQ(list_times(part, 0, MpiRecv).size(), 1u);
  EXPECT_EQ(list_times(part, 1, MpiSend).size(), 1u);
}

// Each rank receives from the one before, which has to compute longer and longer.
class ExpandChainTest : public ExpandTest {
 protected:
  ExpandChainTest() {
    for (std::uint64_t rank = 0; rank < 4; ++rank) {
      if (rank > 0)
        call(rank, receive, 5, 1000 * rank, {make(MpiRecv, {rank - 1, world, 0, 64})});
      if (rank < 3)
        call(rank, send, 500 + 100 * rank, 10, {make(MpiSend, {rank + 1, world, 0, 64})});
    }
  }
};

TEST_F(ExpandChainTest, NoMessageIsReceivedBeforeItIsSent) {
  const auto full = expand();

  EXPECT_EQ(kept_, 3u);
  ASSERT_EQ(full.definitions().locations().size(), 4u);
  for (std::uint64_t rank = 1; rank < 4; ++rank) {
    const auto sent = list_times(full, rank - 1, MpiSend);
    const auto received = list_times(full, rank, MpiRecv);
    ASSERT_EQ(sent.size(), 1u);
    ASSERT_EQ(received.size(), 1u);
    EXPECT_GT(received[0], sent[0]) << "rank " << rank;
  }
}

TEST_F(ExpandChainTest, GapsAreThoseOfTheRank) {
  const auto full = expand();

  for (std::uint64_t rank = 0; rank < 3; ++rank) {
    const auto events = read_events(full, rank);
    const auto sent = std::find_if(events.begin(), events.end(),
                                   [](const auto& event) { return event.kind == MpiSend; });
    // Enter of MPI_Send and, before it, the Leave of the call of MPI before.
    EXPECT_EQ((sent - 1)->time - (sent - 2)->time, 500 + 100 * rank) << "rank " << rank;
  }
}

// Each rank begins later than the one before, and waits longer in the same calls.
class ExpandTimesTest : public ExpandTest {
 protected:
  ExpandTimesTest() : ExpandTest(4, false, false) {
    records_program_ = true;
    for (std::uint64_t rank = 0; rank < ranks_; ++rank) {
      times_[rank] = 1'000 * rank;
      call(rank, send, 0, 10, {make(MpiSend, {(rank + 1) % ranks_, world, 0, 8})});
      for (std::uint64_t length : {100'000, 300'000})
        call(rank, wait, 50'000, length * (rank + 1), {});
      call(rank, receive, 10, 10, {make(MpiRecv, {(rank + ranks_ - 1) % ranks_, world, 0, 8})});
    }
  }

  // How long a rank is in MPI_Wait.
  static std::vector<std::uint64_t> list_lengths(const Archive& archive, std::uint64_t rank) {
    std::vector<std::uint64_t> lengths;
    std::vector<Event> open;
    for (const auto& event : read_events(archive, rank)) {
      if (event.kind == Enter)
        open.push_back(event);
      if (event.kind != Leave)
        continue;
      const auto& region = *archive.definitions().find(Ref::region, open.back().region());
      if (archive.definitions().text(get_field<"name", K::Region>(region)) == "MPI_Wait")
        lengths.push_back(event.time - open.back().time);
      open.pop_back();
    }
    return lengths;
  }
};

MATCHER_P(IsAbout, value, "") {
  const auto ticks = static_cast<double>(arg);
  return ticks > 0.98 * value && ticks < 1.02 * value;
}

TEST_F(ExpandTimesTest, ProcessesBeginAndAreInMpiAsIsStoredOfThem) {
  const auto full = expand();
  ASSERT_EQ(kept_, 1u);
  for (std::uint64_t rank = 0; rank < ranks_; ++rank) {
    const auto times = static_cast<double>(rank + 1);
    EXPECT_EQ(list_times(full, rank, Enter).front(), 1'000 * rank) << "rank " << rank;
    EXPECT_THAT(list_lengths(full, rank), ElementsAre(IsAbout(1e5 * times), IsAbout(3e5 * times)))
        << "rank " << rank;
  }
}

TEST_F(ExpandChainTest, NamesSayThatTheyAreExpanded) {
  const auto full = expand();
  const auto& definitions = full.definitions();

  for (const auto& d : definitions.all()) {
    if (d.kind == K::Location || d.kind == K::LocationGroup) {
      EXPECT_THAT(definitions.text(d.fields[1]), StartsWith("≈ "));
    }
  }
}

TEST_F(ExpandChainTest, MessagesWithOthersAreLeftOut) {
  const auto part = expand(LocationList{{1, 2}, {}, {}});

  ASSERT_THAT(part.definitions().locations(), ElementsAre(0, 1));
  EXPECT_THAT(list_times(part, 0, MpiRecv), IsEmpty());
  EXPECT_EQ(list_times(part, 0, MpiSend).size(), 1u);
  EXPECT_EQ(list_times(part, 1, MpiRecv).size(), 1u);
  EXPECT_THAT(list_times(part, 1, MpiSend), IsEmpty());
  EXPECT_EQ(part.definitions().partner(0, 0, 1), 1u);
}

TEST_F(ExpandChainTest, LocationsThatNobodyStandsForAreRefused) {
  try {
    expand(LocationList{{1, 9}, {}, {}});
    FAIL() << "it was expanded";
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::usage);
    EXPECT_THAT(problem.what(), HasSubstr("no location 9 is stood for (the original has 0-3)"));
  }
}

TEST_F(ExpandChainTest, TooLittleMemoryIsAnError) {
  const auto reduced = reduce();
  ExpandOptions options;
  options.memory = 128;
  EXPECT_THROW(tracefold::expand(reduced, folder_.path() / "full", options, diagnostics_), Error);
}

// The first wait completes the send, which nothing tells; who completes the receive, which was
// begun before, waits for a message that the partner sends only after one that comes later.
TEST_F(ExpandTest, RequestsThatWouldLockUpStayOpen) {
  for (std::uint64_t rank = 0; rank < 4; rank += 2) {
    const auto other = rank + 1;
    call(rank, irecv, 10, 5, {make(MpiIrecvRequest, {1})});
    call(rank, isend, 10, 5, {make(MpiIsend, {other, world, 0, 8, 2})});
    call(rank, wait, 10, 5, {make(MpiIsendComplete, {2})});
    call(rank, send, 10, 5, {make(MpiSend, {other, world, 1, 8})});
    call(rank, wait, 10, 5, {make(MpiIrecv, {other, world, 2, 8, 1})});

    call(other, receive, 10, 50, {make(MpiRecv, {rank, world, 0, 8})});
    call(other, receive, 10, 50, {make(MpiRecv, {rank, world, 1, 8})});
    call(other, send, 10, 5, {make(MpiSend, {rank, world, 2, 8})});
  }
  const auto full = expand();

  EXPECT_EQ(kept_, 2u);
  for (std::uint64_t rank = 0; rank < 4; rank += 2) {
    EXPECT_EQ(list_times(full, rank, MpiIsendComplete).size(), 1u);
    const auto received = list_times(full, rank, MpiIrecv);
    ASSERT_EQ(received.size(), 1u);
    EXPECT_GT(received[0], list_times(full, rank + 1, MpiSend)[0]);
  }
}

// The receive of the thread is not before those of the process, which waits for another message.
TEST_F(ExpandTest, ThreadsThatReceiveOnOneChannelTakeTurnsByTheirTimes) {
  add_thread(ranks_, 0);
  call(1, send, 10, 10, {make(MpiSend, {0, world, 2, 8})});
  call(1, send, 10, 10, {make(MpiSend, {0, world, 0, 8})});
  call(1, receive, 10, 50, {make(MpiRecv, {0, world, 1, 8})});
  call(1, send, 10, 10, {make(MpiSend, {0, world, 0, 8})});
  call(0, receive, 10, 50, {make(MpiRecv, {1, world, 2, 8})});
  call(0, receive, 10, 10, {make(MpiRecv, {1, world, 0, 8})});
  call(0, send, 10, 10, {make(MpiSend, {1, world, 1, 8})});
  call(ranks_, receive, 500, 10, {make(MpiRecv, {1, world, 0, 8})});

  const auto full = expand();  // there the thread is location 1, and rank 1 location 2
  EXPECT_EQ(list_times(full, 0, MpiRecv).size(), 2u);
  EXPECT_THAT(list_times(full, 1, MpiRecv), ElementsAre(::testing::Ge(500u)));
  EXPECT_EQ(list_times(full, 2, MpiRecv).size(), 1u);
}

// The thread has received before the process does, and the process waits for what it sends then.
TEST_F(ExpandTest, AThreadWithoutCallsHasItsTurnAmongTheOthers) {
  add_thread(ranks_, 0);
  call(1, send, 10, 10, {make(MpiSend, {0, world, 0, 8})});
  call(1, receive, 100, 10, {make(MpiRecv, {0, world, 1, 8})});
  call(1, send, 500, 10, {make(MpiSend, {0, world, 0, 8})});
  call(0, receive, 600, 50, {make(MpiRecv, {1, world, 0, 8})});
  builder_.record(ranks_, make(MpiRecv, {1, world, 0, 8}));
  builder_.record(ranks_, make(MpiSend, {1, world, 1, 8}));

  const auto full = expand();
  EXPECT_THAT(list_kinds(full, 1), ElementsAre(MpiRecv, MpiSend));
  EXPECT_THAT(list_times(full, 0, MpiRecv), ElementsAre(::testing::Ge(600u)));
}

// It could have received the first message, but then nobody would send the second one.
TEST_F(ExpandTest, AThreadComesLaterWhereOthersWouldWaitForEver) {
  add_thread(ranks_, 0);
  call(1, send, 10, 10, {make(MpiSend, {0, world, 0, 8})});
  call(1, receive, 10, 50, {make(MpiRecv, {0, world, 1, 8})});
  call(1, send, 10, 10, {make(MpiSend, {0, world, 0, 8})});
  call(0, receive, 10, 50, {make(MpiRecv, {1, world, 0, 8})});
  call(0, send, 10, 10, {make(MpiSend, {1, world, 1, 8})});
  builder_.record(ranks_, make(MpiRecv, {1, world, 0, 8}));

  const auto full = expand();
  const auto sent = list_times(full, 2, MpiSend);
  ASSERT_EQ(sent.size(), 2u);
  EXPECT_THAT(list_times(full, 1, MpiRecv), ElementsAre(sent[1] + 1));
}

// Two of three threads miss the first message. The others are sent once a request of rank 1 is left
// open, as in RequestsThatWouldLockUpStayOpen.
TEST_F(ExpandTest, ThreadsThatHaveMissedAMessageWaitForTheNextOne) {
  add_thread(ranks_, 0);
  add_thread(ranks_ + 1, 0);
  call(0, receive, 10, 500, {make(MpiRecv, {1, world, 0, 8})});
  for (auto thread : {ranks_, ranks_ + 1})
    builder_.record(thread, make(MpiRecv, {1, world, 0, 8}));

  call(1, send, 10, 5, {make(MpiSend, {0, world, 0, 8})});
  call(1, irecv, 10, 5, {make(MpiIrecvRequest, {1})});
  call(1, isend, 10, 5, {make(MpiIsend, {2, world, 0, 8, 2})});
  call(1, wait, 10, 5, {make(MpiIsendComplete, {2})});
  call(1, send, 10, 5, {make(MpiSend, {2, world, 1, 8})});
  call(1, wait, 10, 5, {make(MpiIrecv, {2, world, 2, 8, 1})});
  for (int k = 0; k < 2; ++k)
    call(1, send, 10, 5, {make(MpiSend, {0, world, 0, 8})});

  call(2, receive, 10, 50, {make(MpiRecv, {1, world, 0, 8})});
  call(2, receive, 10, 50, {make(MpiRecv, {1, world, 1, 8})});
  call(2, send, 10, 5, {make(MpiSend, {1, world, 2, 8})});

  const auto full = expand();  // there rank 1 is location 3
  auto sent = list_times(full, 3, MpiSend);
  ASSERT_EQ(sent.size(), 4u);
  sent.erase(sent.begin() + 1);  // to rank 2
  std::vector<std::uint64_t> received;
  for (std::uint64_t location = 0; location < 3; ++location)
    for (auto time : list_times(full, location, MpiRecv))
      received.push_back(time);
  std::sort(received.begin(), received.end());
  ASSERT_EQ(received.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_GT(received[k], sent[k]);
}

// Ranks with equal call pairs and other sequences.
TEST_F(ExpandTest, OperationsWithoutACallGetOneOfTheirOwn) {
  for (std::uint64_t rank = 0; rank < 4; rank += 2) {
    const auto other = rank + 1;
    call(rank, send, 10, 5, {make(MpiSend, {other, world, 0, 8})});
    for (int i = 0; i < 2; ++i)
      call(rank, receive, 10, 5, {make(MpiRecv, {other, world, 1, 8})});

    call(other, receive, 10, 5, {make(MpiRecv, {rank, world, 0, 8})});
    for (int i = 0; i < 2; ++i)
      call(other, send, 10, 5, {make(MpiSend, {rank, world, 1, 8})});
  }
  const auto full = expand();

  EXPECT_EQ(kept_, 1u);
  for (std::uint64_t rank = 0; rank < 4; rank += 2) {
    EXPECT_EQ(list_times(full, rank, MpiSend).size(), 1u);
    EXPECT_EQ(list_times(full, rank, MpiRecv).size(), 2u);
    EXPECT_EQ(list_times(full, rank + 1, MpiSend).size(), 2u);
    EXPECT_EQ(list_times(full, rank + 1, MpiRecv).size(), 1u);
  }

  // In calls of the same functions.
  for (std::uint64_t rank = 0; rank < 4; ++rank) {
    std::vector<std::uint64_t> open;
    for (const auto& event : read_events(full, rank)) {
      if (event.kind == Enter)
        open.push_back(event.region());
      else if (event.kind == Leave)
        open.pop_back();
      else
        EXPECT_EQ(open.size(), 2u);
    }
  }
}

TEST_F(ExpandTest, PersistentRequestsAreStartedAndCompletedAgainAndAgain) {
  constexpr std::uint64_t start_all = 20, wait_all = 21;
  define(start_all, "MPI_Startall", TraceBuilder::mpi);
  define(wait_all, "MPI_Waitall", TraceBuilder::mpi);
  for (int round = 0; round < 3; ++round)
    for (std::uint64_t rank = 0; rank < 4; ++rank) {
      call(rank, start_all, 10 + rank, 5,
           {make(MpiIsend, {(rank + 1) % 4, world, rank, 8, 1}), make(MpiIrecvRequest, {2})});
      call(rank, wait_all, 10, 20,
           {make(MpiIsendComplete, {1}),
            make(MpiIrecv, {(rank + 3) % 4, world, (rank + 3) % 4, 8, 2})});
    }
  const auto full = expand();

  EXPECT_EQ(kept_, 1u);
  for (std::uint64_t rank = 0; rank < 4; ++rank) {
    const auto begun = list_times(full, rank, MpiIsend),
               posted = list_times(full, rank, MpiIrecvRequest),
               sent = list_times(full, rank, MpiIsendComplete),
               received = list_times(full, rank, MpiIrecv);
    const auto arrived = list_times(full, (rank + 3) % 4, MpiIsend);
    ASSERT_EQ(begun.size(), 3u);
    ASSERT_EQ(posted.size(), 3u);
    ASSERT_EQ(sent.size(), 3u);
    ASSERT_EQ(received.size(), 3u);
    for (std::size_t round = 0; round < 3; ++round) {
      EXPECT_GT(received[round], arrived[round]);
      if (round > 0) {
        EXPECT_GE(posted[round], received[round - 1])
            << "they are completed before they start again";
      }
    }
  }
}

TEST_F(ExpandTest, CollectivesWaitForTheirRoot) {
  for (std::uint64_t rank = 0; rank < 4; ++rank)
    call(rank, broadcast, rank == 2 ? 5000 : 10, 20,
         {make(MpiCollectiveBegin, {}),
          make(MpiCollectiveEnd, {otf2_value::collective_bcast, world, 2, 8, 8})});
  const auto full = expand();

  EXPECT_EQ(kept_, 1u);
  const auto begun = list_times(full, 2, MpiCollectiveBegin);
  ASSERT_EQ(begun.size(), 1u);
  for (std::uint64_t rank = 0; rank < 4; ++rank)
    EXPECT_GE(list_times(full, rank, MpiCollectiveEnd).at(0), begun[0]);
}

// Each rank puts to the next one in a window of all, and writes to a file of its own.
class ExpandRecordsTest : public ExpandTest {
 protected:
  static constexpr std::uint64_t window = 6, first_handle = 20;
  enum Own : std::uint64_t { put = broadcast + 1, flush, write, exchange };

  ExpandRecordsTest() {
    builder_.define(K::RmaWin, {window, builder_.string("window"), world, 0});
    builder_.define(K::IoParadigm, {1, builder_.string("POSIX"), builder_.string("POSIX"), 0, 0});
    define(put, "MPI_Put", TraceBuilder::mpi);
    define(flush, "MPI_Win_flush", TraceBuilder::mpi);
    define(write, "write", otf2_value::paradigm_compiler);
    define(exchange, "exchange", otf2_value::paradigm_compiler);
    for (std::uint64_t rank = 0; rank < 4; ++rank) {
      builder_.define(K::IoHandle,
                      {first_handle + rank, builder_.string("file " + std::to_string(rank)),
                       TraceBuilder::none, 1, 0, TraceBuilder::none, TraceBuilder::none});
      call(rank, put, 10, 5, {make(RmaPut, {window, (rank + 1) % 4, 8 * rank, 70})});
      call(rank, put, 10, 5, {make(RmaPut, {window, rank, 4, 80})});
      call(rank, flush, 10, 5,
           {make(RmaOpCompleteRemote, {window, 70}), make(RmaOpCompleteRemote, {window, 80})});
      call(rank, write, 10, 100,
           {make(IoOperationBegin, {first_handle + rank, 1, 0, 100 + rank, 9}),
            make(IoOperationComplete, {first_handle + rank, 90 + rank, 9})});
    }
  }

  void write_file(std::uint64_t rank) {
    builder_.record(rank, IoOperationBegin, times_[rank] += 10, {first_handle + rank, 1, 0, 10, 9});
    builder_.record(rank, IoOperationComplete, times_[rank] += 10, {first_handle + rank, 10, 9});
  }
  void take_part(std::uint64_t rank) {
    call(rank, broadcast, 10, 10,
         {make(MpiCollectiveBegin, {}),
          make(MpiCollectiveEnd, {otf2_value::collective_bcast, world, 0, 8, 8})});
  }

  void expect_that_mpi_sends() {
    const auto full = expand();
    ASSERT_EQ(kept_, 1u);
    const auto events = read_events(full, 2);
    const auto sent = std::find_if(events.begin(), events.end(),
                                   [](const auto& event) { return event.kind == MpiSend; });
    ASSERT_NE(sent, events.end());
    ASSERT_EQ((sent - 1)->kind, Enter);
    EXPECT_EQ(full.definitions().text(get_field<"name", K::Region>(
                  *full.definitions().find(Ref::region, (sent - 1)->fields[0]))),
              "MPI_Send");
  }

  static std::vector<Event> list_records(const Archive& archive, std::uint64_t location,
                                         EventKind kind) {
    std::vector<Event> records;
    for (const auto& event : read_events(archive, location))
      if (event.kind == kind)
        records.push_back(event);
    return records;
  }
};

TEST_F(ExpandRecordsTest, WindowsAndFilesHaveTheOperationsOfTheRank) {
  const auto full = expand();
  const auto& definitions = full.definitions();

  EXPECT_EQ(kept_, 1u);
  for (std::uint64_t rank = 0; rank < 4; ++rank) {
    const auto puts = list_records(full, rank, RmaPut);
    const auto completions = list_records(full, rank, RmaOpCompleteRemote);
    ASSERT_EQ(puts.size(), 2u);
    ASSERT_EQ(completions.size(), 2u);
    EXPECT_EQ((get_field<"remote", RmaPut>(puts[0])), (rank + 1) % 4);
    EXPECT_EQ((get_field<"bytes", RmaPut>(puts[0])), 8 * rank);
    for (std::size_t k = 0; k < 2; ++k)
      EXPECT_EQ((get_field<"matchingId", RmaPut>(puts[k])),
                (get_field<"matchingId", RmaOpCompleteRemote>(completions[k])));

    const auto begun = list_records(full, rank, IoOperationBegin);
    const auto done = list_records(full, rank, IoOperationComplete);
    ASSERT_EQ(begun.size(), 1u);
    ASSERT_EQ(done.size(), 1u);
    const auto* handle =
        definitions.find(Ref::io_handle, get_field<"handle", IoOperationBegin>(begun[0]));
    ASSERT_TRUE(handle);
    EXPECT_EQ(definitions.text(get_field<"name", K::IoHandle>(*handle)),
              "file " + std::to_string(rank));
    EXPECT_EQ((get_field<"bytesResult", IoOperationComplete>(done[0])), 90 + rank);
    EXPECT_EQ(done[0].time - begun[0].time, 100u) << "as long as its call takes";
  }
}

// The kept process sends nothing in the function that has file operations.
TEST_F(ExpandRecordsTest, OperationsHaveTheirCallsAlsoInAFunctionWithFileOperations) {
  threshold_ = 0;
  for (std::uint64_t rank = 0; rank < 4; ++rank) {
    builder_.record(rank, Enter, times_[rank] += 10, {write});
    write_file(rank);
    if (rank == 2)
      call(2, send, 10, 10, {make(MpiSend, {3, world, 0, 8})});
    take_part(rank);
    builder_.record(rank, Leave, times_[rank] += 10, {write});
  }
  call(3, receive, 50, 10, {make(MpiRecv, {2, world, 0, 8})});

  expect_that_mpi_sends();
}

// The kept process has file operations in the function, and sends nothing in the one before it.
TEST_F(ExpandRecordsTest, OperationsHaveTheirCallsAlsoBeforeAFunctionWithFileOperations) {
  threshold_ = 0;
  for (std::uint64_t rank = 0; rank < 4; ++rank) {
    builder_.record(rank, Enter, times_[rank] += 10, {exchange});
    if (rank == 2)
      call(2, send, 10, 10, {make(MpiSend, {3, world, 0, 8})});
    if (rank == 3)
      call(3, receive, 50, 10, {make(MpiRecv, {2, world, 0, 8})});
    builder_.record(rank, Leave, times_[rank] += 10, {exchange});
    builder_.record(rank, Enter, times_[rank] += 10, {write});
    if (rank < 2)
      write_file(rank);
    take_part(rank);
    builder_.record(rank, Leave, times_[rank] += 10, {write});
  }

  expect_that_mpi_sends();
}

// What the kept process does in one call, the others do in two, with another function in between.
TEST_F(ExpandRecordsTest, OperationsHaveTheirCallsAlsoBetweenTwoOfAFunctionWithFileOperations) {
  threshold_ = 0;
  for (std::uint64_t rank = 0; rank < 4; ++rank) {
    builder_.record(rank, Enter, times_[rank] += 10, {write});
    write_file(rank);
    take_part(rank);
    if (rank >= 2) {
      builder_.record(rank, Leave, times_[rank] += 10, {write});
      builder_.record(rank, Enter, times_[rank] += 10, {exchange});
    }
    if (rank == 2)
      call(2, send, 10, 10, {make(MpiSend, {3, world, 0, 8})});
    if (rank == 3)
      call(3, receive, 50, 10, {make(MpiRecv, {2, world, 0, 8})});
    if (rank >= 2) {
      builder_.record(rank, Leave, times_[rank] += 10, {exchange});
      builder_.record(rank, Enter, times_[rank] += 10, {write});
    }
    take_part(rank);
    builder_.record(rank, Leave, times_[rank] += 10, {write});
  }

  expect_that_mpi_sends();
}

TEST_F(ExpandRecordsTest, OperationsWithOthersAndTheirCompletionsAreLeftOut) {
  const auto part = expand(LocationList{{1, 3}, {}, {}});

  for (std::uint64_t location = 0; location < 2; ++location) {
    const auto puts = list_records(part, location, RmaPut);
    const auto completions = list_records(part, location, RmaOpCompleteRemote);
    ASSERT_EQ(puts.size(), 1u);
    ASSERT_EQ(completions.size(), 1u);
    EXPECT_EQ((get_field<"remote", RmaPut>(puts[0])), location);
    EXPECT_EQ((get_field<"matchingId", RmaPut>(puts[0])),
              (get_field<"matchingId", RmaOpCompleteRemote>(completions[0])));
    EXPECT_EQ((get_field<"handle", IoOperationBegin>(
                  list_records(part, location, IoOperationBegin).at(0))),
              location)
        << "what nothing refers to is not defined";
  }
}

TEST_F(ExpandTest, AMessageThatIsNeverSentIsAnError) {
  call(1, receive, 10, 5, {make(MpiRecv, {0, world, 0, 8})});
  for (std::uint64_t rank = 0; rank < 4; rank += 2)
    call(rank, send, 10, 5, {make(MpiSend, {3, world, 0, 8})});

  try {
    expand();
    FAIL() << "it was expanded";
  } catch (const Error& problem) {
    EXPECT_EQ(problem.kind(), ErrorKind::input);
    EXPECT_THAT(problem.what(),
                HasSubstr("rank 1 waits for a message of rank 0 that is never sent"));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "full"));
}

TEST_F(ExpandTest, TheRankIsNamedThatMakesOthersWait) {
  call(0, receive, 10, 5, {make(MpiRecv, {1, world, 0, 8})});
  call(1, receive, 10, 5, {make(MpiRecv, {2, world, 0, 8})});
  call(1, send, 20, 5, {make(MpiSend, {0, world, 0, 8})});
  call(2, send, 10, 5, {make(MpiSend, {3, world, 0, 8})});

  try {
    expand();
    FAIL() << "it was expanded";
  } catch (const Error& problem) {
    EXPECT_THAT(problem.what(),
                HasSubstr("rank 1 waits for a message of rank 2 that is never sent"));
  }
}

TEST_F(ExpandTest, OfACircleOneRankIsNamed) {
  call(0, receive, 10, 5, {make(MpiRecv, {1, world, 0, 8})});
  call(1, receive, 10, 5, {make(MpiRecv, {0, world, 0, 8})});
  call(0, send, 20, 5, {make(MpiSend, {1, world, 0, 8})});
  call(1, send, 20, 5, {make(MpiSend, {0, world, 0, 8})});

  EXPECT_THROW(expand(), Error);
}

TEST_F(ExpandTest, FunctionsThatNoKeptProcessCallsAreDefined) {
  threshold_ = 0;
  constexpr std::uint64_t only_there = 20;
  define(only_there, "only_there", otf2_value::paradigm_compiler);
  builder_.record(2, Enter, times_[2] += 10, {only_there});
  call(2, send, 10, 10, {make(MpiSend, {3, world, 0, 8})});
  builder_.record(2, Leave, times_[2] += 10, {only_there});
  call(3, receive, 50, 10, {make(MpiRecv, {2, world, 0, 8})});

  const auto full = expand();
  ASSERT_EQ(kept_, 1u);
  std::vector<std::string> entered;
  for (const auto& event : read_events(full, 2)) {
    if (event.kind == Enter)
      entered.push_back(full.definitions().text(
          get_field<"name", K::Region>(*full.definitions().find(Ref::region, event.fields[0]))));
    if (event.kind == MpiSend)
      break;
  }
  EXPECT_THAT(entered, ElementsAre("main", "MPI_Init", "only_there", "MPI_Send"));
}

}  // namespace tracefold::expand_test
