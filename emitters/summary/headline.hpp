// What begins a summary: a sentence on what costs most, who causes it, and what would be gained,
// which fits two lines of a terminal; and short lines with labels, as in
//
//   Largest loss: load balance: rank 3 computes 2.00 s, the others 1.00 s; without that 3.00 s
//   instead of 4.00 s (25 % less).
//   useful: 60 % of the time in the main loop
//   where: mostly in solve, called by step
//   waiting: rank 3 reaches MPI_Allreduce last; the others wait 3.00 s together there
//
// No line names anybody else than the sentence does, where that names somebody.
#pragma once

#include "emitters/layout.hpp"
#include "model/summary/summary.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

std::vector<std::string> write_headline(const Summary& summary,
                                        NameLength names = NameLength::shortened);

// "rank 3 took as long for solve as the other ranks"
std::string describe_gain(const Summary& summary, const Gain& gain, NameLength names);
// "10-12", "7-39:8", "4"; empty where they are no certain ones.
std::string describe_iterations(const Summary& summary, const SomeIterations& iterations);
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
