// Who sends messages to whom and waits for whom, with so few rows that a page can show it: of more
// ranks, as many neighbours share a row as need be. Pure.
#pragma once

#include "model/report/report.hpp"
#include "model/summary/run_facts.hpp"

#include <cstddef>
#include <optional>

namespace tracefold {

inline constexpr std::size_t most_matrix_rows = 256, most_listed_pairs = 12;

// The groups of the report are there. None where nothing is known of messages.
std::optional<ReportMatrix> sum_rank_matrix(const RunFacts& facts, const Report& report,
                                            bool knows_waiting);

}  // namespace tracefold
