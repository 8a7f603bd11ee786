// Whether it is known how long ranks wait: for each kind of communication that takes time, its
// records are there, and times of waiting were found in them. Pure.
#pragma once

#include "model/summary/run_facts.hpp"
#include "model/summary/summary.hpp"

#include <array>

namespace tracefold {

// `in_mpi`: seconds in MPI, by paradigm.
bool know_waiting(const Aggregates& calls, const std::array<double, paradigm_count>& in_mpi);

}  // namespace tracefold
