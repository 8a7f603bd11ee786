#include "tests/filters/correlation/made_views.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>

namespace tracefold::correlation::correlator_test {

using namespace testing;
using Sizes = std::vector<std::size_t>;

constexpr double near = 1e-5;

// Figure 1 of the paper: peaks along the first axis, every second point of the second one idle.
struct FigureOne {
  View both, peaks, rows;

  FigureOne() {
    const View p{4, 3, 0, 3, 4, 3, 0, 3};
    const View e{1, 0, 1, 0, 1, 0, 1, 0};
    for (auto along_first : p)
      for (auto along_second : e) {
        both.push_back(along_first * along_second);
        peaks.push_back(along_first);
        rows.push_back(along_second);
      }
  }
};

TEST(FigureOne, HasThePlainCorrelationsOfThePaper) {
  const FigureOne figure;
  const auto grid = make_grid({8, 8}, 3);
  const auto plain = correlate_plainly(grid, figure.both.data(),
                                       make_batch({figure.both, figure.peaks, figure.rows}).data());

  EXPECT_NEAR(plain[0], 1, 1e-12);
  EXPECT_NEAR(plain[1], 0.4575, 1e-4);
  EXPECT_NEAR(plain[2], 0.7625, 1e-4);
}

TEST(FigureOne, HasTheFilteredCorrelationsOfThePaper) {
  const FigureOne figure;

  for (const auto* kernels : list_kernels()) {
    const Correlator correlator(make_grid({8, 8}, 1), {}, *kernels);
    const auto matches = correlate_all(correlator, {figure.both, figure.peaks, figure.rows});
    EXPECT_NEAR(matches[1].r, std::sqrt(30.0 / 37), near) << kernels->name;
    EXPECT_NEAR(matches[1].r, 0.90045, near);
    EXPECT_EQ(matches[1].shift, Shift{});
    EXPECT_EQ(matches[2].r, 0) << "rows alone, exactly";
  }
}

TEST(FigureOne, FindsShiftedPeaks) {
  const FigureOne figure;
  View shifted(64);
  for (std::size_t p = 0; p < 64; ++p)
    shifted[(p + 8) % 64] = figure.peaks[p];

  const Correlator correlator(make_grid({8, 8}, 1), {});
  const auto match = correlate_two(correlator, figure.both, shifted);
  EXPECT_NEAR(match.r, std::sqrt(30.0 / 37), near);
  EXPECT_EQ(match.shift, (Shift{1}));
  EXPECT_LT(match.unshifted, 0.1);
}

// r is the value of the largest size; the shift one of those that reach it.
void expect_as_defined(const Correlator& correlator, const View& a, const View& b) {
  const auto& grid = correlator.grid();
  const auto plain = correlate_by_definition(grid, a, b);
  const auto match = correlate_two(correlator, a, b);

  double largest = 0;
  for (auto value : plain.values)
    largest = std::max(largest, std::abs(value));
  EXPECT_NEAR(std::abs(match.r), largest, near);

  const auto place = find_point(grid, match.shift);
  EXPECT_NEAR(plain.values[place], match.r, near);
  EXPECT_NEAR(plain.values[0], match.unshifted, near);
}

TEST(Correlator, AgreesWithTheDefinitionForAllFiltersAndShapes) {
  std::mt19937_64 random(7);

  for (const auto* kernels : list_kernels())
    for (const auto& sizes : {Sizes{7}, Sizes{5, 3}, Sizes{6, 1}, Sizes{8, 1, 3}, Sizes{2, 2, 2, 2},
                              Sizes{3, 2, 1, 2, 2, 1, 2, 2}})
      for (unsigned chosen = 1; chosen <= all_axes(sizes); ++chosen) {
        const auto grid = make_grid(sizes, chosen);
        bool varies = false;
        for (const auto& axis : grid.axes)
          varies |= axis.chosen && axis.size > 1;
        if (!varies)
          continue;

        SCOPED_TRACE(::testing::PrintToString(sizes) + ", filter " + std::to_string(chosen) + ", " +
                     kernels->name);
        const Correlator correlator(grid, {}, *kernels);
        expect_as_defined(correlator, make_noise(grid.count_points(), random),
                          make_noise(grid.count_points(), random));
      }
}

TEST(Correlator, AgreesWithTheDefinitionOnSparseGrids) {
  std::mt19937_64 random(8);

  for (const auto& sizes : {Sizes{7}, Sizes{5, 3}, Sizes{4, 4, 3}})
    for (unsigned chosen = 1; chosen <= all_axes(sizes); ++chosen) {
      auto grid = make_grid(sizes, chosen);
      for (std::size_t p = 0; p < grid.count_points(); ++p)
        grid.present.push_back(p % 4 != 1);
      SCOPED_TRACE(::testing::PrintToString(sizes) + ", filter " + std::to_string(chosen));

      auto a = make_noise(grid.count_points(), random);
      auto b = make_noise(grid.count_points(), random);
      expect_as_defined(Correlator(grid, {}), a, b);
    }
}

TEST(Correlator, DoesNotDependOnTheInstructionSet) {
  std::mt19937_64 random(9);
  std::vector<View> views;
  for (int v = 0; v < 32; ++v)
    views.push_back(make_noise(12 * 19, random));

  const auto grid = make_grid({12, 19}, 3);
  const auto expected = correlate_all(Correlator(grid, {}, *list_kernels().front()), views);
  for (const auto* kernels : list_kernels()) {
    const auto found = correlate_all(Correlator(grid, {}, *kernels), views);
    for (std::size_t v = 0; v < views.size(); ++v) {
      EXPECT_NEAR(found[v].r, expected[v].r, near) << kernels->name;
      EXPECT_EQ(found[v].shift, expected[v].shift);
    }
  }
}

TEST(Correlator, IsSymmetricAndShiftsNegate) {
  std::mt19937_64 random(10);

  for (bool sparse : {false, true})
    for (int round = 0; round < 10; ++round) {
      auto grid = make_grid({9, 5}, 1 + static_cast<unsigned>(round) % 3);
      if (sparse)
        for (std::size_t p = 0; p < 45; ++p)
          grid.present.push_back(random() % 3 != 0);
      const Correlator correlator(grid, {});

      const auto a = make_noise(45, random);
      const auto b = make_noise(45, random);
      const auto forth = correlate_two(correlator, a, b);
      const auto back = correlate_two(correlator, b, a);
      EXPECT_NEAR(forth.r, back.r, near);
      EXPECT_EQ(forth.shift[0], -back.shift[0]);
      EXPECT_EQ(forth.shift[1], -back.shift[1]);
    }
}

TEST(Correlator, IsPearsonWhereAllAxesCountAndNothingIsShifted) {
  std::mt19937_64 random(11);

  for (bool sparse : {false, true}) {
    auto grid = make_grid({6, 5, 2}, 7);
    if (sparse)
      for (std::size_t p = 0; p < 60; ++p)
        grid.present.push_back(p % 7 != 2);
    const Correlator correlator(grid, {});

    const auto a = make_noise(60, random);
    const auto b = make_noise(60, random);
    const auto plain = correlate_plainly(grid, a.data(), make_batch({b}).data());
    EXPECT_NEAR(correlate_two(correlator, a, b).unshifted, plain[0], near);
  }
}

TEST(Correlator, DoesNotSeeScaleNorWhatVariesAlongFilteredOutAxesOnly) {
  std::mt19937_64 random(12);

  for (bool periodic : {true, false})
    for (bool sparse : {false, true}) {
      auto grid = make_grid({8, 6}, 1, periodic);
      if (sparse)
        for (std::size_t p = 0; p < 48; ++p)
          grid.present.push_back(random() % 4 != 0);
      const Correlator correlator(grid, {});

      const auto a = make_noise(48, random);
      const auto b = make_noise(48, random);
      auto changed = b;
      for (std::size_t p = 0; p < 48; ++p)
        changed[p] = 1e6 * b[p] + 1e9 * static_cast<double>((p % 6) * (p % 6));

      const auto expected = correlate_two(correlator, a, b);
      const auto found = correlate_two(correlator, a, changed);
      EXPECT_NEAR(found.r, expected.r, near);
      EXPECT_EQ(found.shift, expected.shift);
    }
}

TEST(Correlator, ObeysTheTriangleInequality) {
  std::mt19937_64 random(13);

  for (bool periodic : {true, false})
    for (bool sparse : {false, true})
      for (unsigned chosen = 1; chosen <= 3; ++chosen) {
        auto grid = make_grid({5, 4}, chosen, periodic);
        if (sparse)
          for (std::size_t p = 0; p < 20; ++p)
            grid.present.push_back(p % 5 != 3);
        const Correlator correlator(grid, {});

        for (int round = 0; round < 20; ++round) {
          const auto a = make_noise(20, random);
          const auto b = make_noise(20, random);
          const auto c = make_noise(20, random);
          const auto distance = [&](const View& first, const View& second) {
            return std::acos(correlate_two(correlator, first, second).largest);
          };
          EXPECT_LE(distance(a, c), distance(a, b) + distance(b, c) + 1e-4f);
        }
      }
}

TEST(Correlator, FindsNothingInWhatDoesNotVary) {
  std::mt19937_64 random(14);
  const View noise = make_noise(35, random);
  const View constant(35, 1e9 / 3);
  View along_second(35);
  for (std::size_t p = 0; p < 35; ++p)
    along_second[p] = 0.1 * static_cast<double>(p % 7);

  const Correlator correlator(make_grid({5, 7}, 1), {});
  EXPECT_EQ(correlate_two(correlator, noise, constant).r, 0);
  EXPECT_EQ(correlate_two(correlator, constant, noise).r, 0);
  EXPECT_EQ(correlate_two(correlator, noise, along_second).r, 0);
  EXPECT_EQ(correlate_two(correlator, noise, View(35)).r, 0);
}

TEST(Correlator, ResolvesSmallVariationsOfLargeValues) {
  std::mt19937_64 random(15);
  const auto a = make_noise(64, random);
  View b(64);
  for (std::size_t p = 0; p < 64; ++p)
    b[(p + 3) % 64] = 1e12 - a[p];

  const auto match = correlate_two(Correlator(make_grid({64}, 1), {}), a, b);
  EXPECT_NEAR(match.r, -1, 1e-3);
  EXPECT_EQ(match.shift, (Shift{3}));
}

TEST(Peak, IsTheShortestShiftOfSeveralThatAreEqual) {
  View a(12);
  for (std::size_t p = 0; p < 12; ++p)
    a[p] = p % 3 == 0;
  View b(12);
  for (std::size_t p = 0; p < 12; ++p)
    b[(p + 2) % 12] = a[p];

  const auto match = correlate_two(Correlator(make_grid({12}, 1), {}), a, b);
  EXPECT_NEAR(match.r, 1, near);
  EXPECT_EQ(match.shift, (Shift{-1})) << "2, 5, 8 and 11 are equal";
}

TEST(Peak, IsTheFirstInOrderOfTwoEquallyShortShifts) {
  const View a{1, 0, 0, 0, 0, 0, 0, 0};
  const View b{0, 1, 0, 0, 0, 0, 0, 1};

  const auto match = correlate_two(Correlator(make_grid({8}, 1), {}), a, b);
  EXPECT_EQ(match.shift, (Shift{1}));
}

TEST(Peak, KeepsToTheLargestShift) {
  std::mt19937_64 random(16);
  const auto a = make_noise(64, random);
  View b(64);
  for (std::size_t p = 0; p < 64; ++p)
    b[(p + 5) % 64] = a[p];

  const auto grid = make_grid({64}, 1);
  EXPECT_NEAR(correlate_two(Correlator(grid, {5, false}), a, b).r, 1, near);
  const auto match = correlate_two(Correlator(grid, {4, false}), a, b);
  EXPECT_LT(match.r, 0.9);
  EXPECT_LE(std::abs(match.shift[0]), 4);
  EXPECT_EQ(correlate_two(Correlator(grid, {0, false}), a, b).shift, Shift{});
}

TEST(Peak, DoesNotGoAroundTheEndOfAnAxisThatIsNotPeriodic) {
  View a(20);
  View b(20);
  a[19] = 1;
  b[0] = 1;

  EXPECT_NEAR(correlate_two(Correlator(make_grid({20}, 1, true), {}), a, b).r, 1, near);
  EXPECT_NEAR(correlate_two(Correlator(make_grid({20}, 1, false), {{}, true}), a, b).r, 1, near);
  EXPECT_LT(std::abs(correlate_two(Correlator(make_grid({20}, 1, false), {}), a, b).r), 0.1);
}

// R of every shift without what comes in again at the other end, for a grid where all axes count.
TEST(Peak, LeavesOutExactlyThePairsBeyondTheEnd) {
  std::mt19937_64 random(17);
  const auto a = make_noise(6 * 5, random);
  const auto b = make_noise(6 * 5, random);
  const auto grid = make_grid({6, 5}, 3, false);
  const auto first = prepare_plainly(grid, a);
  const auto second = prepare_plainly(grid, b);

  double best = 0;
  double squares_a = 0;
  double squares_b = 0;
  for (std::size_t p = 0; p < 30; ++p) {
    squares_a += first[p] * first[p];
    squares_b += second[p] * second[p];
  }
  for (int down = -3; down <= 3; ++down)
    for (int right = -2; right <= 2; ++right) {
      double sum = 0;
      for (int y = 0; y < 6; ++y)
        for (int x = 0; x < 5; ++x) {
          if (y + down < 0 || y + down >= 6 || x + right < 0 || x + right >= 5)
            continue;
          sum += first[static_cast<std::size_t>(5 * y + x)] *
                 second[static_cast<std::size_t>(5 * (y + down) + x + right)];
        }
      sum /= std::sqrt(squares_a * squares_b);
      if (std::abs(sum) > std::abs(best))
        best = sum;
    }

  EXPECT_NEAR(correlate_two(Correlator(grid, {}), a, b).r, best, near);
}

TEST(Bound, IsNeverBelowWhatIsFound) {
  std::mt19937_64 random(18);
  std::vector<View> views;
  for (int v = 0; v < 32; ++v)
    views.push_back(make_noise(40, random));

  for (bool periodic : {true, false}) {
    const Correlator correlator(make_grid({8, 5}, 1, periodic), {});
    const auto values = make_batch(views);
    auto room = correlator.make_room();
    auto spectra = correlator.make_spectra();
    correlator.transform(values.data(), spectra, room);

    for (std::size_t v : {0, 20}) {
      const auto query = correlator.make_query(spectra, v);
      const auto sizes = correlator.find_strengths(spectra, v);
      const auto matches = correlator.correlate(query, values.data(), room);
      for (std::size_t w = 0; w < views.size(); ++w) {
        EXPECT_LE(std::abs(matches[w].r), matches[w].largest);
        EXPECT_LE(matches[w].largest, bound(sizes, correlator.find_strengths(spectra, w)) + 1e-5f);
      }
      EXPECT_NEAR(bound(sizes, sizes), 1, near);
      EXPECT_NEAR(matches[v].r, 1, near);
      EXPECT_EQ(matches[v].shift, Shift{});
    }
  }
}

TEST(Grid, RefusesWhatCannotBeCorrelated) {
  EXPECT_THROW(check(make_grid({}, 1)), Error);
  EXPECT_THROW(check(make_grid({1, 1, 1, 1, 1, 1, 1, 1, 2}, 511)), Error);
  EXPECT_THROW(check(make_grid({4, 0}, 3)), Error);
  EXPECT_THROW(check(make_grid({4, 4}, 0)), Error);
  EXPECT_THROW(check(make_grid({1, 4}, 1)), Error);
  EXPECT_THROW(check(make_grid({1 << 20, 1 << 20}, 3)), Error);

  auto grid = make_grid({4, 4}, 3);
  grid.present.assign(16, false);
  grid.present[3] = true;
  EXPECT_THROW(check(grid), Error);
  grid.present[4] = true;
  EXPECT_NO_THROW(check(grid));

  // What is taken has to differ along a chosen axis, and along no other.
  for (auto& axis : grid.axes)
    axis.chosen = &axis == &grid.axes.back();
  EXPECT_THROW(check(grid), Error) << "(0, 3) and (1, 0) are of two rows";
  grid.present[6] = true;
  EXPECT_NO_THROW(check(grid));
}

// A shift beyond half of an axis is found where it is asked for; around an axis it is one the other
// way.
TEST(Shifts, GoAsFarAsIsAskedFor) {
  View a(16, 1.0);
  View b(16, 1.0);
  a[1] = 9;
  a[2] = 4;
  b[13] = 9;
  b[14] = 4;
  const auto correlate = [&](bool periodic, std::optional<std::size_t> most) {
    return correlate_two(Correlator(make_grid({16}, 1, periodic), {most, false}), a, b);
  };

  EXPECT_EQ(correlate(false, 15).shift[0], 12);
  EXPECT_GT(correlate(false, 15).r, 0.9);
  EXPECT_GT(correlate(false, 1000).r, 0.9);
  EXPECT_EQ(correlate(false, 12).shift[0], 12);
  EXPECT_LT(correlate(false, 11).r, 0.6);
  EXPECT_LT(correlate(false, {}).r, 0.6) << "half of the axis";
  EXPECT_EQ(correlate(true, 15).shift[0], -4);
  EXPECT_NEAR(correlate(true, 15).r, 1, near);
}

}  // namespace tracefold::correlation::correlator_test
