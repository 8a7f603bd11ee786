// Reports which processes make others wait, and why, from what is known of all processes of a
// program.
//
// Source: Böhme et al. 2010 (delays); pipeline/delays/find_delays.hpp says how they are charged.
#pragma once

#include "filters/messages/sum_matrix.hpp"
#include "model/messages/waiting_report.hpp"

namespace tracefold {

WaitingReport report_waiting(const RankPairs& of);

}  // namespace tracefold
