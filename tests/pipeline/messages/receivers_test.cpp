#include "pipeline/messages/receivers.hpp"

#include "tests/support/trace_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::receivers_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::make_event;
using ::testing::SizeIs;
using testing::TraceBuilder;
using Receiver = ReceiverSet::Receiver;

namespace {

Event send_to(std::uint64_t rank, std::uint64_t communicator = TraceBuilder::world) {
  return make_event(EventKind::MpiSend, 0, {rank, communicator, 7, 100});
}

// Ranks 0, 1, 2, … of which each sends to what is listed.
std::vector<GridAxis> propose(const std::vector<std::vector<std::uint32_t>>& receivers) {
  TraceBuilder builder;
  builder.add_mpi_processes(receivers.size());
  std::vector<LocationReceivers> all;
  for (std::uint64_t rank = 0; rank < receivers.size(); ++rank)
    all.insert(all.begin(), {rank, receivers[rank]});
  return propose_rank_grid(builder.definitions(), all);
}

}  // namespace

TEST(ReceiverSet, HasEachReceiverOnceInTheOrderInWhichTheyCame) {
  ReceiverSet set;
  for (auto rank : {5u, 1u, 5u, 1u, 65u, 1u})
    set.add(send_to(rank));
  set.add(send_to(1, 3));
  EXPECT_THAT(set.take(),
              ElementsAre(Receiver(0, 5), Receiver(0, 1), Receiver(0, 65), Receiver(3, 1)));
  EXPECT_THAT(set.take(), IsEmpty());
  set.add(send_to(5));
  EXPECT_THAT(set.take(), ElementsAre(Receiver(0, 5))) << "it was forgotten";
}

TEST(ReceiverSet, KeepsTheFirstOnesWhereverALocationIsDivided) {
  const auto most = ReceiverSet::most_receivers;
  ReceiverSet whole, begin, end;
  for (std::uint64_t k = 0; k < 2 * most; ++k) {
    whole.add(send_to(k));
    (k < 100 ? begin : end).add(send_to(k));
    whole.add(send_to(k / 2));
    (k < 100 ? begin : end).add(send_to(k / 2));
  }
  begin.add(end.list());
  const auto expected = whole.take();
  EXPECT_THAT(expected, SizeIs(most));
  EXPECT_EQ(begin.take(), expected);
}

TEST(FindReceivers, TellsOtherRanksOfTheWorld) {
  TraceBuilder builder;
  builder.add_mpi_processes(4).add_comm(1, 102, {3, 2, 0});
  const auto definitions = builder.definitions();
  EXPECT_THAT(find_receivers(definitions, 0, {{1, 0}, {0, 1}, {0, 0}, {1, 9}, {8, 1}}),
              ElementsAre(1, 3));
}

TEST(ProposeRankGrid, FindsAGridAndARing) {
  EXPECT_THAT(propose({{1, 3}, {0, 2, 4}, {1, 5}, {0, 4}, {1, 3, 5}, {2, 4}}),
              ElementsAre(GridAxis{2, false}, GridAxis{3, false}));
  EXPECT_THAT(propose({{1}, {2}, {3}, {4}, {0}}), ElementsAre(GridAxis{5, true}));
}

TEST(ProposeRankGrid, ProposesNoneWhereRanksAreALineOrDoNotSend) {
  EXPECT_THAT(propose({{1}, {2}, {3}, {}}), IsEmpty());
  EXPECT_THAT(propose({{}, {}, {}, {}}), IsEmpty());
  EXPECT_THAT(propose({{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}), IsEmpty());
}

}  // namespace tracefold::receivers_test
