#include "filters/halo/choose_halo.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace tracefold::choose_halo_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::uint64_t> list_processes(const std::vector<HaloCandidate>& candidates) {
  std::vector<std::uint64_t> processes;
  for (const auto& candidate : candidates)
    processes.push_back(candidate.process);
  return processes;
}

TEST(ChooseHalo, TakesThePartnersWithMostBytesOfEachKeptProcess) {
  const std::vector<PeerTraffic> traffic{
      {0, 5, 1, 100}, {0, 6, 9, 300}, {0, 7, 1, 200}, {1, 8, 1, 10}, {1, 9, 1, 20}};
  EXPECT_THAT(list_processes(choose_candidates(traffic, 2)), ElementsAre(6, 7, 9, 8));
  EXPECT_THAT(list_processes(choose_candidates(traffic, 1)), ElementsAre(6, 9));
  EXPECT_THAT(list_processes(choose_candidates(traffic, HaloOptions::no_limit)),
              ElementsAre(6, 7, 5, 9, 8));
  EXPECT_THAT(choose_candidates({}, 2), IsEmpty());
}

TEST(ChooseHalo, TakesOfEqualPartnersThoseWithMoreMessagesThenWithTheLowerId) {
  const std::vector<PeerTraffic> traffic{{0, 7, 1, 100}, {0, 6, 2, 100}, {0, 5, 1, 100}};
  EXPECT_THAT(list_processes(choose_candidates(traffic, 2)), ElementsAre(6, 5));
}

TEST(ChooseHalo, PutsPartnersOfSeveralKeptProcessesFirst) {
  const std::vector<PeerTraffic> traffic{{0, 5, 1, 100}, {0, 6, 1, 10}, {1, 6, 2, 20}};
  const auto candidates = choose_candidates(traffic, 2);
  ASSERT_THAT(list_processes(candidates), ElementsAre(6, 5));
  EXPECT_THAT(candidates[0].kept, ElementsAre(0, 1));
  EXPECT_EQ(candidates[0].messages, 3u);
  EXPECT_EQ(candidates[0].bytes, 30u);
}

TEST(ChooseHalo, AddsUpWhatAPairExchangesInWhateverOrder) {
  std::vector<PeerTraffic> traffic{{0, 5, 1, 60}, {0, 6, 1, 100}, {0, 5, 1, 60}};
  for (int k = 0; k < 2; ++k) {
    const auto candidates = choose_candidates(traffic, 1);
    ASSERT_THAT(list_processes(candidates), ElementsAre(5));
    EXPECT_EQ(candidates[0].bytes, 120u);
    EXPECT_EQ(candidates[0].messages, 2u);
    std::reverse(traffic.begin(), traffic.end());
  }
}

TEST(ChooseHalo, LeavesOutWhatDoesNotFitAndTakesWhatComesBehind) {
  EXPECT_THAT(take_fitting({2, 3, 1}, 3), ElementsAre(0, 2));
  EXPECT_THAT(take_fitting({2, 3, 1}, 6), ElementsAre(0, 1, 2));
  EXPECT_THAT(take_fitting({2}, 1), IsEmpty());
}

}  // namespace tracefold::choose_halo_test
