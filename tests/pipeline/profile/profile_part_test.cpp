// Parts of profiles are the same when they were packed and unpacked between threads and merging.
#include "pipeline/profile/profile_part.hpp"

#include "base/error.hpp"
#include "filters/groups/keep_largest.hpp"
#include "pipeline/facts/merge_call_paths.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace tracefold::profile_part_test {

using ::testing::ElementsAre;

Profile make_profile(std::vector<CallPair> pairs, std::uint64_t time) {
  Profile profile;
  profile.intent.type = 1;
  profile.intent.pairs = std::move(pairs);
  for (auto function : find_called_functions(profile.intent))
    profile.functions.push_back({function, 1, time + function});
  profile.records[static_cast<std::size_t>(EventKind::MpiSend)] = time;
  profile.unknown_records = 1;
  profile.events = 2 * time;
  profile.first_time = time;
  profile.last_time = 100 * time;
  profile.has_messages = time > 2;
  profile.receivers = {static_cast<std::uint32_t>(time), 7};
  return profile;
}

const std::vector<CallPair> main_only{{virtual_root, 0}};
const std::vector<CallPair> main_and_work{{0, 1}, {virtual_root, 0}};

// Processes 3 and 1; 2 and 0.
std::vector<ProfilePart> make_parts() {
  std::vector<ProfilePart> parts(2);
  parts[0].add(3, make_profile(main_only, 4), true);
  parts[0].add(1, make_profile(main_and_work, 2), false);
  parts[1].add(2, make_profile(main_only, 3), true);
  parts[1].add(0, make_profile(main_and_work, 1), true);
  return parts;
}

template <class Part>
std::vector<Part> send(const std::vector<Part>& parts) {
  std::vector<Part> arrived;
  for (const auto& part : parts)
    arrived.push_back(unpack<Part>(pack(part)));
  return arrived;
}

TEST(ProfilePart, BecomesTheProfilesOfAllProcesses) {
  std::vector<Process> processes(4);
  processes[2].id = 20;
  const auto merged = ProfilePart::merge(send(make_parts()), processes);
  const auto& profiles = merged.profiles;
  const auto& totals = merged.totals;
  const auto& receivers = merged.receivers;

  ASSERT_EQ(profiles.intents.size(), 2u);
  EXPECT_EQ(profiles.intents[0].pairs, main_and_work) << "the first process has it";
  EXPECT_EQ(profiles.intents[1].pairs, main_only);
  EXPECT_THAT(profiles.processes[1].exclusive, ElementsAre(2u, 3u));
  EXPECT_EQ(profiles.processes[3].intent, 1u);
  EXPECT_TRUE(processes[1].damaged);
  EXPECT_FALSE(processes[2].damaged);
  EXPECT_TRUE(processes[2].has_messages);
  EXPECT_EQ(processes[3].events, 8u);
  EXPECT_EQ(totals.records[static_cast<std::size_t>(EventKind::MpiSend)], 10u);
  EXPECT_EQ(totals.unknown_records, 4u);
  EXPECT_EQ(totals.events, 20u);
  EXPECT_EQ(totals.run.get(), (TimeSpan{1, 400}));
  ASSERT_EQ(receivers.size(), 4u);
  EXPECT_EQ(receivers[2].location, 20u);
  EXPECT_THAT(receivers[2].ranks, ElementsAre(3u, 7u));
}

// Forty functions, of which each process has spent more time in others.
std::vector<ProfilePart> make_long_parts() {
  std::vector<CallPair> pairs;
  for (FunctionIndex f = 0; f < 40; ++f)
    pairs.push_back({virtual_root, f});
  std::vector<ProfilePart> parts(2);
  for (std::size_t p = 0; p < 4; ++p) {
    auto profile = make_profile(p < 3 ? pairs : main_only, 5);
    for (auto& function : profile.functions)
      function.exclusive = (function.function * 7 + p * 11) % 40 + 1;
    parts[p % 2].add(p, std::move(profile), true);
  }
  return parts;
}

