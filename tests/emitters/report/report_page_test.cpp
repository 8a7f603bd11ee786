#include "emitters/report/report_page.hpp"

#include "emitters/report/page_sections.hpp"
#include "emitters/report/rank_chart.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace tracefold::report_page_test {

using ::testing::HasSubstr;
using ::testing::Not;

namespace {

Report make_report() {
  Report report;
  report.name = "app";
  auto& run = report.runs.emplace_back();
  run.trace = "/secret/place/app/traces.otf2";
  run.has_mpi = run.has_ranks = true;
  run.runtime = 10;
  for (std::uint64_t rank = 0; rank < 2; ++rank) {
    Process process;
    process.id = rank;
    process.rank = rank;
    run.processes.push_back(process);
    RankTimes times;
    times.master = rank;
    times.threads = {static_cast<std::size_t>(rank)};
    times.computation = {1};
    run.ranks.push_back(times);
    report.order.push_back(static_cast<std::uint32_t>(rank));
    report.group_of.push_back(static_cast<std::uint32_t>(rank));
  }
  run.efficiencies.parallel = 0.7;
  run.efficiencies.load_balance = 0.9;
  run.efficiencies.communication = 0.5;
  report.groups = {{"first", {0}, {0}}, {"second", {1}, {1}}};
  return report;
}

std::string write_page(const Report& report) {
  return write_report_page(report, {"draw();", "body { margin: 0 }", "licence <of> all"});
}

TEST(ReportPage, HasAllSectionsInOrder) {
  const auto page = write_page(make_report());
  std::size_t at = 0;
  for (const char* id :
       {"headline", "overview", "timeline", "groups", "waits", "iterations", "functions", "calls",
        "communication", "structure", "fold", "report-data", "report-columns"}) {
    const auto found = page.find(std::string("id=\"") + id + "\"");
    ASSERT_NE(found, std::string::npos) << id;
    EXPECT_GT(found, at) << id;
    at = found;
  }
  EXPECT_THAT(page, Not(HasSubstr("id=\"changes\"")));
}

// printf 'draw();' | openssl dgst -sha256 -binary | base64, and the same of the style.
TEST(ReportPage, AllowsItsOwnScriptAndStyleAlone) {
  const auto page = write_page(make_report());
  EXPECT_THAT(page,
              HasSubstr("content=\"default-src 'none'; script-src "
                        "'sha256-Nrzt+Ak9TKllQ0f6KxPbgRgME4RTzfjVUaOmcylYOV8='; style-src "
                        "'sha256-mX+s7KJgWpgxJola85xdpAFPBQaV091gzM2oPjgTW2w='; img-src data:;"));
}

TEST(ReportPage, DoesNotTellWhereTheTraceLies) {
  EXPECT_THAT(write_page(make_report()), Not(HasSubstr("secret")));
}

TEST(ReportPage, ShowsHostileNamesAsText) {
  auto report = make_report();
  const std::string hostile = "<script>evil()</script>\u202e\x1b";
  report.name = hostile;
  report.groups[0].name = hostile;
  report.functions.push_back({hostile, Paradigm::computation, 1, 2, {{}, {}}});
  // Scripts show the names that stand in their data as they are.
  report.loops.push_back({hostile, 0, 3, {}, {}, {PooledMap{}}});
  report.matrix.emplace().names = {hostile, hostile};
  report.matrix->metrics = {{"messages", "messages", "", {0, 0, 0, 0}}};
  report.poset.emplace().nodes.emplace_back().label = hostile;
  report.poset->nodes[0].title = hostile + "\n" + hostile;
  report.runs[0].processes[0].rank.reset();  // then processes have names
  report.runs[0].processes[0].name = hostile;
  const auto page = write_page(report);
  EXPECT_THAT(page, Not(HasSubstr("<script>evil")));
  EXPECT_THAT(page, Not(HasSubstr("\u202e")));
  EXPECT_THAT(page, Not(HasSubstr("\x1b")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;evil()&lt;/script&gt;⟨U+202E⟩␛"));
}

TEST(ReportPage, DoesNotEndALineInsideOfANumber) {
  auto report = make_report();
  report.changes.emplace().headline = "B takes 452.20 ms longer";
  EXPECT_THAT(write_page(report), HasSubstr("B takes 452.20\u00a0ms longer"));
}

// Browsers go to the element of that id; '+' and '&' are not decoded for it.
TEST(ReportPage, HasWhatTheHeadlineLeadsToWithoutScripts) {
  auto report = make_report();
  report.runs[0].finding.loss = Loss::load_balance;
  report.runs[0].finding.who = {1};
  report.loops.push_back({"main", 0, 3, {}, {}, {PooledMap{}}});
  report.loops[0].finding_metric = report.loops[0].maps[0].metric = map_computation;
  const auto fragment = choose_finding_view(report).substr(1);
  ASSERT_EQ(fragment.find("view=iterations&"), 0u);
  std::string id;
  for (const char c : fragment)
    id += c == '&' ? std::string("&amp;") : std::string(1, c);
  EXPECT_THAT(write_page(report), HasSubstr("data-view=\"iterations\" id=\"" + id + "\""));
}

TEST(Groups, CutListsBehindAnItemAndHaveAllOfThemInATitle) {
  auto report = make_report();
  auto& parts = report.groups[0].reason.fewest;
  for (int k = 0; k < 4; ++k)
    parts.push_back({"calls", std::string(60, static_cast<char>('a' + k)), false, {}, {}, {}});
  const auto groups = write_groups_section(report);
  const auto at = groups.find("title=\"");
  ASSERT_NE(at, std::string::npos);
  EXPECT_THAT(groups.substr(at), HasSubstr(std::string(60, 'd') + "\">"));
  EXPECT_THAT(groups.substr(at), HasSubstr(std::string(60, 'c') + ",<wbr> …</span>"));
  EXPECT_THAT(groups, HasSubstr("<span class=\"list short\">0</span>"));
}

// Two ranks in clusters of their own; rank 1 stands before rank 0 on the grid.
Report make_clustered_report() {
  auto report = make_report();
  Plan plan;
  plan.processes = report.runs[0].processes;
  plan.groups = {{{0}, {0}, {}}, {{1}, {0}, {}}};
  (*plan.groups)[0].clusters = SignatureClusters{0, 0, "0"};
  (*plan.groups)[1].clusters = SignatureClusters{0, 1, "1"};
  (*plan.groups)[1].name = "</pre><script>";
  report.clusters = {std::make_shared<Plan>(std::move(plan)),
                     {{1,
                       1,
                       0,
                       {{.depth = 0, .count = 3},
                        {1, 1, "Send", "-1", "main > MPI_Send", {{8, 8}}, 1e-6, 0, true}},
                       {}}}};
  report.grid = ReportGrid{{2}, {1, 0}};
  return report;
}

TEST(Groups, SayWhatRanksThatCommunicateAlikeCommunicate) {
  const auto groups = write_groups_section(make_clustered_report());
  EXPECT_THAT(groups, HasSubstr("<details class=\"skeleton\" open><summary>group 1: "
                                "&lt;/pre&gt;&lt;script&gt; (1 process: 1)</summary><pre>program"));
  EXPECT_THAT(groups, HasSubstr("\n3 ×\n  Send -1 *  8 bytes  1.00 us  0 s      main\n</pre>"));
  EXPECT_THAT(groups, HasSubstr("*: the loops beside it"));
  EXPECT_THAT(groups, HasSubstr("data-view=\"grid\""));
  const auto unknown = write_groups_section(make_report());
  EXPECT_THAT(unknown, Not(HasSubstr("<pre>")));
  EXPECT_THAT(unknown, Not(HasSubstr("data-view=\"grid\"")));
}

TEST(Groups, AreOnTheGridByColour) {
  const auto page = write_page(make_clustered_report());
  EXPECT_THAT(page, HasSubstr("\"grid\":{\"sizes\":[2],\"colours\":[\"#0072b2\",\"#e69f00\"],"
                              "\"places\":{"));
  EXPECT_THAT(page, HasSubstr("\"clusters\":[\"\",\"main cluster 0, sub-cluster 0\","
                              "\"main cluster 0, sub-cluster 1\"]"));
  auto report = make_clustered_report();
  report.grid->places = {0, 1};
  report.clusters.reset();
  EXPECT_THAT(write_page(report),
              HasSubstr("\"grid\":{\"sizes\":[2],\"colours\":[\"#0072b2\",\"#e69f00\"]}"))
      << "each process has the place of its number";
}

class Waits : public ::testing::Test {
 protected:
  Waits() : report_(make_report()) {
    auto& wait = report_.waits.emplace_back();
    wait.waiting.call = {"MPI_Recv", "main"};
    wait.waiting.kind = Metric::mpi_late_sender_time;
    wait.group_seconds = {1, 2};
    report_.group_waiting = {3, 4};
  }
  void set_ranks(std::size_t count) {
    report_.runs[0].ranks.resize(count, report_.runs[0].ranks[0]);
  }

  Report report_;
};

TEST_F(Waits, HaveAColumnOfWhatExplainsThemWhereAnythingDoes) {
  EXPECT_THAT(write_waits_section(report_), Not(HasSubstr("ranks that wait longer")));
  report_.waits.push_back(report_.waits[0]);
  report_.waits[1].correlation = {"solve", -0.99, 0.00001};
  const auto waits = write_waits_section(report_);
  EXPECT_THAT(waits, HasSubstr("ranks that wait longer</th>"));
  EXPECT_THAT(waits, HasSubstr("<td></td></tr>"));
  EXPECT_THAT(waits, HasSubstr("<td>spend less time in <bdi>solve</bdi> (r = -0.99, "
                               "chance below 0.0001)</td></tr>"));
}

TEST_F(Waits, HaveAColumnOfKindsWhereThereAreSeveral) {
  EXPECT_THAT(write_waits_section(report_), HasSubstr("over all ranks: late senders"));
  report_.waits.push_back(report_.waits[0]);
  report_.waits[1].waiting.kind = Metric::mpi_wait_at_barrier_time;
  const auto waits = write_waits_section(report_);
  EXPECT_THAT(waits, HasSubstr("<td>late senders</td>"));
  EXPECT_THAT(waits, HasSubstr("most of it</th>"));
}

TEST_F(Waits, SayForWhomOnceByKind) {
  EXPECT_THAT(write_waits_section(report_), Not(HasSubstr("Whom processes wait for")));
  report_.late = {{Metric::mpi_late_sender_time, {"rank 3 (4 %)"}, true}};
  EXPECT_THAT(write_waits_section(report_),
              HasSubstr("<li>late senders: for many, most for <span class=\"list short\">rank 3 (4 "
                        "%)</span></li>"));
}

TEST(Structure, SaysHowItsLatticeIsRead) {
  auto report = make_report();
  report.poset.emplace().nodes.resize(2);
  const auto two = write_structure_section(report);
  EXPECT_THAT(two, HasSubstr("Each of the 2 boxes stands for processes that make the same calls."));
  EXPECT_THAT(two, HasSubstr("<q>all: 35</q>"));
  EXPECT_LT(two.find("all: 35"), two.find("data-view=\"poset\""));
  report.poset->nodes.resize(1);
  EXPECT_THAT(write_structure_section(report), HasSubstr("<p>The box stands for processes"));
}

TEST(Efficiencies, HaveAWordAndNoColourAlone) {
  const auto overview = write_overview_section(make_report());
  EXPECT_THAT(overview, HasSubstr("<div class=\"efficiency fair\" data-efficiency=\"parallel\""));
  EXPECT_THAT(overview, HasSubstr("<span class=\"value\" data-value=\"0.9\">90 %</span>"));
  EXPECT_THAT(overview, HasSubstr("<span class=\"word\">(poor)</span>"));
}

TEST(Efficiencies, AreATreeOfProducts) {
  auto report = make_report();
  auto& all = report.runs[0].efficiencies;
  all.serialisation = 0.6;
  all.transfer = 0.9;
  all.threads = 0.8;
  all.hybrid = 0.5;
  const auto overview = write_overview_section(report);
  std::string shape;
  for (std::size_t at = 0; at < overview.size(); ++at) {
    const std::string_view rest(overview.data() + at, overview.size() - at);
    if (rest.starts_with("data-efficiency=\""))
      shape += rest.substr(17, rest.find('"', 17) - 17);
    else if (rest.starts_with("class=\"sign\">"))
      shape += rest.substr(13, rest.find('<') - 13);
    else if (shape.empty() || rest.starts_with("</div>\n</div>"))
      continue;
    else if (rest.starts_with("<ul>"))
      shape += "(";
    else if (rest.starts_with("</ul>"))
      shape += ")";
  }
  EXPECT_THAT(
      shape, ::testing::StartsWith("hybrid(parallel= (load_balance= communication× (serialisation= "
                                   "transfer× ))openmp× )"));
}

TEST(Efficiencies, SayThatSerialisationAndTransferAreNotKnown) {
  const auto overview = write_overview_section(make_report());
  EXPECT_THAT(overview, HasSubstr("serialisation</span><span class=\"value\">not known</span>"));
  EXPECT_THAT(overview, HasSubstr("How long ranks wait is not known"));
}

TEST(Efficiencies, AreNoneWithoutMpi) {
  auto report = make_report();
  report.runs[0].has_mpi = false;
  report.runs[0].efficiencies = {};
  const auto overview = write_overview_section(report);
  EXPECT_THAT(overview, Not(HasSubstr("data-efficiency")));
  EXPECT_THAT(overview, HasSubstr("No MPI was recorded"));
}

TEST(Efficiencies, StandBesideThoseOfOtherRuns) {
  auto report = make_report();
  report.runs.push_back(report.runs[0]);
  report.runs[1].trace = "/runs/large/traces.otf2";
  const auto overview = write_overview_section(report);
  EXPECT_THAT(overview, HasSubstr("large"));
  EXPECT_THAT(overview, HasSubstr("computation scaling"));
}

TEST(RankChart, StacksWhatARankDoes) {
  auto report = make_report();
  auto& rank = report.runs[0].ranks[0];
  rank.useful = 4;
  rank.openmp = 1;
  rank.mpi = 5;
  rank.waiting = 2;
  rank.mpi_io = 1;
  rank.io = 2;
  const auto chart = make_rank_bars(report.runs[0]);
  ASSERT_EQ(chart.bars.size(), 2u);
  EXPECT_THAT(chart.bars[0].seconds, ::testing::ElementsAre(3, 2, 2, 2, 1, 0));
  EXPECT_EQ(chart.most, 10);
  // Computation of the first bar has 3 of 10 s, and the second bar has nothing.
  EXPECT_THAT(write_rank_chart(report),
              HasSubstr("<path class=\"computation\" d=\"M0 1000V700h1V1000h1V1000z\"/>"));
}

TEST(RankChart, ShowsOneSlowRankOfVeryMany) {
  auto report = make_report();
  auto& ranks = report.runs[0].ranks;
  ranks[0].useful = 1;
  ranks.resize(1);
  ranks.resize(65536, ranks[0]);
  ranks[40000].useful = 2;
  ranks[40000].master = 1;
  const auto chart = make_rank_bars(report.runs[0]);
  EXPECT_LE(chart.bars.size(), most_rank_bars);
  EXPECT_EQ(chart.bars[40000 / chart.per_bar].process, 1u);
  EXPECT_EQ(chart.sums[0], 65537);
}

// Of 16 bars the middle one of bar 8 is at 8.5 / 16 of the width.
TEST(RankChart, HasLabelsBelowTheirBarsAndAnArrowAtWhomTheHeadlineNames) {
  auto report = make_report();
  auto& run = report.runs[0];
  run.processes.resize(16, run.processes[0]);
  run.ranks.resize(16, run.ranks[0]);
  for (std::size_t k = 0; k < 16; ++k) {
    run.processes[k].rank = run.ranks[k].master = k;
    run.ranks[k].useful = 1;
  }
  EXPECT_THAT(
      write_rank_chart(report),
      HasSubstr("<text class=\"place\" x=\"46.88%\" y=\"13\" text-anchor=\"middle\">rank 7<"));
  EXPECT_THAT(write_rank_chart(report), Not(HasSubstr("▲")));
  run.finding.who = {8};
  const auto chart = write_rank_chart(report);
  EXPECT_THAT(chart, HasSubstr("x=\"53.12%\" y=\"11\" text-anchor=\"middle\">▲<"));
  EXPECT_THAT(
      chart,
      HasSubstr("<text class=\"named\" x=\"53.12%\" y=\"26\" text-anchor=\"middle\">rank 8<"));
  EXPECT_THAT(chart, Not(HasSubstr("rank 7<")));
  EXPECT_THAT(chart, HasSubstr("in the headline"));
}

TEST(RankChart, HasABarOfEachThreadOfASingleProcess) {
  auto report = make_report();
  auto& ranks = report.runs[0].ranks;
  ranks.resize(1);
  ranks[0].useful = 3;
  ranks[0].threads = {0, 1};
  ranks[0].computation = {3, 1};
  const auto chart = make_rank_bars(report.runs[0]);
  ASSERT_EQ(chart.bars.size(), 2u);
  EXPECT_EQ(chart.bars[1].seconds[0], 1);
}

TEST(RankChart, IsNoneWithoutTimes) {
  EXPECT_EQ(write_rank_chart(make_report()), "");
}

TEST(Calls, AreATreeThatIsOpenWhereTimeIs) {
  auto report = make_report();
  EXPECT_THAT(write_calls_section(report), HasSubstr("No calls were recorded"));
  report.calls = {{"main", {}, {}, 10, 1}, {"<solve>", 0, {}, 9, 9}, {"end", {}, {}, 0.5, 0.5}};
  report.calls[2].left_out = 3;
  const auto calls = write_calls_section(report);
  EXPECT_THAT(calls, HasSubstr("<details open><summary class=\"call\" data-call=\"0\"><bdi>main"));
  EXPECT_THAT(calls, HasSubstr("<div class=\"call\" data-call=\"1\"><bdi>&lt;solve&gt;</bdi>"));
  EXPECT_THAT(calls, HasSubstr("<details><summary class=\"call\" data-call=\"2\"><bdi>end"));
  EXPECT_THAT(calls, HasSubstr("<li class=\"rest\">3 more</li>"));
}

TEST(Iterations, SayThatThereIsNoLoop) {
  EXPECT_THAT(write_iterations_section(make_report()), HasSubstr("No loop was found"));
}

TEST(Iterations, CountAsManyAsAColumnHas) {
  auto report = make_report();
  PooledMap map;
  map.label = map.metric = map_computation;
  map.unit = "s";
  map.per_column = 3;
  map.columns = 2;
  map.minimum = {1, 2};
  map.mean = {2, 6};
  map.maximum = {3, 8};
  report.loops.push_back({"main", 0, 4, {}, {}, {map}});
  EXPECT_THAT(write_iterations_section(report),
              HasSubstr("<td class=\"number\">1.00 s</td><td class=\"number\">3.00 s</td>"
                        "<td class=\"number\">8.00 s</td>"));

  report.loops[0].maps[0].mean.assign(2, std::numeric_limits<float>::quiet_NaN());
  EXPECT_THAT(write_iterations_section(report),
              HasSubstr("<td class=\"number\">not known</td></tr>"));
}

TEST(Iterations, HaveADrawingOfGroupsAndKinds) {
  auto report = make_clustered_report();
  report.loops.push_back({"main", 0, 2, {}, {}, {PooledMap{}}});
  EXPECT_THAT(write_iterations_section(report), Not(HasSubstr("<svg xmlns")));
  report.plan = report.clusters->plan;
  auto& [kinds, map] = report.loops[0].kinds.emplace();
  kinds = {{1}, {{0, {0, 1}}}, {{{{1, 2, 3, 4, 8}, 4, 0.2}}}};
  map.metric = "execution time";
  const auto iterations = write_iterations_section(report);
  EXPECT_THAT(iterations, HasSubstr("<figure class=\"by-kind scroll\" data-kinds=\"0\"><svg"));
  EXPECT_THAT(iterations, HasSubstr(">2 iterations<"));
  EXPECT_THAT(iterations, HasSubstr("1: 1× &lt;/pre&gt;&lt;script&gt;<"));
}

TEST(Communication, SaysWhatIsNotKnown) {
  auto report = make_report();
  EXPECT_THAT(write_communication_section(report), HasSubstr("is not known"));
  report.matrix.emplace();
  EXPECT_THAT(write_communication_section(report), HasSubstr("No rank sends a message"));
}

TEST(Overview, SaysWhatTheFoldCosts) {
  auto report = make_report();
  EXPECT_THAT(write_overview_section(report), HasSubstr("nothing of it was left out"));
  report.fold = ReportFold{64, 4, {{"main", 100, 10}}, FoldErrors{}, true};
  report.fold->errors->of_processes.useful = 0.042;
  EXPECT_THAT(write_overview_section(report),
              HasSubstr("Of the 64 processes, 4 are kept and 10 of 100 iterations; computation "
                        "differs by 4.2 % of all time over processes (fair). This page is of all "
                        "processes."));
}

TEST(Headline, HasFactsOfTheRun) {
  auto report = make_report();
  report.nodes = 1;
  report.begun = 1'795'219'843;
  report.runs[0].part = RunPart::loop;
  report.runs[0].iterations = 4;
  report.whole_run = 20;
  const auto headline = write_page_headline(report);
  EXPECT_THAT(headline, HasSubstr("<li><b>2</b> ranks</li><li><b>1</b> node</li>"
                                  "<li><b>20.0 s</b> in all</li>"));
  EXPECT_THAT(headline,
              HasSubstr("<li><b>4</b> iterations</li><li>21 November 2026, 00:10 UTC</li>"));
}

TEST(Headline, LeadsToTheMapWhereALossIsSeen) {
  auto report = make_report();
  auto& found = report.runs[0].finding;
  found.loss = Loss::load_balance;
  found.who = {1};
  report.loops.push_back({"init", 0, 3, {}, {}, {PooledMap{}}});
  report.loops.push_back({"main", 1, 3, {}, {}, {PooledMap{}}});
  EXPECT_EQ(choose_finding_view(report), "#groups") << "no map shows it";
  report.loops[1].finding_metric = map_computation;
  EXPECT_EQ(choose_finding_view(report),
            "#view=iterations&loop=1&metric=computation+time&rows=rank&pool=largest&group=1");
  report.loops[1].finding_metric = map_files;
  EXPECT_THAT(choose_finding_view(report), HasSubstr("&metric=file+time&"));
}

TEST(Headline, LeadsToIterationsWhereNoMapShowsThatTheyChange) {
  auto report = make_report();
  report.runs[0].finding.loss = Loss::iterations;
  EXPECT_EQ(choose_finding_view(report), "#groups");
  report.loops.push_back({"main", 0, 3, {}, {}, {PooledMap{}}});
  EXPECT_EQ(choose_finding_view(report), "#iterations");
}

TEST(Headline, LeadsToTheTableOfWaitingWhereNothingElseShowsIt) {
  auto report = make_report();
  report.runs[0].finding.loss = Loss::serialisation;
  report.waits.push_back({});
  EXPECT_EQ(choose_finding_view(report), "#waits");
}

TEST(Headline, LeadsToTheFunctionWithoutALoop) {
  auto report = make_report();
  auto& found = report.runs[0].finding;
  found.loss = Loss::load_balance;
  found.who = {1};
  found.call.function = "solve";
  report.functions = {{"main", {}, 2, 1, {}}, {"solve", {}, 1, 1, {}}};
  EXPECT_EQ(choose_finding_view(report), "#view=functions&function=1&group=1");
}

TEST(Headline, LeadsToTheMatrixOfMessages) {
  auto report = make_report();
  auto& found = report.runs[0].finding;
  found.loss = Loss::transfer;
  found.paradigm = Paradigm::point_to_point;
  report.matrix.emplace().metrics = {{"messages", "messages", "", {}},
                                     {"waiting", "waiting", "s", {}}};
  EXPECT_EQ(choose_finding_view(report), "#view=matrix&metric=messages");
  found.loss = Loss::serialisation;
  found.culprit = Culprit::sender;
  found.who = {0};
  EXPECT_EQ(choose_finding_view(report), "#view=matrix&metric=waiting&group=0");
}

TEST(Changes, BeginWithTheSentenceOfTheComparison) {
  auto report = make_report();
  EXPECT_EQ(write_changes_section(report), "");
  report.changes.emplace();
  report.changes->headline = "B takes 2 % longer <in solve>";
  report.changes->a.name = "today";
  const auto changes = write_changes_section(report);
  EXPECT_THAT(changes, HasSubstr("<p class=\"finding\">B takes 2 % longer &lt;in solve&gt;</p>"));
  const auto page = write_page(report);
  EXPECT_LT(page.find("id=\"headline\""), page.find("id=\"changes\""));
  EXPECT_LT(page.find("id=\"changes\""), page.find("id=\"overview\""));
}

}  // namespace

}  // namespace tracefold::report_page_test
