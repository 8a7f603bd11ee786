#include "emitters/summary/headline.hpp"
#include "emitters/summary/summary_formats.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::headline_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

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

TEST(Headline, SaysOfWhoComputesLittleThatItWaits) {
  auto summary = make_summary();
  summary.finding = {Loss::load_balance, 0.36, 0.625, Culprit::idle, {0, 2}};
  summary.finding.value = 0.1;
  summary.finding.others = 1;
  summary.finding.wait = Metric::mpi_late_sender_time;
  summary.finding.wait_call = {"MPI_Recv", "step"};
  summary.finding.lost = 2;
  EXPECT_THAT(
      write_headline(summary),
      ElementsAre("Largest loss: load balance: ranks 0,2 have little to compute: 100 ms each, the "
                  "others 1.00 s on average.",
                  "useful: 60 % of the time in the main loop",
                  "waiting: ranks 0,2 wait 2.00 s together for the others in MPI_Recv, called "
                  "by step (late senders)"));
}

// What the run would gain is told first: who takes longer for what, when, and how much that costs.
TEST(Headline, SaysWhatACauseCosts) {
  auto summary = make_summary();
  summary.gains = {{ProgramGain::Kind::function, {"solve", "step"}, {3}, {}, 0.4, 0.2},
                   {ProgramGain::Kind::files, {"write", "dump"}, {}, {}, 0.2, 0.1}};
  auto& found = summary.finding;
  found = {Loss::load_balance, 0.2, 0.625, Culprit::process, {3}};
  found.cost = 0.4;
  found.is_of_call = true;
  found.value = 2;
  found.others = 1;
  found.call = {"solve", "step"};
  const std::string begin = "Largest loss: load balance: ";
  const auto end = [&] { return "; without that 1.60 s instead of 2.00 s (20 % less)."; };
  EXPECT_THAT(
      write_headline(summary),
      ElementsAre(begin + "rank 3 takes 2.00 s for solve, the others 1.00 s" + end(),
                  "useful: 60 % of the time in the main loop", "where: solve, called by step",
                  "next: if files took no time, it would take 200 ms less (10 %)"));
  found.when = {7, 31, 8};
  EXPECT_EQ(write_headline(summary).front(),
            begin + "rank 3 takes longer than the others for solve in every 8th iteration" + end());
  found.when = {7, 9, 1};
  found.is_alone = true;
  EXPECT_EQ(write_headline(summary).front(),
            begin + "rank 3 alone is in solve in iterations 7-9, 2.00 s" + end());

  found.when = {};
  found.who.clear();
  EXPECT_EQ(write_headline(summary).front(),
            begin + "ranks are between 1.00 s and 2.00 s in solve" + end());
  found.others = 1.9;
  EXPECT_EQ(write_headline(summary).front(),
            begin + "solve is uneven, and the slowest rank changes again and again" + end());
}

TEST(Headline, SaysWhetherWhoTakesLongerHasMoreToDo) {
  auto summary = make_summary();
  auto& found = summary.finding;
  found = {Loss::load_balance, 0.2, 0.625, Culprit::process, {3}};
  found.call = {"solve", "step"};
  const auto because = [&] { return write_headline(summary)[2]; };
  EXPECT_THAT(because(), testing::StartsWith("where: ")) << "nothing is counted";
  found.counted = {1.02, 1.9};
  EXPECT_EQ(because(),
            "because: same instructions, 1.9 times the cycles: not more work, slower work");
  found.counted = {1.9, 1.95};
  EXPECT_EQ(because(), "because: 1.9 times the instructions: more work");
  found.counted = {1.0, 1.1};
  EXPECT_THAT(because(), testing::StartsWith("where: "));
}

