// How the iterations of a reduced trace were folded, as the plan beside it tells, and as a trace
// that is reduced again carries it on.
//
// Source: dynamics 4.1.5 (the time series is reconstructed from clusters).
#pragma once

#include "model/iterations/kept_folds.hpp"
#include "otf2/archive.hpp"

#include <optional>

namespace tracefold {

struct Plan;

// None where nothing is stored of the trace, or no iteration was folded. Throws Error(input) if the
// plan beside the trace is not the one that it was written with.
std::optional<KeptFolds> read_kept_folds(const Archive& archive);

// Puts what is stored of the kept processes of a trace that was reduced before into its plan.
// Without loops if iterations are folded for a second time: what they stand for is then not known.
// Throws as above.
void carry_folds(const Archive& archive, Plan& plan);

}  // namespace tracefold
