// Finds which calls of two processes correspond: level by level of their call paths, and iteration
// by iteration of the main loop where both have the same one. On each level, the callees of a call
// are aligned by the names of their functions (align_sequences.hpp). Pure.
//
// Memory: 24 bytes for each call of a level, besides the trees.
#pragma once

#include "filters/comparison/function_names.hpp"
#include "model/comparison/call_alignment.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tracefold {

struct AlignedSide {
  const ProcessCalls& tree;
  const std::vector<Function>& functions;
  double seconds_per_tick = 1e-9;
};

inline constexpr std::size_t most_costly_calls = 10;

// What a call is aligned with.
struct PartnerCall {
  std::optional<CallChange> change;  // none: it is inside of a call that only one process makes
  std::uint32_t call = not_a_call;   // of the other process, where both make one
  double own = 0, other_own = 0;     // seconds without callees, where both make the same
};
struct CallPartners {
  std::vector<PartnerCall> a, b;  // by call
};

// Leaves the names of the processes empty. Fills `partners` where it is given, which takes 32 bytes
// for each call.
CallAlignment align_calls(const AlignedSide& a, const AlignedSide& b,
                          CallPartners* partners = nullptr);

}  // namespace tracefold