TEST(Headline, NamesFilesThatTakeTime) {
  auto summary = make_summary();
  summary.processes.resize(4);
  summary.has_ranks = true;
  constexpr std::uint64_t mib = 1 << 20;
  const auto make_file = [](const char* name, double seconds, std::vector<std::size_t> who) {
    FileTimes file;
    file.name = name;
    file.seconds = seconds;
    file.share = seconds / 10;
    file.count = who.size();
    file.who = std::move(who);
    return file;
  };
  auto big = make_file("out.h5", 1, {0, 2});
  big.written = {8, 0.8, 8 * mib};
  auto both = make_file("state", 1, {0, 2});
  both.written = {1, 0.7, mib};
  both.read = {1, 0.3, std::nullopt};
  auto small = make_file("log", 0.02, {0, 1, 2, 3});
  small.written = {4, 0.02, mib};
  auto rest = make_file("", 0.1, {});
  rest.files = 30;
  rest.written = {30, 0.1, 3 * mib};
  const auto list = [&] {
    auto lines = write_headline(summary);
    std::erase_if(lines, [](const auto& line) { return !line.starts_with("I/O: "); });
    return lines;
  };
  EXPECT_THAT(list(), testing::IsEmpty());
  summary.files = {big, small, rest};
  EXPECT_THAT(
      list(),
      ElementsAre(
          "I/O: 8.0 MiB written to out.h5 by ranks 0,2 of 4 in 400 ms each, 10.0 MiB/s each (8.0 % "
          "of the run)",
          "I/O: 4.0 MiB written to 31 other files in 120 ms together (1.2 % of the run)"));
  summary.files = {both};
  EXPECT_THAT(list(),
              ElementsAre("I/O: 1.0 MiB written to state, which ranks 0,2 of 4 read or write, in "
                          "700 ms together (7.0 % of the run)",
                          "I/O: data read from state, which ranks 0,2 of 4 read or write, in "
                          "300 ms together (3.0 % of the run)"))
      << "who does which is not known";
  summary.files = {small};
  EXPECT_THAT(list(), testing::IsEmpty()) << "it takes too little";
  summary.files->clear();
  summary.time = 10;
  EXPECT_THAT(list(), testing::IsEmpty());
  summary.paradigms[static_cast<std::size_t>(Paradigm::io)].seconds = 1;
  EXPECT_THAT(list(), ElementsAre("I/O: no I/O operations recorded, so files are not known"));
}

TEST(Headline, SaysWhatIterationsAndMessagesCost) {
  auto summary = make_summary();
  auto& found = summary.finding;
  found = {Loss::iterations, 0.2};
  found.cost = 0.4;
  found.when = {7, 31, 8};
  found.iterations = 4;
  found.culprit = Culprit::slow_iteration;
  found.value = 0.02;
  found.usual = 0.01;
  found.call = {"regrid", "step"};
  EXPECT_THAT(write_headline(summary),
              ElementsAre("Largest loss: long iterations: every 8th iteration takes 20.0 ms, most "
                          "others 10.0 ms; without that 1.60 s instead of 2.00 s (20 % less).",
                          "useful: 60 % of the time in the main loop",
                          "where: mostly in regrid, called by step"));

  found = {Loss::transfer, 0.2, 0.625, Culprit::few, {1, 2}};
  found.cost = 0.4;
  found.call = {"MPI_Recv", "step"};
  EXPECT_EQ(
      write_headline(summary).front(),
      "Largest loss: transfer: messages between rank 1 and rank 2, mostly in MPI_Recv; without "
      "that 1.60 s instead of 2.00 s (20 % less).");

  found = {Loss::serialisation, 0.2, 0.625, Culprit::chain, {0, 1, 2, 3}};
  found.cost = 0.4;
  EXPECT_EQ(write_headline(summary).front(),
            "Largest loss: serialisation: ranks work one after the other, each waits for the one "
            "before: 0 → 1 → 2 → 3; without that 1.60 s instead of 2.00 s (20 % less).");
}

TEST(Headline, NamesTheRankThatComputesMost) {
  auto summary = make_summary();
  summary.finding = {Loss::load_balance, 0.36, 0.625, Culprit::process, {3}};
  summary.finding.value = 2;
  summary.finding.others = 1;
  summary.finding.call = {"solve", "step"};
  EXPECT_THAT(write_headline(summary),
              ElementsAre("Largest loss: load balance: rank 3 computes 2.00 s, the others 1.00 s.",
                          "useful: 60 % of the time in the main loop",
                          "where: mostly in solve, called by step"));
  const auto suggest = [](Loss loss) -> std::string {
    return loss == Loss::load_balance ? "this" : "that";
  };
  EXPECT_THAT(to_table({summary}, {.suggest = suggest}), HasSubstr("\ntry: this\n"));
}

