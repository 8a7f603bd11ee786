#include "filters/messages/make_skeletons.hpp"

#include "model/plan.hpp"
#include "tests/support/communication_builder.hpp"

#include <gmock/gmock.h>

#include <fmt/format.h>

#include <functional>

namespace tracefold::make_skeletons_test {

using testing::CommunicationBuilder;
using testing::Does;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;
using ::testing::Pair;
using enum EventKind;

constexpr std::uint64_t allreduce = 6;

// All ranks in one group, whose functions are those of the communication.
Plan make_plan(const Communication& communication) {
  Plan plan;
  plan.trace.ticks_per_second = 1000;
  for (const auto& name : communication.names)
    plan.functions.emplace_back().name = name;
  plan.groups.emplace(1);
  for (std::size_t r = 0; r < communication.ranks.size(); ++r) {
    plan.processes.emplace_back().id = r;
    plan.groups->front().members.push_back(r);
  }
  return plan;
}

std::vector<std::string> show(const std::vector<SkeletonLine>& lines) {
  std::vector<std::string> out;
  for (const auto& line : lines)
    out.push_back(fmt::format("{}{}{}{}{}{}", std::string(line.depth, ' '),
                              line.count > 1 ? fmt::format("{} × ", line.count) : "", line.call,
                              line.peer.empty() ? "" : " ", line.peer, line.differs ? " *" : ""));
  return out;
}

std::vector<std::string> show_first(const Communication& communication) {
  const auto skeletons = make_skeletons(make_plan(communication), communication, {});
  return skeletons.empty() ? std::vector<std::string>() : show(skeletons.front().lines);
}

// So many ranks in a ring, each doing what `does` says of its neighbours.
CommunicationBuilder make_ring(
    std::uint64_t ranks,
    const std::function<std::vector<Does>(std::uint64_t left, std::uint64_t right)>& does) {
  CommunicationBuilder made(static_cast<std::uint32_t>(ranks));
  for (std::uint64_t rank = 0; rank < ranks; ++rank)
    made.rank(does((rank + ranks - 1) % ranks, (rank + 1) % ranks));
  return made;
}

TEST(MakeSkeletons, FoldsWhatRepeatsAndNamesPartnersByDistance) {
  const auto ring = make_ring(4, [](auto left, auto right) {
    std::vector<Does> does;
    for (int step = 0; step < 5; ++step) {
      does.push_back({MpiIrecvRequest, left, 100, 0, "MPI_Irecv"});
      does.push_back({MpiSend, right, 100, 0, "MPI_Send"});
      for (int k = 0; k < 2; ++k)
        does.push_back({MpiCollectiveEnd, allreduce, 8, 0, "MPI_Allreduce"});
    }
    does.push_back({MpiCollectiveEnd, 0, 0, 0, "MPI_Barrier"});
    return does;
  });
  EXPECT_THAT(show_first(ring.made()),
              ElementsAre("5 × ", " Irecv -1", " Send +1", " 2 × Allreduce", "Barrier"));
}

// Tags count up in many programs, and nobody reads them.
TEST(MakeSkeletons, DoesNotPartLinesByTags) {
  const auto ring = make_ring(3, [](auto, auto right) {
    std::vector<Does> does;
    for (std::uint64_t step = 0; step < 4; ++step) {
      does.push_back({MpiSend, right, 100, step, "MPI_Send"});
      does.push_back({MpiCollectiveEnd, allreduce, 8, 0, "MPI_Allreduce"});
    }
    return does;
  });
  EXPECT_THAT(show_first(ring.made()), ElementsAre("4 × ", " Send +1", " Allreduce"));
}

TEST(MakeSkeletons, MarksWhatOnlySomeKindsOfIterationsDo) {
  const auto ring = make_ring(3, [](auto left, auto right) {
    std::vector<Does> does;
    const auto add_steps = [&](int steps, bool saves) {
      for (int step = 0; step < steps; ++step) {
        does.push_back({MpiSend, right, 100, 0, "MPI_Send"});
        does.push_back({MpiRecv, left, 100, 0, "MPI_Recv"});
        does.push_back({MpiCollectiveEnd, allreduce, 8, 0, "MPI_Allreduce"});
        if (saves)
          does.push_back({MpiCollectiveEnd, 3, 8, 0, "MPI_Gather"});
      }
    };
    add_steps(6, false);
    does.push_back({MpiCollectiveEnd, 0, 0, 0, "MPI_Barrier"});
    add_steps(3, true);
    return does;
  });
  EXPECT_THAT(show_first(ring.made()),
              ElementsAre("6 × ", " Send +1", " Recv -1", " Allreduce", "Barrier", "3 × ",
                          " Send +1", " Recv -1", " Allreduce", " Gather *"));
}

// What ranks of one group do not have in common.
TEST(MakeSkeletons, NamesPartnersThatAreAtOtherDistances) {
  CommunicationBuilder made(4);
  for (std::uint64_t rank = 0; rank < 4; ++rank)
    made.rank({{MpiSend, rank ^ 1, 10 + rank, 0, "MPI_Send"},
               {MpiSend, 0, 5, 0, "MPI_Ssend"},
               {MpiSend, rank * rank % 4, 5, 0, "MPI_Bsend"}});
  const auto skeletons = make_skeletons(make_plan(made.made()), made.made(), {});
  ASSERT_EQ(skeletons.size(), 1u);
  EXPECT_THAT(show(skeletons[0].lines), ElementsAre("Send ^1", "Ssend rank 0", "Bsend various"));
  EXPECT_THAT(skeletons[0].lines[0].bytes, Optional(Pair(10, 13)));
}

TEST(MakeSkeletons, JoinsSizesWhereTheseMakeManyLines) {
  const auto few = make_ring(3, [](auto, auto right) {
    return std::vector<Does>{{MpiSend, right, 100, 0, "MPI_Send"},
                             {MpiSend, right, 7, 0, "MPI_Send"}};
  });
  EXPECT_THAT(show_first(few.made()), ElementsAre("Send +1", "Send +1"));

  const auto many = make_ring(3, [](auto, auto right) {
    std::vector<Does> does;
    for (std::uint64_t step = 0; step < most_lines_with_sizes + 1; ++step)
      does.push_back({MpiSend, right, step, 0, "MPI_Send"});
    return does;
  });
  const auto skeletons = make_skeletons(make_plan(many.made()), many.made(), {});
  ASSERT_EQ(skeletons.size(), 1u);
  EXPECT_THAT(show(skeletons[0].lines), ElementsAre("61 × Send +1"));
  EXPECT_THAT(skeletons[0].lines[0].bytes, Optional(Pair(0, 60)));
}

// Where order does not part groups.
TEST(MakeSkeletons, ShowsTheFirstOfSeveralOrders) {
  CommunicationBuilder made(3);
  made.rank({{MpiSend, 1, 1, 0, "MPI_Send"}, {MpiRecv, 2, 1, 0, "MPI_Recv"}});
  made.rank({{MpiRecv, 0, 1, 0, "MPI_Recv"}, {MpiSend, 2, 1, 0, "MPI_Send"}});
  made.rank({{MpiSend, 0, 1, 0, "MPI_Send"}, {MpiRecv, 1, 1, 0, "MPI_Recv"}});
  const auto skeletons = make_skeletons(make_plan(made.made()), made.made(), {});
  ASSERT_EQ(skeletons.size(), 1u);
  EXPECT_THAT(show(skeletons[0].lines), ElementsAre("Send +1", "Recv -1"));
  EXPECT_EQ(skeletons[0].ranks, 2u);
  EXPECT_EQ(skeletons[0].others, 1u);
}

// Two calls of 10 ticks in MPI_Send, and three in MPI_Wait, which begin nothing.
TEST(MakeSkeletons, GivesMeansOfCallPathsAndWhatElseWaits) {
  CommunicationBuilder made(1);
  made.rank({{MpiSend, 0, 1, 0, "MPI_Send"}, {MpiSend, 0, 1, 0, "MPI_Send"}});
  auto plan = make_plan(made.made());
  plan.functions.emplace_back().name = "MPI_Wait";

  ProcessProfiles profiles;
  profiles.members = {0};
  profiles.calls.columns.measured = {Metric::execution_time, Metric::mpi_late_sender_time,
                                     Metric::visits};
  profiles.calls.paths = {{no_path, 0}, {0, 1}, {0, 2}};
  profiles.calls.shapes = {{{0, 1, 2}, {no_path, 0, 0}}};
  profiles.calls.processes = {{0, {500, 0, 1, 20, 4, 2, 60, 30, 3}}};

  const auto skeletons = make_skeletons(plan, made.made(), profiles);
  ASSERT_EQ(skeletons.size(), 1u);
  ASSERT_THAT(show(skeletons[0].lines), ElementsAre("2 × Send itself"));
  EXPECT_THAT(skeletons[0].lines[0].seconds, Optional(0.010));
  EXPECT_THAT(skeletons[0].lines[0].waiting_seconds, Optional(0.002));
  ASSERT_THAT(show(skeletons[0].waits), ElementsAre("3 × Wait"));
  EXPECT_EQ(skeletons[0].waits[0].call_path, "main > MPI_Wait");
  EXPECT_THAT(skeletons[0].waits[0].waiting_seconds, Optional(0.010));
}

TEST(MakeSkeletons, HasNothingOfGroupsThatDoNotCommunicate) {
  CommunicationBuilder made(2);
  made.rank({}).rank({});
  EXPECT_THAT(show_first(made.made()), IsEmpty());
}

}  // namespace tracefold::make_skeletons_test
