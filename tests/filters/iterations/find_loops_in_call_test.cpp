#include "filters/iterations/find_loops_in_call.hpp"

#include <gmock/gmock.h>

#include <cstdint>
#include <string>

namespace tracefold::find_loops_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// One call per letter, one after the other; a capital letter takes 100 ticks, a
// small one 10, and * takes 1200.
std::vector<Call> calls(const std::string& letters) {
  std::vector<Call> out;
  std::uint64_t time = 1000;
  for (char c : letters) {
    const std::uint64_t ticks = c == '*' ? 1200 : c >= 'A' && c <= 'Z' ? 100 : 10;
    out.push_back({time, time + ticks, static_cast<FunctionIndex>(c)});
    time += ticks;
  }

  return out;
}

std::string times(std::size_t n, const std::string& letters) {
  std::string out;
  for (std::size_t k = 0; k < n; ++k)
    out += letters;
  return out;
}

// Each loop as "ABC 10": the calls of its first iteration, and how many there are.
std::vector<std::string> loops_in(const std::string& letters) {
  const auto all = calls(letters);
  std::vector<std::string> out;
  for (const auto& loop : find_loops_in_call(all, 0)) {
    std::string first;
    for (std::size_t k = 0; k < all.size(); ++k)
      if (all[k].begin >= loop.iterations[0].begin && all[k].end <= loop.iterations[0].end)
        first += letters[k];
    out.push_back(first + " " + std::to_string(loop.iterations.size()));
  }

  return out;
}

TEST(FindLoops, FindsTheBodyOfASteadyLoop) {
  EXPECT_THAT(loops_in(times(10, "A")), ElementsAre("A 10"));
  EXPECT_THAT(loops_in(times(10, "AB")), ElementsAre("AB 10"));
  EXPECT_THAT(loops_in(times(100, "ABbcCb")), ElementsAre("ABbcCb 100"));
}

TEST(FindLoops, LeavesOutWhatIsBeforeAndAfter) {
  EXPECT_THAT(loops_in("xyz" + times(10, "AB") + "uvw"), ElementsAre("AB 10"));
  EXPECT_THAT(loops_in("xAyBz" + times(10, "ABC") + "uBv"), ElementsAre("ABC 10"));
}

TEST(FindLoops, LeavesOutWarmUpPasses) {
  EXPECT_THAT(loops_in("xAyz" + times(8, "A") + "uv"), ElementsAre("A 8")) << "as in NPB BT";
  EXPECT_THAT(loops_in("MrtN" + times(4, "Mr") + "nt"), ElementsAre("Mr 4")) << "as in NPB MG";
  EXPECT_THAT(loops_in("ABABxyz" + times(20, "AB")), ElementsAre("AB 20"));
}

TEST(FindLoops, CallsAFirstStepThatEndsOtherwiseAWarmUpPass) {
  const auto loops = find_loops_in_call(calls("iABCz" + times(99, "ABC")), 0);

  ASSERT_EQ(loops.size(), 1U);
  EXPECT_EQ(loops[0].iterations.size(), 99U);
  EXPECT_EQ(loops[0].warm_up, 1U);
}

TEST(FindLoops, TellsAWarmUpPassApartByItsNeighbourhood) {
  EXPECT_THAT(loops_in("xyCisw"
                       "tCiswCiswCisw"
                       "uv"),
              ElementsAre("Cisw 3"))
      << "as in NPB CG";
}

TEST(FindLoops, BearsStepsThatDoMore) {
  EXPECT_THAT(loops_in(times(10, times(10, "AB") + "C")), ElementsAre("AB 100"));
  EXPECT_THAT(loops_in(times(5, times(100, "ABc") + "CDe")), ElementsAre("ABc 500"));
  EXPECT_THAT(loops_in(times(5, "CDe" + times(100, "ABc"))),
              ElementsAre(::testing::EndsWith("ABc 500")));
  EXPECT_THAT(loops_in(times(50, "AB") + "X" + times(50, "AB")), ElementsAre("AB 100"))
      << "once, in the middle";
}

TEST(FindLoops, TakesStepsOfWhichEveryFifthDoesMuchMoreInItsMidst) {
  // Neighbour lists are built again instead of an exchange.
  EXPECT_THAT(loops_in("m" + times(3, times(4, "iCFrf") + "iXBNNFrf") + "e"),
              ElementsAre("iCFrf 15"));
  EXPECT_THAT(loops_in("m" + times(8, times(4, "iCFrf") + "iXBNNFrf") + "e"),
              ElementsAre("iCFrf 40"));
}

