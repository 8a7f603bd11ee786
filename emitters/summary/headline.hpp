// The sentences that begin a summary: how much of the time is useful, what costs most and who
// causes it, and where most of the waiting is. One sentence per line.
#pragma once

#include "emitters/layout.hpp"
#include "model/summary/summary.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

std::vector<std::string> write_headline(const Summary& summary,
                                        NameLength names = NameLength::shortened);

// What of the time is useful, of threads where these are known; none where neither MPI nor threads
// are.
std::optional<double> find_useful(const Efficiencies& efficiencies);
// "the main loop", "the run", …; what is unsure is said to be.
std::string describe_part(const Summary& summary);
// "two loops of 10 (ranks 0-5) and 50 iterations (ranks 6-7)"; where parts of the ranks differ.
std::string describe_rank_loops(const Summary& summary);
// "late sender", "wait at barrier", …
const char* name_wait(Metric metric);
// "MPI point-to-point"
const char* name_paradigm(Paradigm paradigm);

}  // namespace tracefold
