// Programs of whose functions calls of MPI are not known, and operations outside of all calls: what
// is expanded of them has the original's order.
#include "tests/support/expand_fixture.hpp"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace tracefold::expand_functions_test {

using ::testing::ElementsAre;
using enum EventKind;
using testing::ExpandTest;
using testing::read_events;

// Functions of the program with what they do themselves: the calls of MPI in them are not known.
class ExpandFunctionsTest : public ExpandTest {
 protected:
  static constexpr std::uint64_t exchange = 20, compute = 21;

  explicit ExpandFunctionsTest(bool has_main = true) : ExpandTest(4, false, has_main) {
    define(exchange, "exchange", otf2_value::paradigm_compiler);
    define(compute, "compute", otf2_value::paradigm_compiler);
  }

  void record(std::uint64_t rank, std::uint64_t gap, EventKind kind,
              std::initializer_list<std::uint64_t> fields) {
    auto event = make(kind, fields);
    event.time = times_[rank] += gap;
    builder_.record(rank, event);
  }
  void reduce_all(std::uint64_t rank) {
    record(rank, 3, MpiCollectiveBegin, {});
    record(rank, 3, MpiCollectiveEnd,
           {otf2_value::collective_allreduce, world, otf2_value::root_none, 8, 8});
  }
};

TEST_F(ExpandFunctionsTest, OperationsKeepTheirOrderAndTheFunctionsThatTheyAreIn) {
  for (std::uint64_t rank = 0; rank < ranks_; ++rank) {
    reduce_all(rank);
    for (int step = 0; step < 2; ++step) {
      record(rank, 3, Enter, {exchange});
      for (std::uint64_t tag : {5, 6}) {
        record(rank, 3, MpiSend, {(rank + 1) % ranks_, world, tag, 64});
        record(rank, 3, MpiRecv, {(rank + ranks_ - 1) % ranks_, world, tag, 64});
      }
      record(rank, 3, Enter, {compute});
      record(rank, 30, Leave, {compute});
      record(rank, 3, Leave, {exchange});
      reduce_all(rank);
    }
  }

  const auto full = expand();
  ASSERT_EQ(kept_, 1u);
  expect_the_original_order(full);
  // The four operations of exchange, which has 18 ticks of its own, come each 3.6 ticks.
  EXPECT_THAT(list_times(full, 0, Enter), ElementsAre(0, 0, 19, 34, 76, 91));
  EXPECT_THAT(list_times(full, 0, MpiSend), ElementsAre(22, 29, 79, 86));
}

TEST_F(ExpandFunctionsTest, RequestsAreCompletedWhereTheFunctionEnds) {
  for (std::uint64_t rank = 0; rank < ranks_; ++rank) {
    record(rank, 3, Enter, {exchange});
    record(rank, 3, MpiIrecvRequest, {7});
    record(rank, 3, MpiIsend, {(rank + 1) % ranks_, world, 0, 64, 8});
    record(rank, 3, MpiIrecv, {(rank + ranks_ - 1) % ranks_, world, 0, 64, 7});
    record(rank, 3, MpiIsendComplete, {8});
    record(rank, 3, Leave, {exchange});
    record(rank, 300, Enter, {compute});
    record(rank, 3, Leave, {compute});
  }

  expect_the_original_order(expand());
}

TEST_F(ExpandFunctionsTest, OperationsOfTwoCallsAreNotInOne) {
  for (std::uint64_t rank = 0; rank < ranks_; ++rank)
    for (auto kind : {MpiSend, MpiRecv}) {
      const auto peer = kind == MpiSend ? (rank + 1) % ranks_ : (rank + ranks_ - 1) % ranks_;
      record(rank, 3, Enter, {exchange});
      record(rank, 3, kind, {peer, world, 5, 64});
      call(rank, wait, 10, 10, {});
      record(rank, 300, Leave, {exchange});
    }

  expect_the_original_order(expand());
}

// What the kept process does in one call, rank 2 does in two.
TEST_F(ExpandFunctionsTest, WhatBeginsACallIsInANewOneWhereTheOpenOneHasOperations) {
  threshold_ = 0;
  for (std::uint64_t rank = 0; rank < ranks_; ++rank) {
    const auto next = (rank + 1) % ranks_, before = (rank + ranks_ - 1) % ranks_;
    record(rank, 3, Enter, {exchange});
    reduce_all(rank);
    if (rank == 2) {
      record(rank, 3, Leave, {exchange});
      record(rank, 3, Enter, {exchange});
      record(rank, 3, MpiSend, {next, world, 0, 64});
    } else {
      call(rank, send, 3, 3, {make(MpiSend, {next, world, 0, 64})});
    }
    call(rank, receive, 3, 50, {make(MpiRecv, {before, world, 0, 64})});
    reduce_all(rank);
    record(rank, 3, Leave, {exchange});
  }

  const auto full = expand();
  ASSERT_EQ(kept_, 1u);
  std::vector<std::string> seen;
  for (const auto& event : read_events(full, 2)) {
    if (event.kind == Enter)
      seen.push_back(full.definitions().text(
          get_field<"name", K::Region>(*full.definitions().find(Ref::region, event.fields[0]))));
    if (event.kind == MpiSend || event.kind == MpiCollectiveEnd)
      seen.push_back("operation");
  }
  EXPECT_THAT(seen, ElementsAre("main", "MPI_Init", "exchange", "operation", "MPI_Send", "exchange",
                                "operation", "MPI_Recv", "operation"));
}

