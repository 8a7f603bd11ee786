#include "filters/select.hpp"

#include "filters/profile_vectors.hpp"
#include "lattice/medoid.hpp"
#include "model/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace tracefold {

Choice choice_of(std::string_view word) {
  if (word == "first") return Choice::first;
  if (word == "medoid") return Choice::medoid;
  if (word == "slowest") return Choice::slowest;
  throw Error(ErrorKind::usage, fmt::format("'{}' is no way to choose a representative", word)).hint("first, medoid or slowest");
}

namespace {

std::uint64_t time_of(const Process& p) { return std::accumulate(p.exclusive.begin(), p.exclusive.end(), p.rest); }

// Index into group.members.
std::size_t choose(const Plan& plan, const Group& group, const std::vector<std::size_t>& candidates, Choice choice) {
  if (choice == Choice::first) return candidates.front();
  if (choice == Choice::slowest)
    return *std::max_element(candidates.begin(), candidates.end(), [&](auto a, auto b) {
      const auto ta = time_of(plan.processes[group.members[a]]), tb = time_of(plan.processes[group.members[b]]);
      return ta != tb ? ta < tb : a > b;
    });
  std::vector<std::uint64_t> weights;
  for (auto m : group.members) weights.push_back(plan.processes[m].weight);
  return lattice::medoid(profile_vectors(plan, group), weights, candidates);
}

std::string reason(Choice choice, std::size_t members, bool from_kept) {
  if (members == 1) return "only member";
  std::string words = choice == Choice::first ? "lowest id" : choice == Choice::medoid ? "medoid of exclusive times" : "most time";
  return from_kept ? words + " among members of kept processes" : words;
}

}  // namespace

void select(Plan& plan, Choice choice) {
  if (!plan.groups) throw Error(ErrorKind::usage, "the plan has no groups").hint("run 'tracefold group' before 'tracefold select'");
  const auto& groups = *plan.groups;
  std::vector<Representative> chosen(groups.size());
  std::set<std::uint64_t> kept_processes;
  const auto select_one = [&](std::size_t g, bool prefer_kept) {
    const auto& group = groups[g];
    std::vector<std::size_t> candidates;
    for (std::size_t k = 0; prefer_kept && k < group.members.size(); ++k)
      if (kept_processes.contains(plan.processes[group.members[k]].location_group)) candidates.push_back(k);
    const bool from_kept = !candidates.empty() && candidates.size() < group.members.size();
    if (candidates.empty()) {
      candidates.resize(group.members.size());
      std::iota(candidates.begin(), candidates.end(), std::size_t{0});
    }
    const auto process = group.members[choose(plan, group, candidates, choice)];
    chosen[g] = {static_cast<std::uint32_t>(g), process, group.members, reason(choice, group.members.size(), from_kept)};
    kept_processes.insert(plan.processes[process].location_group);
  };
  const auto has_listed = [&](const Group& group) {
    return std::any_of(group.members.begin(), group.members.end(), [&](auto m) { return plan.processes[m].listed; });
  };
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (has_listed(groups[g])) select_one(g, false);
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (!has_listed(groups[g])) select_one(g, true);
  plan.representatives = std::move(chosen);
}

}  // namespace tracefold
