// Call pairs that only samples show differ between processes by chance, so no two processes would
// be equal. This finds the processes that do the same as far as samples can tell, and gives all of
// them the pairs of any of them.
//
// Only processes with the same instrumented call pairs are compared. Two processes are different if
// chance cannot explain that only one shows a pair. Suppose that one has n samples, x of them with
// the pair, and the other one has m samples without it. If both did the same, this would have the
// probability (n / (n + m))^x; below 1e-7 they are different. So rare pairs and processes with few
// samples decide nothing: with n = m, the pair must be in 24 samples. Processes with many samples
// come first, and each process joins the most similar ones.
//
// A process without samples always differs from one with 24 samples or more: another tool or unit
// recorded it, such as the CPU that a thread ran on.
//
// The result does not depend on the order of threads. Source: dynamics 5.4.2 (what is only
// statistically right must not distinguish, and the union is the more complete call tree).
#pragma once

#include "model/profile/profile.hpp"

#include <span>

namespace tracefold {

// `profiles` are in the order of processes; those without calls and samples stay unchanged. Pairs
// from samples become part of the intents, and functions are then those of the intent.
void share_sampled_pairs(std::span<Profile* const> profiles);

}  // namespace tracefold
