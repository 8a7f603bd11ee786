// The names of regions that stand for iterations in a reduced trace: "iteration ≈ #3".
//
// Source: docs/design.md, the rule "collapsed iterations".
#pragma once

#include "model/profile/intent.hpp"

#include <string_view>

namespace tracefold {

inline constexpr std::string_view stand_in_name = "iteration ≈ #";

inline bool is_stand_in(std::string_view name) {
  return name.starts_with(stand_in_name);
}
inline bool is_stand_in(const Function& function) {
  return function.artificial && is_stand_in(function.name);
}

}  // namespace tracefold
