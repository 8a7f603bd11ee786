// The groups of a run as a report shows them. Pure.
#pragma once

#include "model/report/report.hpp"
#include "model/summary/run_facts.hpp"
#include "model/summary/summary.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// A page has no more groups; of more, those with most processes, and the others as one.
inline constexpr std::size_t most_report_groups = 512;

// Processes of the plan in the order of ranks and threads; those without a rank behind them, by
// their owner.
std::vector<std::uint32_t> order_processes(const std::vector<Process>& processes);

// Fills the groups with their times, and `group_of`. `reasons` and `representatives` are of the
// groups of the facts; empty where they are not known.
void list_report_groups(const RunFacts& facts, const Summary& summary,
                        const std::vector<GroupReason>& reasons,
                        const std::vector<std::vector<std::size_t>>& representatives,
                        Report& report);

}  // namespace tracefold
