#include "base/ranges.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>

#include <random>

namespace tracefold::ranges_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Ids = std::vector<std::uint64_t>;

constexpr std::uint64_t largest = 18446744073709551615u;

ErrorKind kind_of_refusal(std::string_view text, std::size_t limit = 1u << 24) {
  try {
    parse_ranges(text, limit);
  } catch (const Error& problem) {
    return problem.kind();
  }

  ADD_FAILURE() << "'" << text << "' was taken";

  return ErrorKind::no;
}

TEST(Ranges, WritesRunsAndStrides) {
  EXPECT_EQ(to_ranges({}), "");
  EXPECT_EQ(to_ranges({5}), "5");
  EXPECT_EQ(to_ranges({0, 1}), "0-1");
  EXPECT_EQ(to_ranges({0, 2}), "0,2");
  EXPECT_EQ(to_ranges({0, 2, 4, 6, 9}), "0-6:2,9");
  EXPECT_EQ(to_ranges({0, 1, 2, 3, 10, 20, 30}), "0-3,10-30:10");
}

TEST(Ranges, ReadsWhatTheHeaderPromises) {
  EXPECT_THAT(parse_ranges("0-6:2,9"), ElementsAre(0, 2, 4, 6, 9));
  EXPECT_THAT(parse_ranges(""), IsEmpty());
  EXPECT_THAT(parse_ranges("0-7:3"), ElementsAre(0, 3, 6));
  EXPECT_THAT(parse_ranges("4,2-4,3"), ElementsAre(2, 3, 4));
  EXPECT_THAT(parse_ranges("7-7"), ElementsAre(7));
}

TEST(Ranges, HoldTheLargestIds) {
  EXPECT_THAT(parse_ranges("18446744073709551615"), ElementsAre(largest));
  EXPECT_THAT(parse_ranges("18446744073709551613-18446744073709551615"),
              ElementsAre(largest - 2, largest - 1, largest));
  EXPECT_THAT(parse_ranges("0-18446744073709551615:9223372036854775807"),
              ElementsAre(0, largest / 2, largest - 1));
  EXPECT_THAT(parse_ranges("0-18446744073709551615:18446744073709551615"), ElementsAre(0, largest));
  for (const Ids& ids :
       {Ids{0, largest}, Ids{largest - 2, largest - 1, largest}, Ids{0, largest / 2, largest - 1}})
    EXPECT_EQ(parse_ranges(to_ranges(ids)), ids) << to_ranges(ids);
}

TEST(Ranges, ComeBackAsTheyWere) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 1000; ++round) {
    Ids ids;
    for (std::uint64_t id = random() % 4; ids.size() < random() % 40;
         id += 1 + random() % (round % 2 ? 3 : 1000))
      ids.push_back(id);
    EXPECT_EQ(parse_ranges(to_ranges(ids)), ids) << to_ranges(ids);
  }
}

TEST(Ranges, RefuseWhatIsNoListOfIds) {
  for (auto text :
       {"x",   ",",    "1,", "1-2,", "1-",    "-1",    "1,,2", ",1", "5:2",
        "5:",  "1 ",   " 1", "1-2:", "1-2-3", "1:2:3", "0x10", "+1", "18446744073709551616",
        "5-2", "1-5:0"})
    EXPECT_EQ(kind_of_refusal(text), ErrorKind::usage) << text;
}

TEST(Ranges, RefuseMoreIdsThanTheLimit) {
  EXPECT_EQ(parse_ranges("1-10", 10).size(), 10u);
  EXPECT_EQ(kind_of_refusal("1-11", 10), ErrorKind::usage);
  EXPECT_EQ(kind_of_refusal("1-5,11-16", 10), ErrorKind::usage);
  EXPECT_EQ(kind_of_refusal("0-18446744073709551615"), ErrorKind::usage);
}

TEST(Glob, MatchesLikeAShell) {
  EXPECT_TRUE(matches_glob("MPI_*", "MPI_Send"));
  EXPECT_FALSE(matches_glob("MPI_*", "PMPI_Send"));
  EXPECT_TRUE(matches_glob("*", ""));
  EXPECT_TRUE(matches_glob("f?", "f1"));
  EXPECT_FALSE(matches_glob("f?", "f"));
  EXPECT_TRUE(matches_glob("[a-c]x", "bx"));
  EXPECT_FALSE(matches_glob("[!a-c]x", "bx"));
  EXPECT_TRUE(matches_glob("\\*", "*"));
  EXPECT_FALSE(matches_glob("\\*", "x"));
  EXPECT_TRUE(matches_glob("*", "a/b"));
  EXPECT_FALSE(matches_glob("main", "main2"));
}

TEST(Glob, MatchesOneNameWhereThatIsQuoted) {
  for (const std::string name : {"main", "operator*(int*)", "a[b]?", "back\\slash"}) {
    EXPECT_TRUE(matches_glob(quote_glob(name), name)) << name;
    EXPECT_FALSE(matches_glob(quote_glob(name), name + "x")) << name;
  }
  EXPECT_FALSE(matches_glob(quote_glob("f(int*)"), "f(int&)"));
  EXPECT_FALSE(matches_glob(quote_glob("f(int*)"), "f(int, char)"));
}

TEST(Glob, TakesANullByteForItself) {
  using namespace std::string_view_literals;
  EXPECT_FALSE(matches_glob("a", "a\0b"sv));
  EXPECT_FALSE(matches_glob("a*\0b"sv, "ac"));
  EXPECT_TRUE(matches_glob("a\0b"sv, "a\0b"sv));
}

TEST(Glob, MatchesAnyOfMany) {
  EXPECT_TRUE(matches_any({"a", "b*"}, "bc"));
  EXPECT_FALSE(matches_any({"a", "b*"}, "c"));
  EXPECT_FALSE(matches_any({}, ""));
}

TEST(WithoutCount, CutsOffWhatAReductionHasPutThere) {
  EXPECT_EQ(strip_count("15× MPI Rank 1"), "MPI Rank 1");
  for (auto name : {"", "15", "15x Rank", "× Rank", "Rank 15× 2", "15×Rank"})
    EXPECT_EQ(strip_count(name), name);
}

}  // namespace tracefold::ranges_test
