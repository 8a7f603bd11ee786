#include "model/chosen_iterations.hpp"

#include "base/ranges.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

namespace {

bool is_whole_in(const TimeSpans& spans, const Interval& iteration) {
  return std::any_of(spans.begin(), spans.end(), [&](const TimeSpan& span) {
    return span.begin <= iteration.begin && iteration.end <= span.end;
  });
}

}  // namespace

std::shared_ptr<const ChosenIterations> keep_whole(const ChosenIterations& chosen,
                                                   const TimeWindow& window) {
  std::vector<bool> is_whole(chosen.numbers.size(), true);
  for (const auto& [location, loop] : chosen.loops)
    for (std::size_t i = 0; i < loop.iterations.size(); ++i)
      is_whole[i] = is_whole[i] && is_whole_in(window.find_spans(location), loop.iterations[i]);

  auto kept = std::make_shared<ChosenIterations>();
  kept->functions = chosen.functions;
  for (std::size_t i = 0; i < is_whole.size(); ++i)
    if (is_whole[i])
      kept->numbers.push_back(chosen.numbers[i]);
  for (const auto& [location, loop] : chosen.loops) {
    auto left = loop;
    left.iterations.clear();
    left.orders.clear();
    left.ticks = 0;
    for (std::size_t i = 0; i < loop.iterations.size(); ++i)
      if (is_whole[i]) {
        left.add(loop.iterations[i], loop.begin_order(i));
        left.ticks += loop.iterations[i].end - loop.iterations[i].begin;
      }
    if (!left.iterations.empty())
      kept->loops.emplace(location, std::move(left));
  }

  return kept->loops.empty() ? nullptr : kept;
}

const std::vector<std::uint64_t>& list_iteration_numbers(const Plan& plan) {
  static const std::vector<std::uint64_t> from_zero;
  return plan.chosen ? plan.chosen->numbers : from_zero;
}

std::vector<std::uint64_t> number_iterations(const Plan& plan,
                                             const std::vector<std::uint32_t>& iterations) {
  std::vector<std::uint64_t> numbers;
  for (auto iteration : iterations)
    numbers.push_back(find_iteration_number(list_iteration_numbers(plan), iteration));
  return numbers;
}

std::string name_iterations(const Plan& plan, std::size_t first, std::size_t last) {
  const auto& numbers = list_iteration_numbers(plan);
  if (last < numbers.size())
    return to_ranges({numbers.begin() + static_cast<std::ptrdiff_t>(first),
                      numbers.begin() + static_cast<std::ptrdiff_t>(last + 1)});
  return first == last ? std::to_string(first) : fmt::format("{}-{}", first, last);
}

std::pair<std::size_t, std::size_t> find_iterations(const Plan& plan, std::uint64_t first,
                                                    std::uint64_t last) {
  const auto& numbers = list_iteration_numbers(plan);
  if (numbers.empty())
    return {first, last + 1};
  const auto place = [&](auto at) { return static_cast<std::size_t>(at - numbers.begin()); };
  return {place(std::lower_bound(numbers.begin(), numbers.end(), first)),
          place(std::upper_bound(numbers.begin(), numbers.end(), last))};
}

std::optional<std::size_t> find_iteration(const Plan& plan, std::uint64_t number) {
  const auto& numbers = list_iteration_numbers(plan);
  if (numbers.empty())
    return number;
  const auto at = std::lower_bound(numbers.begin(), numbers.end(), number);
  if (at == numbers.end() || *at != number)
    return std::nullopt;
  return static_cast<std::size_t>(at - numbers.begin());
}

}  // namespace tracefold