// Each sentence is of one part of the run.
TEST(Headline, KeepsTheLoopApartFromWhatIsAroundIt) {
  auto summary = make_summary();
  summary.finding = {Loss::serialisation, 0.3, 0.5};
  summary.finding_is_around = true;
  summary.around.parallel = 0.25;
  summary.loop_share = 0.49;
  summary.waiting = WaitingFinding{};
  summary.waiting->seconds = 2;
  summary.waiting->share_of_time = 0.4;
  summary.waiting->worst = {{"MPI_Recv", "step"}, 1, 0.5, 0.9, Metric::mpi_late_sender_time};
  EXPECT_THAT(
      write_headline(summary),
      ElementsAre(StartsWith("Largest loss: serialisation: "),
                  "useful: 25 % of the time between MPI_Init and MPI_Finalize",
                  "when: more outside of the main loop than in it, which takes 49 % of the time on "
                  "average, and is 60 % useful",
                  "waiting: 40 % of the time of ranks in the main loop, 20 % in MPI_Recv, called "
                  "by step (late senders)"));
  EXPECT_THAT(to_table({summary}, {}), HasSubstr("efficiencies in the main loop\n"));
  const auto finding = nlohmann::json::parse(to_json({summary}, {}))["runs"][0]["finding"];
  EXPECT_EQ(finding["scope"], "mpi");
  EXPECT_EQ(finding["useful"], 0.25);
}

TEST(Headline, SaysWhatIsOfTheWholeRun) {
  auto summary = make_summary();
  summary.waiting = WaitingFinding{};
  summary.waiting->seconds = 2;
  summary.waiting->share_of_time = 0.2;
  summary.waiting->worst = {{"MPI_Recv", "step"}, 1, 0.5, 0.9, Metric::mpi_late_sender_time};
  summary.waiting->late = {2};
  summary.waiting->late_share = 0.8;
  EXPECT_EQ(write_headline(summary)[1],
            "waiting: 20 % of the time of ranks, 10 % in MPI_Recv, called by step (late senders), "
            "mostly for rank 2");
  summary.waiting->late_is_of_run = true;
  EXPECT_THAT(write_headline(summary)[1], HasSubstr(", mostly for rank 2 in the whole run"));
  summary.waiting->late_share = summary.waiting->worst.share = 1;
  const auto of_all = write_headline(summary)[1];
  EXPECT_THAT(of_all, HasSubstr("20 % of the time of ranks, 20 % in MPI_Recv"));
  EXPECT_THAT(of_all, HasSubstr(", all for rank 2 in the whole run"));

  // Two names would need to be told apart.
  summary.finding = {Loss::load_balance, 0.36, 0.625, Culprit::process, {3}};
  EXPECT_THAT(write_headline(summary), Not(Contains(HasSubstr("rank 2"))));
}

TEST(Headline, SaysWhatFollowsForOthers) {
  auto summary = make_summary();
  summary.finding = {Loss::load_balance, 0.36, 0.625, Culprit::process, {3}};
  summary.finding.wait = Metric::mpi_late_sender_time;
  summary.finding.wait_call = {"MPI_Recv", "step"};
  summary.finding.lost = 2;
  summary.finding.lost_is_of_run = true;
  EXPECT_EQ(
      write_headline(summary)[2],
      "waiting: others wait 2.00 s together in the whole run for messages of rank 3 in MPI_Recv, "
      "called by step (late sender)");
  summary.finding.wait = Metric::mpi_wait_at_nxn_time;
  summary.finding.wait_call = {"MPI_Allreduce", ""};
  summary.finding.lost_is_of_run = false;
  EXPECT_EQ(write_headline(summary)[2],
            "waiting: rank 3 reaches MPI_Allreduce last; the others wait 2.00 s together there");
}

// Rank 2 makes others wait 3 s.
Summary make_summary_of_waits() {
  auto summary = make_summary();
  summary.finding = {Loss::serialisation, 0.36, 0.625, Culprit::last, {2}};
  summary.finding.wait = Metric::mpi_wait_at_nxn_time;
  summary.finding.wait_call = {"MPI_Allreduce", "step"};
  summary.finding.lost = 3;
  summary.causes = WaitingReport{};
  summary.causes->processes = {
      {2, "rank 2", 3, 0, {{WaitingCause::Kind::computation, "main", "", 2}}}};
  return summary;
}

