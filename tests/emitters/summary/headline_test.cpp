#include "emitters/summary/headline.hpp"
#include "emitters/summary/summary_formats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace tracefold::headline_test {

using ::testing::HasSubstr;

Summary make_summary() {
  Summary summary;
  summary.trace = "/runs/app/traces.otf2";
  summary.part = RunPart::loop;
  summary.loops = 1;
  summary.has_mpi = summary.has_ranks = true;
  for (std::uint64_t rank = 0; rank < 4; ++rank) {
    Process process;
    process.id = rank;
    process.rank = rank;
    summary.processes.push_back(process);
    RankTimes times;
    times.master = rank;
    times.threads = {static_cast<std::size_t>(rank)};
    times.useful = rank == 3 ? 2.0 : 1.0;
    times.computation = {times.useful};
    summary.ranks.push_back(times);
  }
  summary.efficiencies.parallel = 0.6;
  summary.efficiencies.load_balance = 0.625;
  summary.efficiencies.communication = 0.96;
  return summary;
}

TEST(Headline, NamesTheRankThatComputesMost) {
  auto summary = make_summary();
  summary.finding = {Loss::load_balance, 0.36, 0.625, Culprit::process, {3}};
  summary.finding.value = 2;
  summary.finding.others = 1;
  summary.finding.call = {"solve", "step"};
  EXPECT_EQ(write_headline(summary)[0],
            "60 % of the time in the main loop is useful; largest loss: load balance (62 %): rank "
            "3 computes 2.00 s, the others 1.00 s; most of the difference is in solve, called by "
            "step.");
}

TEST(Headline, SaysThatNothingIsLost) {
  EXPECT_EQ(write_headline(make_summary())[0],
            "60 % of the time in the main loop is useful; no loss is 2 % or more.");
}

TEST(Headline, DoesNotClaimWhatIsNotKnown) {
  auto summary = make_summary();
  summary.efficiencies = {};
  summary.has_mpi = false;
  EXPECT_THAT(write_headline(summary)[0], HasSubstr("is not known"));
}

TEST(Headline, KeepsControlCharactersOfNamesOut) {
  auto summary = make_summary();
  summary.finding = {Loss::load_balance, 0.36, 0.625, Culprit::node, {2, 3}};
  summary.finding.node = "node\x1b[31m";
  summary.finding.call = {"so\nlve", "\x1b]0;"};
  EXPECT_THAT(write_headline(summary)[0], ::testing::Not(::testing::ContainsRegex("[\x01-\x1f]")));
}

TEST(SummaryJson, HasNullForWhatIsNotKnown) {
  const auto json = nlohmann::json::parse(to_json({make_summary()}, {true}));
  const auto& run = json["runs"][0];
  EXPECT_TRUE(run["efficiencies"]["serialisation"].is_null());
  EXPECT_TRUE(run["processes"][0]["waiting_s"].is_null());
  EXPECT_EQ(run["efficiencies"]["load_balance"], 0.625);
}

TEST(SummaryTable, HasRunsBesideEachOther) {
  auto more = make_summary();
  for (auto& rank : more.ranks)
    rank.computation[0] *= 2;
  const auto table = to_table({make_summary(), more}, {});
  EXPECT_THAT(table, ::testing::ContainsRegex("computation scaling +1.000 +0.500"));
  EXPECT_THAT(table, ::testing::ContainsRegex("serialisation +not known +not known"));
}

}  // namespace tracefold::headline_test
