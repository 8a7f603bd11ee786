// Several runs of a program whose processes are compared as if all were of one. Plain data.
#pragma once

#include "model/groups/run_share.hpp"
#include "model/plan.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

struct UnitedRuns {
  std::vector<std::string> names;   // the files that were given, by run
  std::vector<Plan> plans;          // of each run, with its own functions
  std::vector<std::size_t> begins;  // by run: where its processes begin in `all`
  // The processes of all runs, one run after the other, with functions of all runs. Their numbers
  // of ranks and location groups are only there to be told apart. Has no representatives.
  Plan all;

  // By run: how many of these processes of `all` (indexes, ascending) are of it.
  std::vector<std::uint64_t> count(const std::vector<std::size_t>& processes) const;
  // "A: 0-3": which these are, a text for each run that has some.
  std::vector<std::string> name(const std::vector<std::size_t>& processes) const;

 private:
  // By run, as indexes of its own plan.
  std::vector<std::vector<std::size_t>> split(const std::vector<std::size_t>& processes) const;
};

std::vector<RunShare> list_shares(const UnitedRuns& runs);

}  // namespace tracefold
