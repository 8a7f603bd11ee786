// Call pairs that only samples show differ from process to process by chance alone, so no two
// processes would be alike. This finds the processes that do the same as far as samples can tell,
// and gives all of them the pairs that any of them shows.
//
// Only processes with the same instrumented call pairs are compared. Two of them are told apart
// where chance cannot explain that one shows a pair and the other does not. Say that one has n
// samples, x of which show the pair, and the other has m samples, none of which shows it. If both
// did the same, that would happen with probability (n / (n + m))^x; below 1e-7 they are told apart.
// So a rare pair, or a process with few samples, tells nothing apart: where n = m, the pair has to
// be in 24 samples. Processes with many samples are looked at first, and each process joins those
// that it is most alike.
//
// A process without any sample is always told apart from one with 24 samples or more: it is what
// another tool or another unit recorded, such as the CPU that a thread ran on.
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