TEST(ProfilePart, KeepsWhatAPlanHoldsWhenTheSumsOfAllAreKnown) {
  std::vector<Process> here(4), there(4);
  auto whole = ProfilePart::merge(make_long_parts(), here).profiles;
  keep_largest(whole);
  ASSERT_EQ(whole.kept.front().size(), profile_functions);
  ASSERT_EQ(whole.processes[0].exclusive.size(), profile_functions);
  ASSERT_GT(whole.processes[0].rest, 0u);

  auto parts = make_long_parts();
  const auto times = add_times(parts[0].sum_times(), parts[1].sum_times());
  for (auto& part : parts)
    part.keep_largest(times);
  EXPECT_LT(pack(parts[0]).size(), pack(make_long_parts()[0]).size());
  const auto kept = ProfilePart::merge(send(parts), there, &times).profiles;
  EXPECT_EQ(kept.kept, whole.kept);
  for (std::size_t p = 0; p < 4; ++p) {
    EXPECT_EQ(kept.processes[p].exclusive, whole.processes[p].exclusive);
    EXPECT_EQ(kept.processes[p].rest, whole.processes[p].rest);
  }
}

TEST(ProfilePart, IsPackedToTheSameBytesAgain) {
  for (const auto& part : make_parts())
    EXPECT_EQ(pack(unpack<ProfilePart>(pack(part))), pack(part));
}

// Both samples of one process show the pair, and one of the other's.
TEST(ProfilePart, SharesWhatSamplesShowWithTheProcessesOfOtherParts) {
  const auto make = [] {
    std::vector<ProfilePart> parts(2);
    for (std::size_t p : {0, 1}) {
      auto profile = make_profile(main_only, 5);
      profile.samples = 1000;
      profile.sampled = {{{0, 1}, 500 + p}};
      profile.functions.push_back({1, 7, 9});
      parts[p].hold(p, std::move(profile), true);
    }
    return parts;
  };

  std::vector<Process> here(2), there(2);
  const auto direct = ProfilePart::merge(make(), here).profiles;
  const auto sent = ProfilePart::merge(send(make()), there).profiles;
  ASSERT_EQ(direct.intents.size(), 1u);
  EXPECT_EQ(direct.intents, sent.intents);
  EXPECT_EQ(direct.intents[0].pairs.size(), 2u);
  for (std::size_t p : {0, 1})
    EXPECT_EQ(direct.processes[p].exclusive, sent.processes[p].exclusive);
}

TEST(ProfilePart, IsAnErrorWhereItIsOfOtherProcesses) {
  std::vector<Process> fewer(3), more(5);
  EXPECT_THROW(ProfilePart::merge({make_parts()[1]}, fewer), Error);
  EXPECT_THROW(ProfilePart::merge(make_parts(), more), Error);
}

TEST(ProfilePart, IsAnErrorWhereItArrivesDamaged) {
  auto bytes = pack(make_parts()[0]);
  bytes[bytes.size() / 4] ^= 1;
  EXPECT_THROW(unpack<ProfilePart>(bytes), Error);
  EXPECT_THROW(unpack<ProfilePart>(std::string_view(bytes).substr(3)), Error);
}

TEST(CallPathPart, IsMergedAsTheOneThatWasPacked) {
  std::vector<CallPathPart> parts(2);
  parts[0].add(1, {1, 2}, {10, 20});
  parts[0].set_tree(std::vector<CallPath>{{}, {0, 5}, {1, 6}});
  parts[1].add(0, {1}, {30}, {40});
  parts[1].set_tree(std::vector<CallPath>{{}, {0, 6}});

  const auto columns = MetricColumns{{Metric::visits}, {}};
  const auto merged = merge_call_paths(send(parts), columns, 2);
  const auto direct = merge_call_paths(std::move(parts), columns, 2);
  EXPECT_EQ(merged.paths, direct.paths);
  EXPECT_EQ(merged.shapes, direct.shapes);
  for (std::size_t p : {0, 1}) {
    EXPECT_EQ(merged.processes[p].shape, direct.processes[p].shape);
    EXPECT_EQ(merged.processes[p].values, direct.processes[p].values);
    EXPECT_EQ(merged.processes[p].outside, direct.processes[p].outside);
  }
  EXPECT_THAT(merged.processes[1].values, ElementsAre(10u, 20u));
}

}  // namespace tracefold::profile_part_test
