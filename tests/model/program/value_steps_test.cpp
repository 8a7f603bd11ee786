#include "model/program/value_steps.hpp"

#include "base/error.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <random>

namespace tracefold::value_steps_test {

__extension__ using Wide = unsigned __int128;

constexpr auto largest = std::numeric_limits<std::uint64_t>::max();
constexpr unsigned some_percents[] = {1, 2, 5, 10, 50};

std::uint64_t distance(std::uint64_t a, std::uint64_t b) {
  return a > b ? a - b : b - a;
}

// Whether the step of a value is the nearest, the lower one of two, and near enough.
bool is_right(const ValueSteps& steps, std::uint64_t value) {
  const auto step = steps.find_step(value);
  const auto away = distance(steps.find_value(step), value);
  const bool lower_is_farther = step == 0 || distance(steps.find_value(step - 1), value) > away;
  const bool upper_is_no_nearer =
      steps.find_value(step) == largest || distance(steps.find_value(step + 1), value) >= away;
  return lower_is_farther && upper_is_no_nearer &&
         Wide{away} * 100 <= Wide{value} * steps.percent();
}

TEST(ValueSteps, AreWithinTheirPercentForAllSmallValues) {
  for (const auto percent : some_percents) {
    const ValueSteps steps(percent);
    std::uint64_t wrong = 0;
    for (std::uint64_t value = 0; value <= 1'000'000; ++value)
      wrong += !is_right(steps, value);
    EXPECT_EQ(wrong, 0u) << percent;
  }
}

TEST(ValueSteps, AreWithinTheirPercentForValuesOfEverySize) {
  std::mt19937_64 random(1);
  for (const auto percent : some_percents) {
    const ValueSteps steps(percent);
    std::uint64_t wrong = 0;
    for (int k = 0; k < 200'000; ++k)
      wrong += !is_right(steps, random() >> (random() % 64));
    for (const auto value : {largest, largest - 1, largest / 2, largest / 2 + 1})
      wrong += !is_right(steps, value);
    EXPECT_EQ(wrong, 0u) << percent;
  }
}

TEST(ValueSteps, ChangeInTheMiddleBetweenTheirValues) {
  for (const auto percent : some_percents) {
    const ValueSteps steps(percent);
    for (std::uint64_t step = 0; steps.find_value(step) < largest; ++step) {
      const auto value = steps.find_value(step), next = steps.find_value(step + 1);
      const auto middle = value + (next - value) / 2;
      EXPECT_EQ(steps.find_step(value), step);
      EXPECT_EQ(steps.find_step(middle), step);
      EXPECT_EQ(steps.find_step(middle + 1), step + 1);
    }
  }
}

TEST(ValueSteps, FollowTheirFormula) {
  const ValueSteps steps(1);
  Wide value = 1;
  EXPECT_EQ(steps.find_value(0), 0u);
  for (std::uint64_t step = 1; value < largest; ++step) {
    EXPECT_EQ(steps.find_value(step), static_cast<std::uint64_t>(value));
    value = std::max(value + 1, value * 101 / 99);
  }
  EXPECT_EQ(steps.find_value(steps.find_step(largest)), largest);
  EXPECT_EQ(steps.find_step(largest), 2101u);
  EXPECT_EQ(steps.find_value(200), 597u);
  EXPECT_EQ(steps.find_value(2'000), 2471022260601088982u);
}

TEST(ValueSteps, AreTheValuesThemselvesWithoutError) {
  const ValueSteps steps(0);
  for (const auto value : {std::uint64_t{0}, std::uint64_t{12'345'678'901}, largest}) {
    EXPECT_EQ(steps.find_step(value), value);
    EXPECT_EQ(steps.find_value(value), value);
  }
}

TEST(ValueSteps, RefuseWhatIsNone) {
  EXPECT_THROW(ValueSteps(1).find_value(2102), Error);
  EXPECT_THROW(ValueSteps(1).find_value(largest), Error);
  EXPECT_THROW(ValueSteps(51), Error);
  EXPECT_THROW(ValueSteps(1'000'000), Error);
}

}  // namespace tracefold::value_steps_test