TEST(Headline, SaysWhyTheOneThatItNamesIsLate) {
  const auto summary = make_summary_of_waits();
  EXPECT_THAT(
      write_headline(summary),
      ElementsAre("Largest loss: serialisation: rank 2 reaches MPI_Allreduce last; the others wait "
                  "3.00 s together.",
                  "useful: 60 % of the time in the main loop",
                  "because: in the whole run, rank 2 makes others wait 3.00 s, mostly by computing "
                  "in main: 67 %",
                  "where: MPI_Allreduce, called by step"));
}

TEST(Headline, DoesNotExplainMuchByLittle) {
  auto summary = make_summary_of_waits();
  summary.calls = {{.function = "main", .most = 0.0001}};
  EXPECT_THAT(write_headline(summary), Not(Contains(HasSubstr("because"))));
  summary = make_summary_of_waits();
  summary.finding.who = {1};
  EXPECT_THAT(write_headline(summary), Not(Contains(HasSubstr("rank 2"))));
}

TEST(Headline, SaysThatALoopIsUnsure) {
  auto summary = make_summary();
  summary.loops_are_unsure = true;
  EXPECT_THAT(write_headline(summary)[0],
              StartsWith("60 % of the time in what may be the main loop is useful"));
  EXPECT_THAT(describe_size(summary, ": "), HasSubstr("; what may be the main loop: "));
}

TEST(Headline, NamesTheLoopsOfTheRanksOfACoupledProgram) {
  auto summary = make_summary();
  summary.iterations = 10;
  summary.rank_loops = {{{0, 1, 2}, 10}, {{3}, 50}};
  EXPECT_THAT(describe_size(summary, ": "),
              HasSubstr("; two loops of 10 (ranks 0-2) and 50 iterations (rank 3): "));
  EXPECT_EQ(describe_part(summary), "the main loops");

  summary.finding = {Loss::iterations, 0.2};
  summary.finding.culprit = Culprit::slower_iterations;
  summary.finding.loop_ranks = {0, 1, 2};
  EXPECT_THAT(write_headline(summary)[0], HasSubstr("iterations of ranks 0-2 become slower"));

  summary.rank_loops.push_back({{3}, 7});
  EXPECT_THAT(describe_size(summary, ": "), HasSubstr("; 3 loops of 10 (ranks 0-2), 50 (rank 3) "
                                                      "and 7 iterations (rank 3): "));
}

TEST(Headline, DoesNotExplainWaitingInACallByTheSameCall) {
  auto summary = make_summary();
  summary.finding = {Loss::serialisation, 0.36, 0.625, Culprit::receiver, {2, 3}};
  summary.finding.wait = Metric::mpi_late_receiver_time;
  summary.finding.call = summary.finding.wait_call = {"MPI_Waitall", "send"};
  EXPECT_THAT(
      write_headline(summary),
      ElementsAre(
          HasSubstr("ranks 2-3 are late receivers; others wait 0 together until they receive"),
          "useful: 60 % of the time in the main loop", "because: they are in that call themselves",
          "where: MPI_Waitall, called by send"));
}

TEST(Headline, NamesSeveralProcessesWithoutRanks) {
  auto summary = make_summary();
  summary.has_ranks = false;
  for (auto& process : summary.processes) {
    process.rank.reset();
    process.location_group = process.id;
  }
  summary.finding = {Loss::load_balance, 0.36, 0.625, Culprit::few, {1, 3}};
  EXPECT_THAT(write_headline(summary)[0], HasSubstr(": processes 1,3 compute"));
}