TEST(FindLoops, TakesStepsWhereTheFirstOneThatDoesMoreComesEarly) {
  EXPECT_THAT(loops_in("m" + times(8, "aBcaBcXYaBc") + "e"), ElementsAre("aBc 24"));
  EXPECT_THAT(loops_in("m" + times(8, times(3, "aBc") + "XYZUV") + "e"),
              ElementsAre("aBcaBcaBcXYZUV 8"))
      << "an inner loop";
}

// `steps` of them; those that are `first`, `first` + 10 … write a checkpoint, which takes as long
// as ten steps.
std::string write_checkpoints(std::size_t steps, std::size_t first) {
  std::string out = "i";
  for (std::size_t step = 0; step < steps; ++step)
    out += step % 10 == first ? "Sec*" : "Sec";
  return out + "f";
}

TEST(FindLoops, TakesStepsOfWhichEveryTenthWritesACheckpoint) {
  for (std::size_t first = 0; first < 10; ++first)
    for (const std::size_t steps : {40, 45})
      EXPECT_THAT(loops_in(write_checkpoints(steps, first)),
                  ElementsAre(::testing::EndsWith(" " + std::to_string(steps))))
          << "step " << first << " is the first one that does";
  EXPECT_THAT(loops_in("i*" + times(4, times(6, "Sec") + "*") + "f"),
              ElementsAre(::testing::EndsWith(" 24")))
      << "before the first step, too";
}

TEST(FindLoops, TakesAnOuterLoopWithAnInnerOneThatIsPrepared) {
  EXPECT_THAT(loops_in("m" + times(6, "P" + times(10, "abc") + "X") + "e"),
              ElementsAre("P" + times(10, "abc") + "X 6"));
  EXPECT_THAT(loops_in("m" + times(6, times(3, "ab") + "X") + "e"), ElementsAre("abababX 6"))
      << "stages of an integrator";
  EXPECT_THAT(loops_in("m" + times(6, times(10, "A") + "X") + "e"),
              ElementsAre(times(10, "A") + "X 6"))
      << "one call again and again";
}

TEST(FindLoops, IsNotUnsureOfStepsThatDoMore) {
  const auto loops = find_loops_in_call(calls(times(8, times(4, "iCFrf") + "iXBNNFrf")), 0);
  ASSERT_EQ(loops.size(), 1u);
  ASSERT_EQ(loops[0].iterations.size(), 40u);
  EXPECT_EQ(rate_certainty(loops[0].confidence), Certainty::likely);
  EXPECT_EQ(rate_certainty(loops[0].confidence / 2), Certainty::likely)
      << "one of several loops of which an outer one is as good";
}

TEST(FindLoops, IsNotMisledByACallThatSomeStepsMakeOnceMore) {
  EXPECT_THAT(loops_in("m" + times(9, times(3, "aBcdEfgH") + "aBc") + "e"),
              ElementsAre(::testing::EndsWith(" 27")));
}

TEST(FindLoops, BearsCallsThatComeMoreOrLessOften) {
  std::string letters;
  for (int k = 0; k < 60; ++k)
    letters += "A" + times(3 + static_cast<std::size_t>(k * 7 % 5), "b") + "c";
  EXPECT_THAT(loops_in(letters), ElementsAre(::testing::HasSubstr(" 60")));
}

TEST(FindLoops, BeginsBehindTheAnchorWhereALoopEndsWithIt) {
  // As in NPB LU: the residual before the loop, and at the end of each pass.
  const auto sweeps = times(31, "xJbx") + times(31, "xUdx");
  EXPECT_THAT(loops_in("Rltt" + times(6, sweeps + "R") + "lt"), ElementsAre(sweeps + "R 6"));
}

TEST(FindLoops, LeavesOutWhatPreparesALoop) {
  EXPECT_THAT(loops_in("xbEa" + times(20, "bCErsva") + "aag"), ElementsAre("bCErsva 20"))
      << "as residuals before solvers";
  EXPECT_THAT(loops_in("xbbbEa" + times(3, times(6, "bCErsva") + "bCwErsva") + "aag"),
              ElementsAre("bCErsva 21"))
      << "some do more";
  EXPECT_THAT(loops_in("xbEa" +
                       times(9,
                             "bCErsva"
                             "bCErsvaw") +
                       "aag"),
              ElementsAre("bCErsva 18"));
}

