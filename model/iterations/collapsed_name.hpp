// The names of regions that stand for iterations in a reduced trace: "iteration ≈ #3".
//
// Source: docs/design.md, the rule "collapsed iterations".
#pragma once

#include "model/profile/intent.hpp"

#include <string_view>

namespace tracefold {

inline constexpr std::string_view collapsed_name = "iteration ≈ #";

inline bool is_collapsed_iteration(std::string_view name) {
  return name.starts_with(collapsed_name);
}
inline bool is_collapsed_iteration(const Function& function) {
  return function.is_artificial() && is_collapsed_iteration(function.name);
}

}  // namespace tracefold
