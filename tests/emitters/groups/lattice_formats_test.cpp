#include "emitters/groups/lattice_formats.hpp"

#include "tests/support/cxt_reader.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <random>
#include <stdexcept>

namespace tracefold::lattice_formats_test {

using testing::from_cxt;
using ::testing::HasSubstr;
using ::testing::Not;

NamedContext some() {
  NamedContext context{{"Master thread", "Thread 1"},
                       {"main", "a→b", "c"},
                       {{true, false, true}, {false, true, false}}};
  return context;
}

std::string failure(std::string_view text) {
  try {
    from_cxt(text);
  } catch (const std::invalid_argument& e) {
    return e.what();
  }

  return "none";
}

TEST(Cxt, IsBurmeistersText) {
  EXPECT_EQ(to_cxt(some()), "B\n\n2\n3\n\nMaster thread\nThread 1\nmain\na→b\nc\nX.X\n.X.\n");
}

TEST(Cxt, ReadsWhatOthersWrite) {
  EXPECT_EQ(
      from_cxt(
          "B\r\nname\r\n2\r\n3\r\n\r\nMaster thread\r\nThread 1\r\nmain\r\na→b\r\nc\r\nx.X\r\n.X."),
      some());
  EXPECT_EQ(from_cxt("B\n\n0\n1\n\nC:\\temp\n").attributes[0], "C:\\temp");
}

TEST(Cxt, EscapesWhatWouldBreakALine) {
  const std::vector<std::string> names{"",
                                       "two\nlines",
                                       "quote\"d",
                                       "back\\slash",
                                       "\\x41",
                                       " spaces ",
                                       "\xff\xc3",
                                       "nel\xc2\x85",
                                       "\xe2\x80\xa8",
                                       "\t",
                                       " ",
                                       "ü→ 😀",
                                       "\xed\xa0\x80",
                                       "\xc0\x80",
                                       std::string("nul\0l", 5),
                                       "\xe2\x82",
                                       "\xf0\x8f\xbf\xbf"};

  const NamedContext context{names, {}, std::vector<std::vector<bool>>(names.size())};
  const auto text = to_cxt(context);
  EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')),
            5 + 2 * names.size());
  EXPECT_THAT(text,
              HasSubstr("two\\x0alines\nquote\"d\nback\\x5cslash\n\\x5cx41\n\\x20spaces\\x20\n\\xff"
                        "\\xc3\nnel\\xc2\\x85\n\\xe2\\x80\\xa8\n\\x09\n\\x20\nü→ 😀\n"));
  EXPECT_EQ(from_cxt(text), context);
}

TEST(Cxt, OfNothing) {
  EXPECT_EQ(from_cxt(to_cxt({})), NamedContext{});
}

TEST(Cxt, ComesBackAsItWas) {
  std::mt19937_64 random(31);

  for (int round = 0; round < 500; ++round) {
    NamedContext context{
        std::vector<std::string>(random() % 6), std::vector<std::string>(random() % 90), {}};
    for (auto* names : {&context.objects, &context.attributes})
      for (auto& name : *names)
        for (auto length = random() % 6; length > 0; --length)
          name += static_cast<char>(random() % 256);

    context.incidence.assign(context.objects.size(), std::vector<bool>(context.attributes.size()));
    for (std::size_t i = 0; i < context.objects.size(); ++i)
      for (std::size_t j = 0; j < context.attributes.size(); ++j)
        context.incidence[i][j] = random() % 2;

    EXPECT_EQ(from_cxt(to_cxt(context)), context) << "round " << round;
  }
}

TEST(Cxt, SaysWhereATextIsWrong) {
  EXPECT_EQ(failure(""), "line 1: the text ends where 'B' should be");
  EXPECT_EQ(failure("A\n"), "line 1: not 'B', with which a .cxt file begins");
  EXPECT_EQ(failure("B\n\ntwo\n"), "line 3: not the number of objects");
  EXPECT_EQ(failure("B\n\n2\n-1\n"), "line 4: not the number of attributes");
  EXPECT_EQ(failure("B\n\n1\n1\nname\n"), "line 5: not an empty line");
  EXPECT_EQ(failure("B\n\n1\n1\n\na\nb\n\n"), "line 8: not one X or . for each of 1 attributes");
  EXPECT_EQ(failure("B\n\n1\n1\n\na\nb\n?\n"), "line 8: neither X nor .");
  EXPECT_EQ(failure("B\n\n2\n1\n\na\nb\n"),
            "line 8: the text ends where an attribute's name should be");
}

TEST(Cxt, DoesNotTrustItsCounts) {
  EXPECT_THAT(failure("B\n\n99999999999\n99999999999\n\na\n"), HasSubstr("too short"));
  EXPECT_THAT(failure("B\n\n4294967296\n4294967296\n\na\n"), HasSubstr("too short"));
  EXPECT_THAT(failure("B\n\n99999999999999999999999\n1\n\na\n"),
              HasSubstr("not the number of objects"));
}

LatticeDrawing hostile_drawing() {
  LatticeDrawing drawing;
  drawing.kind = "AOC-poset";
  drawing.attribute = "functions";
  drawing.processes = drawing.attributes = 2;
  drawing.nodes.push_back(
      {{"rank 0\"];}\n<svg onload=x>"}, 1, 2, {"\x1b]0;title\x07", "\xff</data>"}, 0, "MPI", {}});
  drawing.nodes.push_back({{"rank 1"}, 1, 1, {}, 2, "", {0}});

  return drawing;
}

