#include "emitters/report/report_page.hpp"

#include "emitters/report/page_sections.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>

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
  for (const char* id : {"headline", "tiles", "groups", "waits", "iterations", "functions",
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

TEST_F(Waits, SayWhyNothingExplainsThem) {
  const auto few = write_waits_section(report_);
  EXPECT_THAT(few, HasSubstr("With fewer than 4 ranks"));
  EXPECT_THAT(few, Not(HasSubstr("ranks that wait longer<")));

  set_ranks(4);
  EXPECT_THAT(write_waits_section(report_), HasSubstr("there is no function"));
  report_.waits[0].correlation = {"solve", -0.5, 1};
  EXPECT_THAT(
      write_waits_section(report_),
      HasSubstr("no function stands out; the nearest is <bdi>solve</bdi> (r\u00a0=\u00a0-0.50, "
                "chance\u00a01)"));
  report_.waits[0].correlation = {"solve", -0.99, 0.00001};
  EXPECT_THAT(write_waits_section(report_),
              HasSubstr("<td>spend less time in <bdi>solve</bdi> (r\u00a0=\u00a0-0.99, "
                        "chance\u00a0below 0.0001)"));
}

TEST_F(Waits, SayForWhomOrThatItIsNotKnown) {
  EXPECT_THAT(write_waits_section(report_), HasSubstr("<td>not known</td></tr>"));
  report_.waits[0].late = {"rank 3 (4 %)"};
  report_.waits[0].late_is_spread = true;
  EXPECT_THAT(
      write_waits_section(report_),
      HasSubstr("<td>many, most for <span class=\"list short\">rank 3 (4 %)</span></td></tr>"));
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

TEST(Tiles, HaveAWordAndNoColourAlone) {
  const auto tiles = write_tiles_section(make_report());
  EXPECT_THAT(tiles, HasSubstr("<div class=\"tile fair\" data-efficiency=\"parallel\">"));
  EXPECT_THAT(tiles, HasSubstr("<span class=\"value\" data-value=\"0.9\">90 %</span>"
                               "<span class=\"word\">good</span>"));
  EXPECT_THAT(tiles, HasSubstr("<span class=\"word\">poor</span>"));
}

TEST(Tiles, SayThatSerialisationAndTransferAreNotKnown) {
  const auto tiles = write_tiles_section(make_report());
  EXPECT_THAT(tiles, HasSubstr("serialisation</span><span class=\"value\">not known</span>"));
  EXPECT_THAT(tiles, HasSubstr("How long ranks wait is not known"));
}

TEST(Tiles, AreNoneWithoutMpi) {
  auto report = make_report();
  report.runs[0].has_mpi = false;
  report.runs[0].efficiencies = {};
  const auto tiles = write_tiles_section(report);
  EXPECT_THAT(tiles, Not(HasSubstr("class=\"tile ")));
  EXPECT_THAT(tiles, HasSubstr("No MPI was recorded"));
}

TEST(Tiles, StandBesideThoseOfOtherRuns) {
  auto report = make_report();
  report.runs.push_back(report.runs[0]);
  report.runs[1].trace = "/runs/large/traces.otf2";
  const auto tiles = write_tiles_section(report);
  EXPECT_THAT(tiles, HasSubstr("large"));
  EXPECT_THAT(tiles, HasSubstr("computation scaling"));
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

TEST(Communication, SaysWhatIsNotKnown) {
  auto report = make_report();
  EXPECT_THAT(write_communication_section(report), HasSubstr("is not known"));
  report.matrix.emplace();
  EXPECT_THAT(write_communication_section(report), HasSubstr("No rank sends a message"));
}

TEST(Headline, SaysWhatTheFoldCosts) {
  auto report = make_report();
  EXPECT_THAT(write_page_headline(report), HasSubstr("nothing of it was left out"));
  report.fold = ReportFold{64, 4, {{"main", 100, 10}}, FoldErrors{}, true};
  report.fold->errors->of_processes.all = 0.042;
  EXPECT_THAT(write_page_headline(report),
              HasSubstr("Of the 64 processes, 4 are kept and 10 of 100 iterations; that costs 4.2 "
                        "% of all time over processes (good). This page is of all processes."));
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
  EXPECT_LT(page.find("id=\"changes\""), page.find("id=\"tiles\""));
}

}  // namespace

}  // namespace tracefold::report_page_test
