#include "pipeline/archives/order_ranks.hpp"

#include "base/error.hpp"
#include "otf2/archive_parts.hpp"
#include "otf2/otf2_values.hpp"
#include "pipeline/archives/tie_clocks.hpp"
#include "tests/support/test_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <initializer_list>
#include <map>

namespace tracefold::order_ranks_test {

using K = DefinitionKind;
using Names = std::vector<std::string>;
constexpr std::uint64_t nobody = 0xffffffff, second = 1'000'000'000;

Definition make(K kind, std::initializer_list<std::uint64_t> fields) {
  Definition d;
  d.kind = kind;
  std::copy(fields.begin(), fields.end(), d.fields.begin());
  return d;
}

Definition make_text(std::uint64_t id, std::string words) {
  auto d = make(K::String, {id});
  d.text = std::move(words);
  return d;
}

// An archive without files, of one process on a host.
ArchiveInRun make_archive(const std::string& anchor, const std::string& host = "host",
                          std::map<std::string, std::string> properties = {},
                          const std::vector<Definition>& more = {}) {
  ArchiveFacts facts;
  facts.properties = std::move(properties);
  auto& definitions = facts.definitions;
  for (const auto& [id, words] : {std::pair{0, host}, {1, std::string("node")}})
    definitions.add(make_text(static_cast<std::uint64_t>(id), words));
  definitions.add(make(K::SystemTreeNode, {0, 0, 1, nobody}));
  definitions.add(make(K::LocationGroup, {0, 1, 1, 0, nobody}));
  definitions.add(make(K::Location, {0, 1, 1, 0, 0}));
  for (const auto& d : more)
    definitions.add(d);
  definitions.finish();
  ArchiveParts parts;
  parts.parts.emplace_back();
  return {std::make_shared<const Archive>(std::move(facts), std::move(parts)),
          {anchor, 0, 0, 0, {}}};
}

FoundArchives make_archives(const Names& anchors) {
  FoundArchives archives;
  for (const auto& anchor : anchors)
    archives.push_back(make_archive(anchor));
  return archives;
}

Names list_names(const FoundArchives& archives) {
  Names names;
  for (const auto& one : archives)
    names.push_back(one.name.anchor);
  return names;
}

std::vector<std::uint64_t> list_ranks(const FoundArchives& archives) {
  std::vector<std::uint64_t> ranks;
  for (const auto& one : archives)
    ranks.push_back(one.name.rank);
  return ranks;
}

TEST(OrderRanks, ReadsNumbersInNamesAsNumbers) {
  auto archives = make_archives({"run10/t.otf2", "run9/t.otf2", "run9/s.otf2", "run010/t.otf2"});
  EXPECT_EQ(order_ranks(archives, "order"), "the order of their names");
  EXPECT_EQ(list_names(archives),
            (Names{"run9/s.otf2", "run9/t.otf2", "run010/t.otf2", "run10/t.otf2"}));
  EXPECT_EQ(list_ranks(archives), (std::vector<std::uint64_t>{0, 1, 2, 3}));
}

TEST(OrderRanks, KnowsNamesThatToolsGive) {
  const std::pair<Names, Names> cases[] = {
      {{"h/rank-2/traces.otf2", "g/rank-0/traces.otf2"},
       {"g/rank-0/traces.otf2", "h/rank-2/traces.otf2"}},
      {{"nid7/1_results.otf2", "nid9/0_results.otf2"},
       {"nid9/0_results.otf2", "nid7/1_results.otf2"}},
      {{"b/trace-0.otf2", "a/trace-1.otf2"}, {"b/trace-0.otf2", "a/trace-1.otf2"}},
      {{"b/OTF2_archive_0/APEX.otf2", "a/OTF2_archive_1/APEX.otf2"},
       {"b/OTF2_archive_0/APEX.otf2", "a/OTF2_archive_1/APEX.otf2"}}};
  for (const auto& [given, ordered] : cases) {
    auto archives = make_archives(given);
    EXPECT_NE(order_ranks(archives, ""), "the order of their names") << given.front();
    EXPECT_EQ(list_names(archives), ordered);
  }
}

TEST(OrderRanks, TakesNumbersOfProcessesForAnOrderOnly) {
  for (const auto& names : {Names{"b/4711_results.otf2", "a/4790_results.otf2"},
                            Names{"b/3_results.otf2", "a/5_results.otf2"},
                            Names{"b/trace-4711.otf2", "a/trace-4790.otf2"}}) {
    auto archives = make_archives(names);
    order_ranks(archives, "");
    EXPECT_EQ(list_names(archives), names);
    EXPECT_EQ(list_ranks(archives), (std::vector<std::uint64_t>{0, 1}));
  }
}

TEST(OrderRanks, PrefersPropertiesToNames) {
  FoundArchives archives{make_archive("rank0.otf2", "host", {{"TOOL::MPI_RANK", "5"}}),
                         make_archive("rank1.otf2", "host", {{"TOOL::MPI_RANK", "3"}})};
  EXPECT_EQ(order_ranks(archives, ""), "the property 'mpi_rank'");
  EXPECT_EQ(list_ranks(archives), (std::vector<std::uint64_t>{3, 5}));
  EXPECT_EQ(list_names(archives), (Names{"rank1.otf2", "rank0.otf2"}));
  EXPECT_THROW(order_ranks(archives, "property:other"), Error);
}

TEST(OrderRanks, FollowsAPattern) {
  auto archives = make_archives({"a/p12/x.otf2", "b/p3/x.otf2"});
  order_ranks(archives, "path:*/p{N}/?.otf2");
  EXPECT_EQ(list_ranks(archives), (std::vector<std::uint64_t>{3, 12}));
  EXPECT_THROW(order_ranks(archives, "path:*q{N}*"), Error);
  auto equal = make_archives({"a/p1/x.otf2", "b/p1/x.otf2"});
  EXPECT_THROW(order_ranks(equal, "path:*p{N}*"), Error);
  for (const auto* words : {"path:*", "path:{N}{N}", "property:", "rank"})
    EXPECT_THROW(check_rank_from(words), Error) << words;
}

Definition make_clock(std::uint64_t ticks, std::uint64_t begin, std::uint64_t wall) {
  return make(K::ClockProperties, {ticks, begin, 0, wall});
}

std::vector<std::uint64_t> list_begins(const FoundArchives& archives) {
  std::vector<std::uint64_t> begins;
  for (const auto& one : archives)
    begins.push_back(one.name.begin);
  return begins;
}

TEST(TieClocks, TakesOneTimerOfAHostToTheTick) {
  constexpr auto day = 20'000 * 86'400 * second;
  FoundArchives archives{
      make_archive("0", "a", {}, {make_clock(second, second + 1'000, day)}),
      // Read a bit late.
      make_archive("1", "a", {}, {make_clock(second, second + 5'000, day + 5'900)}),
      make_archive("2", "b", {}, {make_clock(second, 77, day + 2'500)})};
  const auto tied = tie_clocks(archives, "");
  EXPECT_EQ(tied.ticks_per_second, second);
  EXPECT_EQ(list_begins(archives),
            (std::vector<std::uint64_t>{second + 1'000, second + 5'000, second + 3'500}));
  EXPECT_EQ(archives[0].name.clock, archives[1].name.clock);
  EXPECT_NE(archives[0].name.clock, archives[2].name.clock);
}

// Their timers begin with them.
TEST(TieClocks, TakesTheWallClockWhereTimersAreOfProcesses) {
  constexpr auto day = 20'000 * 86'400 * second;
  FoundArchives archives{make_archive("0", "a", {}, {make_clock(second, 0, day)}),
                         make_archive("1", "a", {}, {make_clock(second, 0, day + 4'000'000)})};
  tie_clocks(archives, "");
  EXPECT_EQ(list_begins(archives), (std::vector<std::uint64_t>{0, 4'000'000}));
}

TEST(TieClocks, RefusesWallClocksThatAreYearsApart) {
  FoundArchives archives{
      make_archive("0", "a", {}, {make_clock(second, 0, second)}),
      make_archive("1", "a", {}, {make_clock(second, 0, ~std::uint64_t{0} / 2)})};
  EXPECT_THROW(tie_clocks(archives, ""), Error);
}

TEST(TieClocks, ReadsSecondsSince1970ToTheNanosecond) {
  const testing::TestFolder folder;
  const auto file = (folder.path() / "clocks").string();
  std::ofstream(file) << "1732924800.000000100 0\n1732924800.000000115 1\n";
  FoundArchives archives{make_archive("0/t.otf2", "a", {}, {make_clock(second, 0, 0)}),
                         make_archive("1/t.otf2", "a", {}, {make_clock(second, 0, 0)})};
  tie_clocks(archives, file);
  EXPECT_EQ(list_begins(archives)[1] - list_begins(archives)[0], 15);

  for (const auto* words : {"0 0\n1e12 1\n", "0 0\n1 1\n2 1/\n", "0 0\n"}) {
    std::ofstream(file) << words;
    EXPECT_THROW(tie_clocks(archives, file), Error) << words;
  }
}

TEST(TieClocks, KnowsTheNamesThatPeopleGive) {
  const testing::TestFolder folder;
  const auto file = (folder.path() / "clocks").string();
  std::ofstream(file) << "0 ./a/\r\n0.5 /run/b/t.otf2 \n2 c/t.otf2\t\n# all\n9 left-out\n";
  FoundArchives archives{make_archive("a/t.otf2", "x", {}, {make_clock(1'000, 0, 0)}),
                         make_archive("b/t.otf2", "x", {}, {make_clock(1'000, 0, 0)}),
                         make_archive("c/t.otf2", "x", {}, {make_clock(1'000, 0, 0)})};
  tie_clocks(archives, file, "/run");
  EXPECT_EQ(list_begins(archives), (std::vector<std::uint64_t>{0, 500, 2'000}));
}

TEST(TieClocks, InventsNoLengthOfTicks) {
  FoundArchives archives{make_archive("0"), make_archive("1", "a", {}, {make_clock(0, 0, second)})};
  EXPECT_EQ(tie_clocks(archives, "begin").ticks_per_second, 0u);
  EXPECT_THROW(tie_clocks(archives, ""), Error);
  archives.push_back(make_archive("2", "a", {}, {make_clock(1'000, 0, second)}));
  EXPECT_THROW(tie_clocks(archives, "begin"), Error);
}

TEST(TieClocks, TakesNanosecondsWhereTicksDiffer) {
  FoundArchives archives{make_archive("0", "a", {}, {make_clock(1'000, 10, 2 * second)}),
                         make_archive("1", "a", {}, {make_clock(2'000, 10, 3 * second)})};
  const auto tied = tie_clocks(archives, "");
  EXPECT_EQ(tied.ticks_per_second, second);
  EXPECT_EQ(list_begins(archives)[1] - list_begins(archives)[0], second);
}

TEST(TieClocks, AsksWhereNoWallClockIsRecorded) {
  FoundArchives archives{make_archive("0", "a", {}, {make_clock(1'000, 10, 0)}),
                         make_archive("1", "a", {}, {make_clock(1'000, 90, ~std::uint64_t{0})})};
  EXPECT_THROW(tie_clocks(archives, ""), Error);
  tie_clocks(archives, "begin");
  EXPECT_EQ(list_begins(archives), (std::vector<std::uint64_t>{10, 10}));
}

}  // namespace tracefold::order_ranks_test
