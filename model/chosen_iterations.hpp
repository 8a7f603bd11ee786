// The iterations of an original's main loop to which a trace was cut (filter --iterations-only),
// under the numbers that they have there: iterations 3 and 70 are the first and the second one of
// the cut trace. They are its only loop, which is not searched for. Plain data.
//
// Source: dynamics 3 (iterations of the main loop).
#pragma once

#include "model/iterations/loops.hpp"
#include "model/profile/intent.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

struct Plan;
struct TimeWindow;

struct ChosenIterations {
  std::vector<std::uint64_t> numbers;  // ascending
  std::vector<Function> functions;     // of the loops
  // By location of the first original that has them: as many of the first of these iterations as it
  // has. Orders are those of the original.
  std::map<std::uint64_t, Loop> loops;
};

// Those that are whole in the window on all locations; null where there are none.
std::shared_ptr<const ChosenIterations> keep_whole(const ChosenIterations& chosen,
                                                   const TimeWindow& window);

// The number of the n-th iteration of a loop, from 0, or of its last one where it has fewer.
// `numbers` are those of its iterations; empty: they are 0, 1, 2, …
inline std::uint64_t find_iteration_number(const std::vector<std::uint64_t>& numbers,
                                           std::size_t iteration) {
  return numbers.empty() ? iteration : numbers[std::min(iteration, numbers.size() - 1)];
}
// The numbers of the iterations of a plan's loops; empty as above.
const std::vector<std::uint64_t>& list_iteration_numbers(const Plan& plan);
std::vector<std::uint64_t> number_iterations(const Plan& plan,
                                             const std::vector<std::uint32_t>& iterations);
// "7", "8-15", or "3,70-72": the numbers of the iterations from `first` to `last`.
std::string name_iterations(const Plan& plan, std::size_t first, std::size_t last);
// The iterations with numbers from `first` to `last`, as the first one and the one behind the last;
// both are the same where there are none.
std::pair<std::size_t, std::size_t> find_iterations(const Plan& plan, std::uint64_t first,
                                                    std::uint64_t last);
// The iteration with this number, if there may be one.
std::optional<std::size_t> find_iteration(const Plan& plan, std::uint64_t number);

}  // namespace tracefold