TEST(FindLoops, TakesStepsOfOneCallWithAnotherOneBehindSomeOfThem) {
  EXPECT_THAT(loops_in("iSw" + times(48, "S") + "Swf"), ElementsAre("Sw 50"))
      << "output behind the first and the last step";
  EXPECT_THAT(loops_in("i" + times(4, "Sw" + times(24, "S")) + "f"), ElementsAre("Sw 100"))
      << "behind every 25th";
  EXPECT_THAT(loops_in("iSw" + times(49, "S") + "Sw" + times(49, "S") + "f"),
              ElementsAre("Sw 100"));
  EXPECT_THAT(loops_in("iS" + times(6, "xyz") + times(50, "S") + times(2, "xyz") + "f"),
              ElementsAre("xyz 6", "S 50"))
      << "another loop behind a step is not one call more";
}

TEST(FindLoops, TakesTheCasesOfASwitchAsOne) {
  std::string letters;
  for (std::size_t k = 0; k < 100; ++k)
    letters += std::string("a") + "CDEF"[(k * k * 7 + k / 3) % 4] + "bc";
  EXPECT_THAT(loops_in(letters), ElementsAre("aCbc 100")) << "as in 125.RAxML";
  EXPECT_THAT(loops_in(times(10, "bSbTbU")), ElementsAre("bSbTbU 10"))
      << "steps that barriers part";
}

TEST(FindLoops, TellsALoopBehindASwitchApart) {
  const std::string cases = "CDGGFCCGFDFDDCGDCFGC";
  std::string first;
  for (const auto letter : cases)
    first += std::string("b") + letter + "Ea";
  EXPECT_THAT(loops_in(first + "r" + times(30, "bSEa")), ElementsAre("bCEa 20", "bSEa 30"));
  EXPECT_THAT(loops_in(times(30, "bAEa") + "r" + first), ElementsAre("bAEa 30", "bCEa 20"))
      << "before one, whose function has the lowest number";
}

TEST(FindLoops, PrefersTheOuterLoopOfLoopsInEachOther) {
  EXPECT_THAT(loops_in(times(6, times(5, "AB") + times(5, "CD"))),
              ElementsAre("ABABABABABCDCDCDCDCD 6"));
  EXPECT_THAT(loops_in(times(10, "S" + times(20, "ab") + "T")),
              ElementsAre(::testing::HasSubstr(" 10")));
}

TEST(FindLoops, DoesNotTakeAMultipleOfThePeriod) {
  EXPECT_THAT(loops_in(times(12, "AB")), ElementsAre("AB 12"));
  EXPECT_THAT(loops_in(times(6, "ABAB")), ElementsAre("AB 12"));
}

TEST(FindLoops, FindsSeveralLoopsOneByOne) {
  EXPECT_THAT(loops_in(times(10, "AB") + "xyz" + times(20, "CD") + "w" + times(5, "EFg")),
              ElementsAre("AB 10", "CD 20", "EFg 5"));
  EXPECT_THAT(
      loops_in(times(10, "A") + times(10, "B") + times(10, "C") + times(10, "D") + times(10, "E")),
      ElementsAre("A 10", "B 10", "C 10", "D 10", "E 10"))
      << "as in 142.dmilc";
  EXPECT_THAT(loops_in(times(20, "bCEa") + "r" + times(30, "bSEa")),
              ElementsAre("bCEa 20", "bSEa 30"))
      << "with calls in common";
  EXPECT_THAT(loops_in(times(9, "bCEa") + "r" + times(9, "bSEa") + "u" + times(9, "bTEa")),
              ElementsAre("bCEa 9", "bSEa 9", "bTEa 9"));
}

TEST(FindLoops, FindsNoLoopWhereNothingRepeats) {
  EXPECT_THAT(loops_in(""), IsEmpty());
  EXPECT_THAT(loops_in("ABCDEFGHIJKLMNOP"), IsEmpty());
  EXPECT_THAT(loops_in("xABAByABzC"), IsEmpty()) << "three passes";
  EXPECT_THAT(loops_in("AAA"), IsEmpty());
  EXPECT_THAT(loops_in("bSbTbUbVbWb"), IsEmpty()) << "barriers between different steps";
}

// Calls of MPI: r receives, s sends, w waits, with the partner that follows, and A reduces.
std::vector<Call> mpi_calls(const std::string& letters) {
  std::vector<Call> out;
  std::uint64_t time = 1000;
  for (std::size_t k = 0; k < letters.size(); ++k) {
    Call call{time, time + 10, static_cast<FunctionIndex>(letters[k])};
    if (letters[k] != 'A')
      call.partner = static_cast<std::uint32_t>(letters[++k]);
    out.push_back(call);
    time += 20;
  }
  return out;
}

