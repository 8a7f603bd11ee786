#include "filters/profile/unknown_counters.hpp"

#include "model/plan.hpp"
#include "model/profile/metric_kind.hpp"

#include <algorithm>
#include <cstddef>

namespace tracefold {

namespace {

// Intents list metrics as "energy of GPU #,power of GPU #".
bool is_recorded_without_calls(const Plan& plan, const std::string& name) {
  const auto kind = "," + name_metric_kind(name) + ",";
  return std::any_of(plan.intents.begin(), plan.intents.end(), [&](const PlanIntent& intent) {
    const auto& metrics = intent.set.metrics;
    return std::any_of(metrics.begin(), metrics.end(), [&](const std::string& names) {
      return ("," + names + ",").find(kind) != std::string::npos;
    });
  });
}

bool has_any_in_calls(const CallPathProfiles& profiles, std::size_t column) {
  for (std::size_t p = 0; p < profiles.processes.size(); ++p)
    for (std::size_t k = 0; k < profiles.shape(p).paths.size(); ++k)
      if (profiles.value(p, k, column) > 0)
        return true;
  return false;
}

}  // namespace

std::vector<bool> find_unknown_counters(const Plan& plan, const CallPathProfiles& profiles) {
  const auto& columns = profiles.columns;
  std::vector<bool> unknown;
  for (std::size_t c = 0; c < columns.counters.size(); ++c)
    unknown.push_back(is_recorded_without_calls(plan, columns.counters[c].name) &&
                      !has_any_in_calls(profiles, columns.measured.size() + c));
  return unknown;
}

}  // namespace tracefold
