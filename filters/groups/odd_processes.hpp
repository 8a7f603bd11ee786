// Finds processes that compute far more or less than the others of their group.
//
// By its computation c over all functions, or in one of those whose times the plan has, a process
// is odd where |c - median| > 5 · 1.4826 · MAD, and > 1 % of the run. Median and MAD (median
// absolute deviation) are those of its class, or of its group where that is no two classes; of
// fewer than 4 processes none is odd.
//
// A group is two classes of at least two processes where 2-means makes the sum of |c - median| so
// much smaller as it makes that of evenly spread values in fewer than 1 of 100 cases: to a
// twentieth of it for 4 or 5 processes, to a quarter for 16 and more; and where the means of the
// classes differ by over 1 % of the run.
//
// Source: docs/science.md, "Which rows stay".
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

struct Plan;

// What Representative::why begins with for these, and for what stands for an odd class.
inline constexpr std::string_view odd_sign = "odd: ";

struct OddProcess {
  std::size_t process = 0;
  std::string why;  // "odd: 3.0 times the median in compute_forces"
};

// The smaller one of the two classes of a group; of equal ones that which computes more.
struct OddClass {
  std::size_t group = 0;
  std::vector<std::size_t> members;  // ascending
  std::string why;                   // "odd: one of 8 that take 2.0 times the others in solve"
};

struct OddProcesses {
  // At most 8, those that are farthest from their median; ascending by process.
  std::vector<OddProcess> alone;
  std::vector<OddClass> classes;  // ascending by group
};

// The plan has groups. Processes whose records end early are not among them. None where functions
// are left out: their callers have their times, of waiting, too.
OddProcesses find_odd_processes(const Plan& plan);

// By function: whether time in it is computation, and no waiting for an accelerator.
std::vector<bool> list_computing(const Plan& plan);

}  // namespace tracefold
