// Makes the groups of a report. Pure.
#pragma once

#include "model/report/report.hpp"
#include "model/summary/run_facts.hpp"
#include "model/summary/summary.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

// The largest number of groups on a page: those with most processes; the others are shown as one.
inline constexpr std::size_t most_report_groups = 512;

// The processes of the plan in the order of ranks and threads, followed by those without a rank, by
// owner.
std::vector<std::uint32_t> order_processes(const std::vector<Process>& processes);

// Fills the groups with their times, and `group_of`. `reasons` and `representatives` are by group
// of the facts; empty where not known.
void list_report_groups(const RunFacts& facts, const Summary& summary,
                        const std::vector<GroupReason>& reasons,
                        const std::vector<std::vector<std::size_t>>& representatives,
                        Report& report);

}  // namespace tracefold
