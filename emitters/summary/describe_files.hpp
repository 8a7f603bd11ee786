// Which files take the time of a run, in at most three sentences: the largest by themselves, and
// all others together. None where they take less than 2 % of the time of all ranks.
//
//   38.1 MiB written to shared.out by all 4 ranks in 30.3 ms each, 315 MiB/s each (54 % of the run)
//
// Pure.
#pragma once

#include "emitters/summary/headline_names.hpp"

#include <string>
#include <vector>

namespace tracefold {

std::vector<std::string> describe_files(const Summary& summary, const HeadlineNames& names);

}  // namespace tracefold
