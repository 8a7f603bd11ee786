// What a correlation of views found: tables for people, CSV and JSON for programs.
//
// In a table control characters of names are shown as '?'; CSV quotes as RFC 4180 says; in all
// three, what is no UTF-8 becomes U+FFFD. CSV and JSON give times in seconds; a trace without a
// clock counts as one of 10^9 ticks a second. Shifts are steps along axes, by their names.
#pragma once

#include "model/correlation/correlation.hpp"

#include <cstddef>
#include <string>

namespace tracefold {

struct Plan;

// The `most` first findings, clusters or explanations; 0: all. The table of explanations has a
// sentence for each.
std::string to_table(const Plan& plan, const CorrelationReport& report, std::size_t most);
std::string to_table(const Plan& plan, const ClusterReport& report, std::size_t most);
std::string to_table(const Plan& plan, const ExplanationReport& report, std::size_t most);

std::string to_csv(const Plan& plan, const CorrelationReport& report, std::size_t most);
std::string to_csv(const Plan& plan, const ClusterReport& report, std::size_t most);
std::string to_csv(const Plan& plan, const ExplanationReport& report, std::size_t most);

std::string to_json(const Plan& plan, const CorrelationReport& report, std::size_t most);
std::string to_json(const Plan& plan, const ClusterReport& report, std::size_t most);
std::string to_json(const Plan& plan, const ExplanationReport& report, std::size_t most);

}  // namespace tracefold