TEST(Headline, SaysWhereIterationsBecomeFaster) {
  auto summary = make_summary();
  summary.finding = {Loss::iterations, 0.2};
  summary.finding.culprit = Culprit::faster_iterations;
  summary.finding.value = 0.015;
  summary.finding.usual = 0.01;
  EXPECT_THAT(
      write_headline(summary)[0],
      HasSubstr("long iterations: iterations become faster, from 15.0 ms to 10.0 ms: the slow "
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
  summary.streams = summary.recording_streams = 1;
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
  EXPECT_THAT(
      write_headline(summary),
      ElementsAre(
          "Largest loss: ranks wait for accelerators for 50 % of the time: 500 ms on average "
          "in cudaStreamSynchronize.",
          "because: mostly for kernel dot on CUDA[0:7] of rank 3",
          "where: cudaStreamSynchronize, called by step",
          "accelerator: its stream computes 25 % of the time"));

  summary.finding.kernel = {};
  EXPECT_THAT(write_headline(summary), Not(Contains(HasSubstr("kernel"))));
}

TEST(Headline, NamesTheKernelBehindTheCallThatTakesLonger) {
  auto summary = make_summary_of_streams();
  summary.finding = {Loss::load_balance, 0.36, 0.625, Culprit::process, {3}};
  summary.finding.value = 2;
  summary.finding.others = 1;
  summary.finding.call = {"cudaStreamSynchronize", "step"};
  summary.finding.kernel = {"dot", {4}, 1.5};
  EXPECT_EQ(write_headline(summary)[2],
            "where: mostly in cudaStreamSynchronize, called by step, waiting for kernel dot on "
            "CUDA[0:7] of rank 3");
}

TEST(Headline, SaysHowMuchStreamsCompute) {
  const auto lines = write_headline(make_summary_of_streams());
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[1],
            "accelerator: its stream computes 25 % of the time; ranks wait 2.00 s (50 %) for it in "
            "cudaStreamSynchronize, called by step, most for kernel dot on CUDA[0:7] of rank 3");
}

TEST(Headline, SaysWhatHostsDoWhileAcceleratorsDoNothing) {
  auto summary = make_summary_of_streams();
  summary.devices =
      DeviceUse{{"run", 1, 1000, 400, 200, 15, 50, 0, 410}, {"read_input", "main"}, 0.73};
  auto lines = write_headline(summary);
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[2],
            "idle: the accelerator does nothing for 41 % of the time; in 73 % of that its "
            "host is in read_input, called by main");
  EXPECT_EQ(lines[3],
            "copies: 20 % of the time of the accelerator, 25 % of that while kernels run");

  summary.devices = DeviceUse{{"run", 4, 1000, 970, 19, 500, 0, 0, 19}};
  lines = write_headline(summary);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_EQ(lines[2],
            "communication: 50 % of the time of the 4 accelerators, none of that while "
            "kernels run");
}

TEST(Headline, SaysThatSomeStreamsRecordNothing) {
  auto summary = make_summary_of_streams();
  summary.streams = 9;
  EXPECT_THAT(write_headline(summary)[1],
              HasSubstr("1 of its 9 streams records anything, and computes 25 % of the time;"));
  summary.recording_streams = 2;
  EXPECT_THAT(
      write_headline(summary)[1],
      HasSubstr("2 of its 9 streams record anything, and compute 25 % of the time on average;"));
  summary.recording_streams = 9;
  EXPECT_THAT(write_headline(summary)[1],
              HasSubstr("its 9 streams compute 25 % of the time on average;"));
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
  EXPECT_THAT(write_headline(summary)[0], Not(::testing::ContainsRegex("[\x01-\x1f]")));
}

TEST(SummaryJson, HasNullForWhatIsNotKnown) {
  const auto json = nlohmann::json::parse(to_json({make_summary()}, {true}));
  const auto& run = json["runs"][0];
  EXPECT_TRUE(run["efficiencies"]["serialisation"].is_null());
  EXPECT_TRUE(run["processes"][0]["waiting_s"].is_null());
  EXPECT_EQ(run["efficiencies"]["load_balance"], 0.625);
}

TEST(SummaryCsv, HasARowForEachRunAndAColumnForEachFigure) {
  auto more = make_summary();
  more.trace = "more,\"/traces.otf2";
  more.finding = {Loss::transfer, 0.25};
  const auto csv = to_csv({make_summary(), more}, {});
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 3);
  EXPECT_THAT(csv, StartsWith("trace,scope,ranks,threads,"));
  EXPECT_THAT(csv, HasSubstr(",mpi_point_to_point_s,"));
  EXPECT_THAT(csv, HasSubstr("\r\n\"more,\"\"/traces.otf2\",loop,4,"));
  EXPECT_THAT(csv, HasSubstr(",transfer,0.25,"));
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
