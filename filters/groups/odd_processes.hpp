// Finds processes that compute far more or less than the others of their group.
//
// A process is odd where |c - median| > 5 · 1.4826 · MAD, and > 1 % of the run, for its computation
// c over all functions, or in one of those whose times the plan has. Median and MAD
// (median absolute deviation) are those of its group; one of fewer than 4 processes has no odd
// ones.
//
// Source: docs/science.md, "Which rows stay".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

struct Plan;

// What Representative::why begins with for these.
inline constexpr std::string_view odd_sign = "odd: ";

struct OddProcess {
  std::size_t process = 0;
  std::string why;  // "odd: 3.0 times the median in compute_forces"
};

// At most 8, those that are farthest from their median; ascending by process. The plan has groups.
// Processes whose records end early are not among them. None where functions are left out: their
// callers have their times, of waiting, too.
std::vector<OddProcess> find_odd_processes(const Plan& plan);

// By function: whether time in it is computation, and no waiting for an accelerator.
std::vector<bool> list_computing(const Plan& plan);

}  // namespace tracefold