// Functions that nothing calls, and operations outside of all of them.
class ExpandOutsideTest : public ExpandFunctionsTest {
 protected:
  ExpandOutsideTest() : ExpandFunctionsTest(false) {}
};

TEST_F(ExpandOutsideTest, OperationsOutsideOfAllCallsStayThere) {
  for (std::uint64_t rank = 0; rank < ranks_; ++rank) {
    reduce_all(rank);
    for (int step = 0; step < 2; ++step) {
      record(rank, 3, Enter, {exchange});
      call(rank, send, 3, 3, {make(MpiSend, {(rank + 1) % ranks_, world, 0, 64})});
      call(rank, receive, 3, 50, {make(MpiRecv, {(rank + ranks_ - 1) % ranks_, world, 0, 64})});
      record(rank, 3, Leave, {exchange});
      reduce_all(rank);
    }
  }

  expect_the_original_order(expand());
}

TEST_F(ExpandOutsideTest, TheLastOperationIsNotLostBehindAFunctionThatCallsOthers) {
  for (std::uint64_t rank = 0; rank < ranks_; ++rank) {
    record(rank, 3, Enter, {exchange});
    record(rank, 3, MpiSend, {(rank + 1) % ranks_, world, 0, 64});
    record(rank, 3, Enter, {compute});
    record(rank, 30, Leave, {compute});
    record(rank, 3, MpiRecv, {(rank + ranks_ - 1) % ranks_, world, 0, 64});
    record(rank, 3, Leave, {exchange});
    reduce_all(rank);
  }

  const auto full = expand();
  for (std::uint64_t rank = 0; rank < ranks_; ++rank)
    EXPECT_EQ(list_times(full, rank, MpiCollectiveEnd).size(), 1u) << "rank " << rank;
}

TEST_F(ExpandOutsideTest, OperationsBetweenFunctionsWithoutOperationsAreSpreadEvenly) {
  for (std::uint64_t rank = 0; rank < ranks_; ++rank) {
    reduce_all(rank);
    for (int step = 0; step < 3; ++step) {
      record(rank, 3, Enter, {compute});
      record(rank, 30, Leave, {compute});
      reduce_all(rank);
    }
  }

  expect_the_original_order(expand());
}

// The second function begins with an operation of its own, the first one does not.
TEST_F(ExpandOutsideTest, WhatBeginsACallIsNotInOneThatHasOperationsInCallsInsideOfIt) {
  for (std::uint64_t rank = 0; rank < ranks_; ++rank)
    for (int step = 0; step < 2; ++step) {
      record(rank, 3, Enter, {exchange});
      if (step == 1)
        record(rank, 3, MpiSend, {(rank + 1) % ranks_, world, 0, 64});
      call(rank, send, 3, 3, {make(MpiSend, {(rank + 1) % ranks_, world, 0, 64})});
      record(rank, 3, Leave, {exchange});
    }

  expect_the_original_order(expand());
}

TEST_F(ExpandOutsideTest, WhatComesBehindAnOperationOutsideOfAllCallsIsInAnotherCall) {
  for (std::uint64_t rank = 0; rank < ranks_; ++rank)
    for (int step = 0; step < 2; ++step) {
      record(rank, 3, Enter, {exchange});
      if (step == 1)
        record(rank, 3, MpiSend, {(rank + 1) % ranks_, world, 0, 64});
      call(rank, send, 3, 3, {make(MpiSend, {(rank + 1) % ranks_, world, 0, 64})});
      call(rank, receive, 3, 50, {make(MpiRecv, {(rank + ranks_ - 1) % ranks_, world, 0, 64})});
      if (step == 1)
        record(rank, 3, MpiRecv, {(rank + ranks_ - 1) % ranks_, world, 0, 64});
      record(rank, 3, Leave, {exchange});
      if (step == 0)
        reduce_all(rank);
    }

  expect_the_original_order(expand());
}

// Ranks 2 and 3 follow a process that does not call the function in which they begin.
TEST_F(ExpandOutsideTest, OperationsOutsideOfAllCallsStayThereBehindThoseWithCallsOfTheirOwn) {
  threshold_ = 0;
  for (std::uint64_t rank = 0; rank < ranks_; ++rank) {
    if (rank >= 2) {
      record(rank, 3, Enter, {compute});
      if (rank == 2)
        call(rank, send, 3, 3, {make(MpiSend, {3, world, 0, 64})});
      else
        call(rank, receive, 3, 50, {make(MpiRecv, {2, world, 0, 64})});
      record(rank, 3, Leave, {compute});
    }
    reduce_all(rank);
    record(rank, 3, Enter, {exchange});
    call(rank, send, 3, 3, {make(MpiSend, {(rank + 1) % ranks_, world, 0, 64})});
    call(rank, receive, 3, 50, {make(MpiRecv, {(rank + ranks_ - 1) % ranks_, world, 0, 64})});
    record(rank, 3, Leave, {exchange});
  }

  expect_the_original_order(expand());
  EXPECT_EQ(kept_, 1u);
}

}  // namespace tracefold::expand_functions_test
