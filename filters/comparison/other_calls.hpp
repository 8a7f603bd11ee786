// Finds how the calls of two runs differ, each as far up as that is so:
//
//   A: main > solve > dot > MPI_Allreduce    B: the same, but solve calls dot three times as often:
//                                            one change, of dot, with MPI_Allreduce
//
// Calls that one caller makes in one run only are one change, too: A calls MPI_Allreduce where B
// calls MPI_Reduce and MPI_Bcast. A function that another one calls now has moved. Pure.
#pragma once

#include "filters/comparison/call_figures.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

struct OtherCalls {
  enum class Kind : std::uint8_t {
    other,  // the caller makes these calls in one run only
    often,  // it makes them more often, or less
    moved   // another caller makes them
  };
  Kind kind = Kind::other;
  std::size_t caller = no_node;  // not of what has moved
  double ratio = 1;              // of what is called more often: in B, by A
  // The nodes of the calls: those that only that run has, or, of calls made more often, all in
  // both.
  std::vector<std::size_t> in_a, in_b;
  // Functions of which this is the largest change: those that are called, and what they call. Each
  // is in one change only.
  std::vector<ClassIndex> classes;
};

// Whether something is called as often in each iteration, of which B has so many times as many; not
// where these are as many, or A does not call it.
bool follows_iterations(double visits_a, double visits_b, double iterations);

// `iterations`: how many times as often B calls what it calls in each iteration; that is no change.
std::vector<OtherCalls> list_other_calls(const JoinedRuns& runs, double iterations);

}  // namespace tracefold
