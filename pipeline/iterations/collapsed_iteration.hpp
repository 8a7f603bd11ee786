// The iteration that a region of a reduced trace stands for, by the region's name:
// "iteration ≈ #3 of loop 2".
//
// Source: docs/design.md, the rule "collapsed iterations".
#pragma once

#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <system_error>

namespace tracefold {

struct CollapsedIteration {
  std::size_t loop = 0;       // from 0
  std::size_t iteration = 0;  // of the original
};

// None if the name does not tell it.
inline std::optional<CollapsedIteration> find_collapsed_iteration(std::string_view name) {
  const auto find_number = [&](std::string_view before) -> std::optional<std::size_t> {
    const auto at = name.find(before);
    if (at == std::string_view::npos)
      return std::nullopt;

    const auto rest = name.substr(at + before.size());
    std::size_t number = 0;
    const auto [end, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    return problem == std::errc() ? std::optional(number) : std::nullopt;
  };

  const auto iteration = find_number("#");
  const auto loop = find_number(" of loop ").value_or(1);
  if (!iteration || loop == 0)
    return std::nullopt;
  return CollapsedIteration{loop - 1, *iteration};
}

}  // namespace tracefold
