#include "emitters/kept_processes.hpp"

#include "emitters/show_numbers.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

std::string describe_kept_only(const Plan& plan) {
  const bool stand_for_others = std::any_of(plan.processes.begin(), plan.processes.end(),
                                            [](const auto& p) { return p.weight > 1; });
  if (!stand_for_others)
    return {};
  return fmt::format("of the {} kept process{} only", show_count(plan.processes.size()),
                     plan.processes.size() == 1 ? "" : "es");
}

std::string write_kept_only_line(const Plan& plan) {
  auto words = describe_kept_only(plan);
  if (words.empty())
    return {};
  words.front() = 'O';
  return words + "; what the processes did that they stand for is not known.\n";
}

}  // namespace tracefold
