// Call pairs that only samples show differ from process to process by chance alone, so no two
// processes would be alike. This finds the processes that do the same as far as samples can tell,
// and gives all of them the pairs that any of them shows.
//
// Processes with the same instrumented call pairs are compared, and parted where chance is no
// reason that one shows a pair and the other never does: of n and m samples, x show the pair, all
// of the n. If both did the same, that would happen with probability (n / (n + m))^x; below 1e-7
// they are told apart. A process with many samples comes before one with fewer, and a process goes
// to those that it is most alike. So a pair that is rare, or processes of few samples, part
// nothing: of two processes with as many samples, one has to show the pair in 24. A process without
// any sample is not like one that has as many: what another tool or another unit recorded, such as
// the CPU that a thread ran on.
//
// The result does not depend on the order of threads. Source: dynamics 5.4.2 (what is only
// statistically right must not tell things apart, and the union is the more complete call tree).
#pragma once

#include "model/profile/profile.hpp"

#include <span>

namespace tracefold {

// Profiles of processes, in the order of these; those of processes that neither call nor were
// sampled stay as they are. What samples show becomes part of each intent, and the functions are
// those of the intent then.
void share_sampled_pairs(std::span<Profile* const> profiles);

}  // namespace tracefold