TEST(LatticeFormats, KeepHostileNamesInsideOfTheirQuotes) {
  const auto dot = to_dot(hostile_drawing());
  EXPECT_THAT(dot, HasSubstr("label=\"rank 0\\\"];}?<svg onload=x>\\n1 of 2 processes"));
  EXPECT_THAT(dot, Not(HasSubstr("\x1b")));
  const auto xml = to_graphml(hostile_drawing());
  EXPECT_THAT(xml, HasSubstr("rank 0&quot;];}?&lt;svg onload=x&gt;"));
  EXPECT_THAT(xml, HasSubstr("\xef\xbf\xbd&lt;/data&gt;"));
  const auto json = nlohmann::json::parse(to_json(hostile_drawing()));
  EXPECT_EQ(json["nodes"][0]["processes"][0], "rank 0\"];}\n<svg onload=x>");
  EXPECT_EQ(json["nodes"][1]["up"][0], 0);
}

// One process calls all, and others add calls to its.
LatticeDrawing made_drawing() {
  LatticeDrawing drawing;
  drawing.kind = "AOC-poset";
  drawing.attribute = "pairs";
  drawing.processes = 100;
  drawing.attributes = 4;
  drawing.nodes.push_back({{"rank 0"}, 1, 100, {"-> main"}, 0, "compiler", {}, {"-> main"}});
  drawing.nodes.push_back(
      {{"rank 1-99"}, 99, 99, {"main -> a", "a -> b"}, 1, "MPI", {0}, {"main -> a"}});
  return drawing;
}

TEST(LatticeDot, ListsWhatDiffersAndNotWhatIsCommon) {
  const auto dot = to_dot(made_drawing());
  EXPECT_THAT(dot, HasSubstr("1 new call, 25.0 %\", fill"));
  EXPECT_THAT(dot, HasSubstr("2 new calls, 50.0 %\\nmain -> a\\n\", fill"));
}

TEST(LatticeDot, HasALegendOfTheColoursThatThereAre) {
  const auto dot = to_dot(made_drawing());
  EXPECT_THAT(
      dot,
      HasSubstr("<font color=\"#f4b6b0\" point-size=\"16\">■</font> adds mostly calls of MPI<"));
  EXPECT_THAT(dot, HasSubstr("calls of the program itself"));
  EXPECT_THAT(dot, Not(HasSubstr("OpenMP")));
  EXPECT_THAT(to_dot({}), Not(HasSubstr("table")));
}

TEST(LatticeDot, MakesNodesWithMoreProcessesLarger) {
  const auto dot = to_dot(made_drawing());
  EXPECT_THAT(dot, HasSubstr("width=1.30, height=0.65"));
  EXPECT_THAT(dot, HasSubstr("width=3.98, height=1.99"));
}

TEST(LatticeDot, CutsNoTwoNamesToTheSame) {
  auto drawing = made_drawing();
  const std::string begin(60, 'a'), end(60, 'z');
  auto& names = drawing.nodes[1].attributes;
  names = {begin + "_first_" + end, begin + "_second_" + end};
  drawing.nodes[1].entries = names;
  const auto dot = to_dot(drawing);
  EXPECT_THAT(dot, HasSubstr("\\n…aaaaaaa_first_z"));
  EXPECT_THAT(dot, HasSubstr("\\n…aaaaaaa_second_z"));
}

TEST(LatticeTable, CountsRanksHereAndBelow) {
  auto drawing = made_drawing();
  EXPECT_THAT(to_table(drawing), HasSubstr("processes here  processes below  calls added"));
  drawing.has_only_ranks = true;
  const auto table = to_table(drawing);
  EXPECT_THAT(table, HasSubstr("node  ranks here  ranks below  calls added   share"));
  EXPECT_THAT(table, HasSubstr("   0           1           99            1  25.0 %"));
  EXPECT_THAT(table,
              HasSubstr("   1          99            0            2  50.0 %  0      rank 1-99"));
}

TEST(LatticeFormats, TellWhichRunsHaveANode) {
  auto drawing = made_drawing();
  drawing.runs = {{"small", 1}, {"large", 99}};
  drawing.nodes[0].of_runs = {1, 0};
  drawing.nodes[0].reaching_of_runs = {1, 99};
  drawing.nodes[1].of_runs = {0, 99};
  drawing.nodes[1].reaching_of_runs = {0, 99};
  EXPECT_THAT(to_table(drawing), HasSubstr("groups: 1 only in A, 1 only in B\n"
                                           "calls: 1 in all runs, 2 only in B\n"));
  EXPECT_THAT(to_table(drawing), HasSubstr("node  A   B  only in  calls added"));
  EXPECT_THAT(to_dot(drawing), HasSubstr("only in B\\n"));
  EXPECT_THAT(to_csv(drawing), HasSubstr("node,processes,reaching,only_in,of_runs,"));
  EXPECT_THAT(to_graphml(drawing), HasSubstr("<data key=\"reaching_of_runs\">0 99</data>"));
  const auto json = nlohmann::json::parse(to_json(drawing));
  EXPECT_EQ(json["runs"][0]["name"], "small");
  EXPECT_EQ(json["nodes"][1]["reaching_of_runs"], (std::vector<int>{0, 99}));
  EXPECT_FALSE(nlohmann::json::parse(to_json(made_drawing())).contains("runs"));
}

TEST(LatticeFormats, ShortenLongLists) {
  auto drawing = hostile_drawing();
  drawing.nodes[0].processes.assign(30, "rank 7");
  EXPECT_THAT(to_dot(drawing), HasSubstr("… and 22 more"));
}

}  // namespace tracefold::lattice_formats_test
