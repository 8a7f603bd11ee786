#include "filters/correlation/chance.hpp"
#include "tests/filters/correlation/made_views.hpp"

#include <gmock/gmock.h>

namespace tracefold::correlation::chance_test {

using namespace testing;

// The chance of what the first view has in common with the others together. Surrogates may be made
// on another grid.
SurrogateMaxima find_maxima(const Correlator& correlator, const std::vector<View>& views,
                            const Correlator& of_surrogates) {
  const auto values = make_batch(views);
  auto room = correlator.make_room();
  auto spectra = correlator.make_spectra();
  auto surrogate_spectra = correlator.make_spectra();
  correlator.transform(values.data(), spectra, room);

  const Surrogates surrogates(of_surrogates, values.data(), 0);
  std::vector<double> made(values.size());
  SurrogateMaxima maxima(surrogates_of_a_kind);

  for (auto kind : {SurrogateKind::phases, SurrogateKind::order})
    for (std::size_t first = 0; first < surrogates_of_a_kind; first += batch_views) {
      surrogates.make(kind, first, made.data());
      correlator.transform(made.data(), surrogate_spectra, room);

      for (auto n = first; n < std::min(first + batch_views, surrogates_of_a_kind); ++n) {
        const auto query = correlator.make_query(surrogate_spectra, n - first);
        const auto largest = correlator.find_largest(query, spectra, room);
        auto& all = kind == SurrogateKind::phases ? maxima.phases : maxima.order;
        for (std::size_t v = 1; v < views.size(); ++v)
          all[n] = std::max(all[n], largest[v]);
      }
    }
  return maxima;
}

SurrogateMaxima find_maxima(const Correlator& correlator, const std::vector<View>& views) {
  return find_maxima(correlator, views, correlator);
}

double find_chance(const Correlator& correlator, const std::vector<View>& views, std::size_t view) {
  return find_maxima(correlator, views).find_chance(correlate_all(correlator, views)[view].r);
}

TEST(Chance, IsHighForTwoSpikes) {
  View a(64);
  View b(64);
  a[9] = 5;
  b[27] = 7;

  for (bool periodic : {true, false}) {
    const Correlator correlator(make_grid({8, 8}, 3, periodic), {});
    EXPECT_GT(std::abs(correlate_two(correlator, a, b).r), 0.9);
    EXPECT_GT(find_chance(correlator, {a, b}, 1), usual_chance);
  }
}

// One pair in twenty looks like more than luck, since that is what 0.05 means. Around a periodic
// axis a walk has to come back to where it began.
TEST(Chance, IsHighForTwoRandomWalks) {
  std::mt19937_64 random(21);

  for (bool periodic : {true, false}) {
    const Correlator correlator(make_grid({128}, 1, periodic), {});
    const auto make = [&] {
      auto walk = make_walk(128, random);
      const auto end = walk.back();
      for (std::size_t p = 0; p < 128 && periodic; ++p)
        walk[p] -= end * static_cast<double>(p + 1) / 128;
      return walk;
    };

    int alike = 0;
    int low = 0;
    for (int round = 0; round < 200; ++round) {
      const auto a = make();
      const auto b = make();
      alike += std::abs(correlate_two(correlator, a, b).r) > 0.8f;
      low += find_chance(correlator, {a, b}, 1) <= usual_chance;
    }
    EXPECT_GE(alike, 10) << "many look alike, and still:";
    EXPECT_LE(low, 18) << "10 are expected, with a deviation of 3";
  }
}

// A field that knows nothing of the ends of the grid: means over squares of 7 x 7 of noise.
View make_smooth(std::size_t side, std::mt19937_64& random) {
  constexpr std::size_t width = 7;
  const auto noise = make_noise((side + width) * (side + width), random);
  View view(side * side);
  for (std::size_t p = 0; p < view.size(); ++p)
    for (std::size_t down = 0; down < width; ++down)
      for (std::size_t right = 0; right < width; ++right)
        view[p] += noise[(p / side + down) * (side + width) + p % side + right];
  return view;
}

// Without mirrors, surrogates of an axis with ends are far too rough: nearly half of all queries
// would have a false finding.
TEST(Chance, IsHighForSmoothFieldsOnlyWhereAxesWithEndsAreMirrored) {
  std::mt19937_64 random(25);
  const Correlator correlator(make_grid({8, 8}, 3, false), {});
  const Correlator around(make_grid({8, 8}, 3, true), {});

  int low = 0;
  int low_around = 0;
  for (int round = 0; round < 60; ++round) {
    std::vector<View> views;
    for (int v = 0; v < 12; ++v)
      views.push_back(make_smooth(8, random));

    const auto matches = correlate_all(correlator, views);
    float best = 0;
    for (std::size_t v = 1; v < views.size(); ++v)
      best = std::max(best, std::abs(matches[v].r));
    low += find_maxima(correlator, views).find_chance(best) <= usual_chance;
    low_around += find_maxima(correlator, views, around).find_chance(best) <= usual_chance;
  }
  EXPECT_LE(low, 8);
  EXPECT_GE(low_around, 16);
}

TEST(Chance, IsHighForNoiseHoweverManyViewsThereAre) {
  std::mt19937_64 random(22);
  const Correlator correlator(make_grid({8, 8}, 3), {});

  int low = 0;
  for (int round = 0; round < 20; ++round) {
    std::vector<View> views;
    for (int v = 0; v < 32; ++v)
      views.push_back(make_noise(64, random));
    const auto matches = correlate_all(correlator, views);
    const auto maxima = find_maxima(correlator, views);

    float best = 0;
    for (std::size_t v = 1; v < views.size(); ++v)
      best = std::max(best, std::abs(matches[v].r));
    low += maxima.find_chance(best) <= usual_chance;
  }
  EXPECT_LE(low, 3);
}

TEST(Chance, IsLowForWhatIsCausedByTheQuery) {
  std::mt19937_64 random(23);

  for (bool sparse : {false, true}) {
    auto grid = make_grid({8, 8}, 3, false);
    if (sparse)
      for (std::size_t p = 0; p < 64; ++p)
        grid.present.push_back(p % 9 != 4);

    const auto a = make_noise(64, random);
    auto b = make_noise(64, random);
    for (std::size_t p = 8; p < 64; ++p)
      b[p] = 1 - a[p - 8];
    const Correlator correlator(grid, {});
    const auto match = correlate_two(correlator, a, b);
    EXPECT_LT(match.r, -0.6);
    EXPECT_LE(find_chance(correlator, {a, b}, 1), 0.01);
  }
}

TEST(Surrogates, KeepTheSpectrumOrTheValues) {
  std::mt19937_64 random(24);
  const auto view = make_noise(45, random);
  const Correlator correlator(make_grid({9, 5}, 3), {});
  const auto values = make_batch({view});
  const Surrogates surrogates(correlator, values.data(), 0);
  const auto prepared = correlator.prepare(values.data(), 0);

  auto room = correlator.make_room();
  auto original = correlator.make_spectra();
  auto made = correlator.make_spectra();
  correlator.transform(values.data(), original, room);
  std::vector<double> batch(values.size());

  surrogates.make(SurrogateKind::phases, 0, batch.data());
  correlator.transform(batch.data(), made, room);
  const auto before = correlator.make_query(original, 0);
  for (std::size_t v : {0, 13, 16, 31}) {
    const auto after = correlator.make_query(made, v);
    for (std::size_t p = 0; p < 45; ++p)
      EXPECT_NEAR(std::hypot(before.factors[p].re, before.factors[p].im),
                  std::hypot(after.factors[p].re, after.factors[p].im), 1e-5);
  }

  surrogates.make(SurrogateKind::order, 32, batch.data());
  for (std::size_t v : {0, 31}) {
    std::vector<float> shuffled;
    for (std::size_t p = 0; p < 45; ++p)
      shuffled.push_back(static_cast<float>(batch[p * batch_views + v]));
    EXPECT_NE(shuffled, prepared);
    EXPECT_THAT(shuffled, ::testing::UnorderedElementsAreArray(prepared));
  }
}

// Along an axis with ends surrogates are as smooth as the mirrored view, also at the ends.
TEST(Surrogates, KeepTheCovarianceOfTheMirroredView) {
  constexpr std::size_t rows = 5;
  constexpr std::size_t columns = 6;
  std::mt19937_64 random(26);
  auto view = make_noise(rows * columns, random);
  for (std::size_t p = 0; p < view.size(); ++p)
    view[p] += static_cast<double>(p / columns);

  // One axis with ends, one without.
  auto grid = make_grid({rows, columns}, 3, false);
  grid.axes[1].periodic = true;
  const Correlator correlator(grid, {});
  const auto values = make_batch({view});
  const auto prepared = correlator.prepare(values.data(), 0);
  const auto take = [&](std::size_t row, std::size_t column) {
    const auto place = row % (2 * rows);
    return static_cast<double>(
        prepared[(place < rows ? place : 2 * rows - 1 - place) * columns + column % columns]);
  };
  const auto covariance = [&](std::size_t down, std::size_t right) {
    double sum = 0;
    for (std::size_t row = 0; row < 2 * rows; ++row)
      for (std::size_t column = 0; column < columns; ++column)
        sum += take(row, column) * take(row + down, column + right);
    return sum;
  };

  // Surrogates, many of them, at each place and one with its neighbours.
  const Surrogates surrogates(correlator, values.data(), 0);
  std::vector<double> made(values.size());
  std::vector<double> squares(rows * columns);
  double all = 0;
  double below = 0;
  double beside = 0;
  for (std::size_t first = 0; first < 8000; first += batch_views) {
    surrogates.make(SurrogateKind::phases, first, made.data());
    for (std::size_t v = 0; v < batch_views; ++v)
      for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t column = 0; column < columns; ++column) {
          const auto at = [&](std::size_t r, std::size_t c) {
            return made[(r * columns + c % columns) * batch_views + v];
          };
          const auto here = at(row, column);
          squares[row * columns + column] += here * here;
          if (row + 1 == rows)
            continue;
          all += here * here;
          below += here * at(row + 1, column);
          beside += here * at(row, column + 1);
        }
  }

  EXPECT_NEAR(below / all, covariance(1, 0) / covariance(0, 0), 0.02);
  EXPECT_NEAR(beside / all, covariance(0, 1) / covariance(0, 0), 0.02);
  for (auto square : squares)
    EXPECT_NEAR(square / squares[0], 1, 0.1);
}

TEST(SurrogateMaxima, CountsTheSurrogatesThatDoAsWell) {
  SurrogateMaxima maxima(3);
  maxima.phases = {0.2f, 0.5f, 0.9f};
  maxima.order = {0.1f, 0.1f, 0.6f};
  EXPECT_DOUBLE_EQ(maxima.find_chance(0.5f), 0.75);
  EXPECT_DOUBLE_EQ(maxima.find_chance(-0.95f), 0.25);

  SurrogateMaxima other(3);
  other.order = {1, 1, 1};
  maxima.raise(other);
  EXPECT_DOUBLE_EQ(maxima.find_chance(0.95f), 1);
}

}  // namespace tracefold::correlation::chance_test