std::vector<std::size_t> count_mpi_iterations(const std::string& letters) {
  std::vector<std::size_t> out;
  for (const auto& loop : find_loops_in_call(mpi_calls(letters), 0.2, CallKey::place))
    out.push_back(loop.iterations.size());
  return out;
}

// Exchanged with x in one dimension and with y in the other, there and back.
const std::string forth = "sxrxsxrxsyrysyry", back = "syrysyrysxrxsxrx";

TEST(FindLoops, FindsStepsOfExchangesByTheirOrderAlone) {
  EXPECT_THAT(count_mpi_iterations("AAAA" + times(30, forth + back) + "AAA"), ElementsAre(30));
  EXPECT_THAT(count_mpi_iterations("AAAA" + times(3, times(10, forth + back) + "AA") + "AAA"),
              ElementsAre(30))
      << "output behind each tenth";
  EXPECT_THAT(count_mpi_iterations("AAAA" + times(3, times(9, forth + back) + "sxsyrxry" + back)),
              ElementsAre(30))
      << "in each tenth another exchange";
}

TEST(FindLoops, TakesTheOuterLoopOfInnerIterationsThatEndWhenTheyConverge) {
  const auto inner = forth + back + "A";
  EXPECT_THAT(count_mpi_iterations("AAAA" + times(5, inner) + "AA" + times(4, inner) + "AA" +
                                   times(2, inner) + "AA"),
              ElementsAre(3));
  EXPECT_THAT(count_mpi_iterations("sxAsx" + times(4, times(4, inner) + "AA")), ElementsAre(4));
  EXPECT_THAT(count_mpi_iterations("AAAA" + times(4, times(10, inner) + "AA")), ElementsAre(40))
      << "output behind each tenth";
}

TEST(FindLoops, FindsNoLoopInNoise) {
  std::uint64_t state = 1;
  for (int round = 0; round < 20; ++round) {
    std::string letters;
    for (int k = 0; k < 400; ++k) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      letters += static_cast<char>('A' + (state >> 33) % 20);
    }
    EXPECT_THAT(loops_in(letters), IsEmpty()) << letters;
  }
}

TEST(FindLoops, IsSureOfSteadyLoopsAndLessOfOthers) {
  const auto steady = find_loops_in_call(calls(times(20, "AB")), 0),
             uneven = find_loops_in_call(calls(times(10, "ABABABcd")), 0);
  EXPECT_EQ(rate_certainty(steady.at(0).confidence), Certainty::sure);
  ASSERT_FALSE(uneven.empty());
  EXPECT_LT(uneven[0].confidence, steady[0].confidence);
}

TEST(FindLoops, TellsTheFunctionThatTakesTheTime) {
  const auto one = find_loops_in_call(calls(times(10, "aBc")), 0),
             none = find_loops_in_call(calls(times(10, "ABCD")), 0);
  EXPECT_EQ(one.at(0).source, LoopSource::call_path);
  EXPECT_EQ(one.at(0).function, static_cast<FunctionIndex>('B'));
  EXPECT_EQ(none.at(0).source, LoopSource::sequence);
  EXPECT_EQ(none.at(0).function, static_cast<FunctionIndex>('A'));
}

TEST(FindLoops, NamesTheRunnerUp) {
  const auto loops = find_loops_in_call(calls(times(10, times(10, "AB") + "C")), 0);
  ASSERT_TRUE(loops.at(0).runner_up);
  EXPECT_EQ(loops[0].runner_up->iterations, 10u);
}

TEST(FindLoops, LeavesOutWhatIsTooShort) {
  const auto all = calls(times(10, "AB"));
  EXPECT_EQ(find_loops_in_call(all, 0.99).size(), 1u);
  EXPECT_THAT(find_loops_in_call(all, 1.01), IsEmpty());
}

TEST(FindLoops, PartsTimeWithoutGaps) {
  auto all = calls(times(5, "AB"));
  for (std::size_t k = 0; k < all.size(); ++k)
    all[k].begin += 7 * k, all[k].end += 7 * k;
  const auto loop = find_loops_in_call(all, 0).at(0);
  EXPECT_EQ(loop.begin(), all.front().begin);
  EXPECT_EQ(loop.end(), all.back().end);
  for (std::size_t i = 0; i + 1 < loop.iterations.size(); ++i)
    EXPECT_EQ(loop.iterations[i].end, loop.iterations[i + 1].begin);
}

TEST(FindLoops, TakesMillionsOfCallsInItsStride) {
  const auto loops = find_loops_in_call(calls(times(200000, "abcdE")), 0);
  EXPECT_EQ(loops.at(0).iterations.size(), 200000u);
}

}  // namespace tracefold::find_loops_test
