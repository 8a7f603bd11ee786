// Summaries of runs for people and programs. Several ones stand beside each other, with how
// computation scales from the first one on.
#pragma once

#include "model/summary/summary.hpp"

#include <string>
#include <vector>

namespace tracefold {

struct SummaryView {
  bool per_process = false;  // each rank by itself
};

std::string to_table(const std::vector<Summary>& runs, const SummaryView& view);
std::string to_csv(const std::vector<Summary>& runs, const SummaryView& view);
std::string to_json(const std::vector<Summary>& runs, const SummaryView& view);

}  // namespace tracefold
