// Questions of `summary --what-if`: what the run would take with a change. Several act together.
#pragma once

#include <string>
#include <vector>

namespace tracefold {

struct WhatIf {
  enum class Kind {
    factor,   // the time of functions, by so much
    balance,  // all are in these functions as long as the median, in each iteration
    network,  // messages and operations take no time beyond what they wait for
  };
  Kind kind = Kind::factor;
  std::string pattern = {};  // of functions (function_names.hpp)
  double factor = 1;
};

// Of "compute=0.5", "balance:stencil" and "network:ideal". Throws Error(usage).
std::vector<WhatIf> parse_what_if(const std::vector<std::string>& words);

}  // namespace tracefold
