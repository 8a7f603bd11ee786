// The plan's section `like`: groups, representatives and iterations are taken from another run, and
// where that run does not fit. Plain data.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

struct LikeSection {
  std::string run;              // the reduced trace or the plan, as it was given
  std::uint64_t processes = 0;  // of that run
  std::uint64_t groups = 0;     // of that run
  // Each process is in the group of the process with its rank and thread in that run. Otherwise
  // groups were assigned by the functions that processes call.
  bool is_by_place = false;
  std::vector<std::string> misfits = {};  // each a clause without a full stop

  bool operator==(const LikeSection&) const = default;
};

}  // namespace tracefold
