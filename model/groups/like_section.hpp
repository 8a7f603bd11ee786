// The plan's section `like`: that groups, representatives and iterations are those of another run,
// and where that run does not fit. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

struct LikeSection {
  std::string run;              // the reduced trace, or the plan, as its name was given
  std::uint64_t processes = 0;  // of that run
  std::uint64_t groups = 0;     // of that run
  // Each process is in the group of the one with its rank and thread; else groups were told by what
  // their processes call.
  bool is_by_place = false;
  std::vector<std::string> misfits = {};  // what does not fit, each a clause without an end

  bool operator==(const LikeSection&) const = default;
};

}  // namespace tracefold
