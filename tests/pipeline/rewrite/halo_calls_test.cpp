// Which calls of a location in the halo stay.
#include "pipeline/rewrite/halo_calls.hpp"

#include "model/plan.hpp"
#include "model/profile/time_metric.hpp"
#include "tests/support/context_records.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace tracefold::halo_calls_test {

using enum EventKind;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using K = DefinitionKind;

// Keeps records of sends, and writes down what it gets.
class Sink {
 public:
  explicit Sink(const Definitions& definitions) : definitions_(definitions) {}

  void enter(const CallBegin& call, std::span<const Attribute>) {
    add("enter", call.time, call.region);
  }
  void leave(const CallEnd& call, std::span<const Attribute>) {
    add("leave", call.time, call.region);
  }
  bool keep(Event& event) { return event.kind == MpiSend; }
  void put(Event& event) {
    if (event.kind == CallingContextEnter)
      lines_.push_back(fmt::format("context enter {} {} distance {}", event.time, event.fields[0],
                                   event.fields[1]));
    else
      lines_.push_back(fmt::format("{} {}", get_row(event.kind).name, event.time));
  }

  const std::vector<std::string>& lines() const { return lines_; }

 private:
  void add(const char* what, std::uint64_t time, std::uint64_t region) {
    const auto& found = *definitions_.find(Ref::region, region);
    lines_.push_back(fmt::format("{} {} {}", what, time,
                                 definitions_.text(get_field<"name", K::Region>(found))));
  }

  const Definitions& definitions_;
  std::vector<std::string> lines_;
};

class HaloCallsTest : public testing::ContextRecordsTest {
 protected:
  std::vector<std::string> play_halo() {
    const auto definitions = trace_.definitions();
    const FunctionTable functions(definitions, {});
    std::vector<bool> is_mpi;
    for (const auto metric : find_time_metrics(definitions, functions))
      is_mpi.push_back(is_mpi_time(metric));

    Sink sink(definitions);
    HaloCalls<Sink> calls(functions, is_mpi, sink);
    CleanEvents clean(functions, calls);
    for (auto event : events_) {
      if (event.kind == Enter)
        clean.enter(event.time, event.region(), {});
      else if (event.kind == Leave)
        clean.leave(event.time, event.region(), {});
      else
        clean.other(event);
    }
    clean.finish();
    first_ = calls.first_time();
    last_ = calls.last_time();

    return sink.lines();
  }

  std::uint64_t first_ = 0, last_ = 0;
};

TEST_F(HaloCallsTest, StayWithRecordsThatStay) {
  call(Enter, 1, "main");
  call(Enter, 2, "MPI_Send");
  add(MpiSend, 3, {});
  call(Leave, 4, "MPI_Send");
  call(Enter, 5, "MPI_Recv");
  add(MpiRecv, 6, {});
  call(Leave, 7, "MPI_Recv");
  call(Leave, 8, "main");
  EXPECT_THAT(play_halo(), ElementsAre("enter 2 MPI_Send", "MpiSend 3", "leave 4 MPI_Send"));
  EXPECT_EQ(first_, 2u);
  EXPECT_EQ(last_, 4u);
}

TEST_F(HaloCallsTest, StayWithTheCallsOfMpiAroundThem) {
  call(Enter, 1, "MPI_Sendrecv");
  call(Enter, 2, "callback");
  call(Enter, 3, "MPI_Send");
  add(MpiSend, 4, {});
  call(Leave, 5, "MPI_Send");
  call(Enter, 6, "MPI_Recv");
  call(Leave, 7, "MPI_Recv");
  call(Leave, 8, "callback");
  add(MpiSend, 9, {});
  call(Leave, 10, "MPI_Sendrecv");
  EXPECT_THAT(play_halo(), ElementsAre("enter 1 MPI_Sendrecv", "enter 3 MPI_Send", "MpiSend 4",
                                       "leave 5 MPI_Send", "MpiSend 9", "leave 10 MPI_Sendrecv"));
}

TEST_F(HaloCallsTest, AreNoneWhereNothingStays) {
  call(Enter, 1, "MPI_Recv");
  add(MpiRecv, 2, {});
  call(Leave, 3, "MPI_Recv");
  EXPECT_THAT(play_halo(), IsEmpty());
  EXPECT_EQ(last_, 0u);
}

TEST_F(HaloCallsTest, LeaveARecordOutsideOfCallsOfMpiAsItIs) {
  call(Enter, 1, "main");
  add(MpiSend, 2, {});
  call(Leave, 3, "main");
  EXPECT_THAT(play_halo(), ElementsAre("MpiSend 2"));
}

TEST_F(HaloCallsTest, AreContextsWhereThoseTellCalls) {
  enter(1, "main", 2);
  sample(2, "main > work", 2);
  enter(3, "main > MPI_Send", 2);
  add(MpiSend, 4, {});
  leave(5, "main > MPI_Send");
  enter(6, "main > MPI_Recv", 2);
  leave(7, "main > MPI_Recv");
  leave(8, "main");
  // No record before it tells that main is open.
  EXPECT_THAT(play_halo(),
              ElementsAre(fmt::format("context enter 3 {} distance 3", context("main > MPI_Send")),
                          "MpiSend 4", "CallingContextLeave 5"));
}

}  // namespace tracefold::halo_calls_test
