#include "filters/similarity_table.hpp"

#include "filters/process_names.hpp"
#include "lattice/closure.hpp"
#include "lattice/similarity.hpp"
#include "model/error.hpp"

namespace tracefold {

namespace {

lattice::Matrix between_intents(const Plan& plan, Compared by, bool subsumption) {
  std::vector<lattice::Set> sets;
  for (const auto& intent : plan.intents) {
    auto set = compared_set(intent, by);
    sets.push_back(subsumption && by == Compared::pairs ? lattice::closure(set) : std::move(set));
  }
  return subsumption ? lattice::subsumption_matrix(sets) : lattice::similarity_matrix(sets);
}

// The processes of a group by intent, weighted.
std::vector<double> shares_of(const Plan& plan, const Group& group) {
  std::vector<double> shares(plan.intents.size());
  double all = 0;
  for (auto m : group.members) shares[plan.processes[m].intent] += static_cast<double>(plan.processes[m].weight), all += static_cast<double>(plan.processes[m].weight);
  for (auto& share : shares) share /= all;
  return shares;
}

}  // namespace

SimilarityTable similarity_table(const Plan& plan, Compared by, bool subsumption) {
  if (!plan.groups) throw Error(ErrorKind::usage, "the plan has no groups").hint("run 'tracefold group' first");
  SimilarityTable table;
  table.measure = subsumption ? "subsumption" : "similarity";
  table.attribute = word_of(by);
  std::vector<std::vector<double>> shares;
  for (const auto& group : *plan.groups) {
    auto& row = table.groups.emplace_back();
    row.processes = condensed_names(plan, group.members);
    for (auto m : group.members) row.count += plan.processes[m].weight;
    row.attributes = compared_set(plan.intents[group.intents.front()], by).size();
    shares.push_back(shares_of(plan, group));
  }
  const auto matrix = between_intents(plan, by, subsumption);
  const auto& groups = *plan.groups;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    auto& row = table.values.emplace_back(groups.size(), 1.0);
    for (std::size_t h = 0; h < groups.size(); ++h) {
      if (g == h) continue;  // a group is like itself, however it came about
      row[h] = 0;
      for (auto i : groups[g].intents)
        for (auto j : groups[h].intents) row[h] += shares[g][i] * shares[h][j] * matrix.at(i, j);
    }
  }
  return table;
}

}  // namespace tracefold
