// A matrix of messages and waiting between ranks that fits on a page: with more ranks, neighbouring
// ranks share a row. Pure.
#pragma once

#include "model/report/report.hpp"
#include "model/summary/run_facts.hpp"

#include <cstddef>
#include <optional>

namespace tracefold {

inline constexpr std::size_t most_matrix_rows = 256, most_listed_pairs = 12;

// The report must have its groups. None where messages are not known.
std::optional<ReportMatrix> sum_rank_matrix(const RunFacts& facts, const Report& report,
                                            bool knows_waiting);

}  // namespace tracefold
