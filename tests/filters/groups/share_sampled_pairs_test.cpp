#include "filters/groups/share_sampled_pairs.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>
#include <vector>

namespace tracefold::share_sampled_pairs_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// A process whose samples show calls of functions 0, 1, 2, … by the root, so often.
Profile make_profile(const std::vector<std::uint64_t>& samples,
                     std::vector<CallPair> instrumented = {}) {
  Profile profile;
  profile.intent.pairs = std::move(instrumented);
  for (FunctionIndex function = 0; function < samples.size(); ++function) {
    if (samples[function] == 0)
      continue;
    profile.sampled.push_back({{virtual_root, function}, samples[function]});
    profile.functions.push_back({function, samples[function], 10 * samples[function]});
    profile.samples += samples[function];
  }

  return profile;
}

std::size_t count_intents(std::vector<Profile>& profiles) {
  std::vector<Profile*> all;
  for (auto& profile : profiles)
    all.push_back(&profile);
  share_sampled_pairs(all);

  std::vector<Intent> intents;
  for (const auto& profile : profiles)
    intents.push_back(profile.intent);
  std::sort(intents.begin(), intents.end());
  intents.erase(std::unique(intents.begin(), intents.end()), intents.end());

  return intents.size();
}

TEST(ShareSampledPairs, ChancePartsNothing) {
  std::mt19937 random(3);
  std::discrete_distribution<std::size_t> function(
      {500, 300, 100, 50, 20, 10, 5, 5, 3, 2, 2, 1, 1, 1});
  std::vector<Profile> profiles;
  for (int process = 0; process < 200; ++process) {
    std::vector<std::uint64_t> samples(14);
    for (int k = 0; k < 50 + 10 * process; ++k)
      ++samples[function(random)];
    profiles.push_back(make_profile(samples));
  }

  EXPECT_EQ(count_intents(profiles), 1u);
  EXPECT_EQ(profiles.front().intent.pairs.size(), 14u);
  EXPECT_EQ(profiles.front().functions.size(), 14u);
}

TEST(ShareSampledPairs, OtherWorkIsToldApart) {
  std::vector<Profile> profiles{make_profile({600, 300, 100}), make_profile({610, 290, 99, 1}),
                                make_profile({600, 0, 0, 0, 400}),
                                make_profile({590, 0, 1, 0, 410})};
  EXPECT_EQ(count_intents(profiles), 2u);
  EXPECT_EQ(profiles[0].intent, profiles[1].intent);
  EXPECT_EQ(profiles[2].intent, profiles[3].intent);
  EXPECT_THAT(profiles[0].intent.pairs,
              ElementsAre(CallPair{virtual_root, 0}, CallPair{virtual_root, 1},
                          CallPair{virtual_root, 2}, CallPair{virtual_root, 3}));
}

TEST(ShareSampledPairs, OfAsManySamplesTwentyFourAreEvidence) {
  // 2^-23 is above 1e-7, 2^-24 below.
  std::vector<Profile> chance{make_profile({100}), make_profile({77, 23})};
  EXPECT_EQ(count_intents(chance), 1u);
  std::vector<Profile> evidence{make_profile({100}), make_profile({76, 24})};
  EXPECT_EQ(count_intents(evidence), 2u);
}

TEST(ShareSampledPairs, InstrumentedCallsHaveToBeEqual) {
  const std::vector<CallPair> sends{{virtual_root, 8}}, receives{{virtual_root, 9}};
  std::vector<Profile> profiles{make_profile({500, 10}, sends), make_profile({500}, sends),
                                make_profile({500, 10}, receives)};
  EXPECT_EQ(count_intents(profiles), 2u);
  EXPECT_EQ(profiles[0].intent, profiles[1].intent);
}

TEST(ShareSampledPairs, KeepsTheTimesOfFunctions) {
  std::vector<Profile> profiles{make_profile({5, 0, 5}), make_profile({5, 5})};
  count_intents(profiles);
  ASSERT_EQ(profiles[0].functions.size(), 3u);
  EXPECT_EQ(profiles[0].functions[0].exclusive, 50u);
  EXPECT_EQ(profiles[0].functions[1].exclusive, 0u);
  EXPECT_EQ(profiles[0].functions[2].exclusive, 50u);
}

TEST(ShareSampledPairs, TellsApartWhatWasNotSampledAtAll) {
  const std::vector<CallPair> thread{{virtual_root, 8}};
  std::vector<Profile> profiles{make_profile({500, 10}, thread), make_profile({}, thread)};
  EXPECT_EQ(count_intents(profiles), 2u) << "a processor that the thread ran on";
  EXPECT_EQ(profiles[1].intent.pairs, thread);

  std::vector<Profile> few{make_profile({20, 3}, thread), make_profile({}, thread)};
  EXPECT_EQ(count_intents(few), 1u);
  EXPECT_EQ(few[1].functions.size(), 3u);

  std::vector<Profile> idle(30, make_profile({1}, thread));
  idle.push_back(make_profile({}, thread));
  EXPECT_EQ(count_intents(idle), 1u) << "nobody has many";
}

TEST(ShareSampledPairs, ProcessesThatWereNeverSampledStayAsTheyAre) {
  std::vector<Profile> profiles{make_profile({500}), make_profile({})};
  EXPECT_EQ(count_intents(profiles), 2u);
  EXPECT_THAT(profiles[1].intent.pairs, IsEmpty());
}

}  // namespace tracefold::share_sampled_pairs_test
