#include "model/united_runs.hpp"

#include "model/process_names.hpp"

#include <algorithm>

namespace tracefold {

std::vector<std::vector<std::size_t>> UnitedRuns::split(
    const std::vector<std::size_t>& processes) const {
  std::vector<std::vector<std::size_t>> out(plans.size());
  for (auto p : processes) {
    const auto after = std::upper_bound(begins.begin(), begins.end(), p);
    const auto run = static_cast<std::size_t>(after - begins.begin()) - 1;
    out[run].push_back(p - begins[run]);
  }
  return out;
}

std::vector<std::uint64_t> UnitedRuns::count(const std::vector<std::size_t>& processes) const {
  const auto of = split(processes);
  std::vector<std::uint64_t> out;
  for (std::size_t r = 0; r < of.size(); ++r)
    out.push_back(count_processes(plans[r], of[r]));
  return out;
}

std::vector<std::string> UnitedRuns::name(const std::vector<std::size_t>& processes) const {
  const auto of = split(processes);
  std::vector<std::string> out;
  for (std::size_t r = 0; r < of.size(); ++r)
    if (!of[r].empty())
      out.push_back(name_run_letter(r) + ": " + list_places(plans[r], of[r]));
  return out;
}

std::vector<RunShare> list_shares(const UnitedRuns& runs) {
  std::vector<RunShare> out;
  for (std::size_t r = 0; r < runs.plans.size(); ++r)
    out.push_back({runs.names[r], count_processes(runs.plans[r], list_processes(runs.plans[r]))});
  return out;
}

}  // namespace tracefold
