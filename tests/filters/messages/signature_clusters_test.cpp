#include "filters/messages/signature_clusters.hpp"

#include "base/error.hpp"
#include "model/plan.hpp"
#include "tests/support/communication_builder.hpp"

#include <gmock/gmock.h>

namespace tracefold::signature_clusters_test {

using testing::CommunicationBuilder;
using testing::Does;
using ::testing::ElementsAre;
using enum EventKind;

std::vector<std::uint32_t> sub_of(const CommunicationBuilder& made, SignatureOptions options = {}) {
  return find_clusters(made.made(), options).sub;
}

// A chain as in IS: the first only sends, the last only receives.
TEST(SignatureClusters, PartsAChainIntoThree) {
  CommunicationBuilder chain(5);
  chain.rank({{MpiSend, 1}});
  for (std::uint64_t rank : {1, 2, 3})
    chain.rank({{MpiRecv, rank - 1}, {MpiSend, rank + 1}});
  chain.rank({{MpiRecv, 3}});

  const auto clusters = find_clusters(chain.made(), {});
  EXPECT_THAT(clusters.main, ElementsAre(0, 1, 1, 1, 2));
  EXPECT_THAT(clusters.sub, ElementsAre(0, 1, 1, 1, 2));
}

// Signed differences would part the ends of a ring.
TEST(SignatureClusters, ComparesPeersModuloP) {
  CommunicationBuilder ring(4);
  for (std::uint64_t rank = 0; rank < 4; ++rank)
    ring.rank({{MpiSend, (rank + 1) % 4}, {MpiRecv, (rank + 3) % 4}});
  EXPECT_THAT(sub_of(ring), ElementsAre(0, 0, 0, 0));
}

TEST(SignatureClusters, DoNotCompareWhatOnlyAccompaniesOperations) {
  CommunicationBuilder windows(3);
  windows.rank({{RmaPut, 1}, {RmaPut, 1}});
  windows.rank({{RmaWinCreate}, {RmaPut, 2}, {RmaOpTest}, {RmaOpTest}, {RmaPut, 2}});
  windows.rank({{RmaPut, 0}, {IoSeek}, {RmaGet, 0}});

  EXPECT_THAT(find_clusters(windows.made(), {}).main, ElementsAre(0, 0, 1));
  EXPECT_THAT(find_main_clusters(windows.made()), ElementsAre(0, 1, 2));
}

TEST(SignatureClusters, PartsByPeersOnlyWhereNoFormulaTellsThem) {
  CommunicationBuilder pairs(4);
  for (std::uint64_t rank = 0; rank < 4; ++rank)
    pairs.rank({{MpiSend, rank ^ 1}});

  EXPECT_THAT(sub_of(pairs), ElementsAre(0, 1, 0, 1));
  EXPECT_THAT(sub_of(pairs, {.peers = ComparePeers::pattern}), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(sub_of(pairs, {.peers = ComparePeers::ignore}), ElementsAre(0, 0, 0, 0));
  EXPECT_THAT(sub_of(pairs, {.level = ClusterLevel::main}), ElementsAre(0, 0, 0, 0));

  CommunicationBuilder odd(5);
  for (std::uint64_t peer : {1, 0, 3, 1, 2})
    odd.rank({{MpiSend, peer}});
  EXPECT_THAT(sub_of(odd, {.peers = ComparePeers::pattern}), ElementsAre(0, 1, 0, 2, 2));
}

TEST(SignatureClusters, ComparesMeanBytesWithTheRunningMeanInTheOrderOfRanks) {
  CommunicationBuilder sizes(5);
  for (std::uint64_t bytes : {100, 104, 108, 107, 95})
    sizes.rank({{MpiSend, sizes.made().ranks.size(), bytes}});

  // 100 and 104 have the mean 102; 108 is too far, 107 is not; 95 is too far from 103.67, and
  // from 108.
  EXPECT_THAT(sub_of(sizes), ElementsAre(0, 0, 1, 0, 2));
  EXPECT_THAT(sub_of(sizes, {.compare_bytes = false}), ElementsAre(0, 0, 0, 0, 0));
}

TEST(SignatureClusters, LeavesTagsAndBytesOfCollectivesOut) {
  CommunicationBuilder made(3);
  made.rank({{MpiSend, 1, 100, 1}, {MpiCollectiveEnd, 4, 10}});
  made.rank({{MpiSend, 2, 100, 2}, {MpiCollectiveEnd, 4, 9999}});
  made.rank({{MpiSend, 0, 100, 3}, {MpiCollectiveEnd, 5, 10}});
  const auto clusters = find_clusters(made.made(), {});
  EXPECT_THAT(clusters.main, ElementsAre(0, 0, 0));
  EXPECT_THAT(clusters.sub, ElementsAre(0, 0, 1)) << "the collective is another one";
}

TEST(SignatureClusters, ComparesCallPaths) {
  CommunicationBuilder made(3);
  made.rank({{MpiSend, 1, 100, 0, "solve"}});
  made.rank({{MpiSend, 2, 100, 0, "solve"}});
  made.rank({{MpiSend, 0, 100, 0, "exchange"}});
  EXPECT_THAT(find_clusters(made.made(), {}).main, ElementsAre(0, 0, 1));
  EXPECT_THAT(find_clusters(made.made(), {}, {"solve", "exchange"}).main, ElementsAre(0, 0, 0));
}

// Two ranks with the same operations, folded in different ways since their partners differ.
TEST(SignatureClusters, ComparesSequencesHoweverTheyAreFolded) {
  CommunicationBuilder made(8);
  made.rank({{MpiSend, 1}, {MpiSend, 1}, {MpiSend, 1}, {MpiSend, 1}});
  made.rank({{MpiSend, 2}, {MpiSend, 3}, {MpiSend, 2}, {MpiSend, 3}});
  made.rank({{MpiSend, 3}, {MpiSend, 3}, {MpiSend, 3}});
  const auto clusters = find_clusters(made.made(), {});
  EXPECT_THAT(clusters.main, ElementsAre(0, 0, 1));
  EXPECT_THAT(clusters.sub, ElementsAre(0, 1, 2));
}

TEST(SignatureClusters, CountsWhereTheOrderIsIgnored) {
  CommunicationBuilder made(4);
  made.rank({{MpiRecv, 1}, {MpiRecv, 2}});
  made.rank({{MpiRecv, 3}, {MpiRecv, 2}});
  made.rank({{MpiRecv, 0}, {MpiRecv, 3}, {MpiRecv, 3}});

  EXPECT_THAT(sub_of(made), ElementsAre(0, 1, 2));
  EXPECT_THAT(sub_of(made, {.keep_order = false}), ElementsAre(0, 0, 1));
  EXPECT_THROW(sub_of(made, {.peers = ComparePeers::pattern, .keep_order = false}), Error);
}

TEST(SignatureClusters, LeavesDamagedRanksAlone) {
  CommunicationBuilder made(3);
  made.rank({{MpiSend, 1}}).rank({{MpiSend, 2}}, true).rank({{MpiSend, 0}});
  EXPECT_THAT(find_clusters(made.made(), {}).main, ElementsAre(0, 1, 0));
  EXPECT_THAT(sub_of(made), ElementsAre(0, 1, 0));
}

}  // namespace tracefold::signature_clusters_test
