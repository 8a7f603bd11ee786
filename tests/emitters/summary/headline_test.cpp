#include "emitters/summary/headline.hpp"
#include "emitters/summary/summary_formats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <string>

namespace tracefold::headline_test {

using ::testing::HasSubstr;

TEST(NameRun, TellsRunsApart) {
  EXPECT_EQ(name_run("runs/a/traces.otf2"), "a");
  EXPECT_EQ(name_run("/runs/b/../c/traces.otf2"), "c");
  EXPECT_EQ(name_run("/runs/d/traces/traces.otf2"), "d");
  EXPECT_EQ(name_run("runs/e.tar.zst"), "e");
  EXPECT_EQ(name_run("/traces.otf2"), "/traces.otf2");
}

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

TEST(Headline, SaysWhereIterationsBecomeFaster) {
  auto summary = make_summary();
  summary.finding = {Loss::iterations, 0.2};
  summary.finding.culprit = Culprit::faster_iterations;
  summary.finding.value = 0.015;
  summary.finding.usual = 0.01;
  EXPECT_THAT(write_headline(summary)[0],
              HasSubstr("largest loss: iterations become faster, from 15.0 ms to 10.0 ms: the slow "
                        "start costs 20 %."));
  summary.finding.change_at = 10;
  EXPECT_THAT(write_headline(summary)[0], HasSubstr("become faster at iteration 10, from"));
}

Summary make_summary_of_streams() {
  auto summary = make_summary();
  Process stream;
  stream.id = 77;
  stream.name = "CUDA[0:7]";
  stream.rank = 3;
  stream.thread = 1;
  summary.processes.push_back(stream);
  summary.streams = 1;
  summary.efficiencies.accelerator = 0.25;
  summary.accelerator_waiting =
      AcceleratorWaiting{{"cudaStreamSynchronize", "step"}, 2, 0.5, {"dot", {4}, 1.5}};
  return summary;
}

TEST(Headline, NamesTheKernelThatIsWaitedFor) {
  auto summary = make_summary_of_streams();
  summary.finding = {Loss::accelerator, 0.5};
  summary.finding.culprit = Culprit::waits_for_accelerator;
  summary.finding.call = {"cudaStreamSynchronize", "step"};
  summary.finding.value = 2;
  summary.finding.kernel = {"dot", {4}, 1.5};
  EXPECT_EQ(
      write_headline(summary)[0],
      "60 % of the time in the main loop is useful or waiting for accelerators; largest "
      "loss: accelerator: ranks wait 2.00 s (50 %) for it in cudaStreamSynchronize, called by "
      "step; most, 1.50 s, for kernel dot on CUDA[0:7] of rank 3; its stream computes 25 % "
      "of the time.");
  EXPECT_EQ(write_headline(summary).size(), 1u);

  summary.finding.kernel = {};
  EXPECT_THAT(write_headline(summary)[0], ::testing::Not(HasSubstr("kernel")));
}

TEST(Headline, NamesTheKernelBehindTheCallThatTakesLonger) {
  auto summary = make_summary_of_streams();
  summary.finding = {Loss::load_balance, 0.36, 0.625, Culprit::process, {3}};
  summary.finding.value = 2;
  summary.finding.others = 1;
  summary.finding.call = {"cudaStreamSynchronize", "step"};
  summary.finding.kernel = {"dot", {4}, 1.5};
  EXPECT_THAT(write_headline(summary)[0],
              HasSubstr("is in cudaStreamSynchronize, called by step, waiting for kernel dot on "
                        "CUDA[0:7] of rank 3."));
}

TEST(Headline, SaysHowMuchStreamsCompute) {
  const auto lines = write_headline(make_summary_of_streams());
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1],
            "Accelerator: its stream computes 25 % of the time; ranks wait 2.00 s (50 %) for it in "
            "cudaStreamSynchronize, called by step, most for kernel dot on CUDA[0:7] of rank 3.");
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
