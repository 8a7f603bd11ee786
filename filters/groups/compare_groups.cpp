#include "filters/groups/compare_groups.hpp"

#include "base/error.hpp"
#include "filters/groups/comparison.hpp"
#include "lattice/similarity.hpp"
#include "model/plan.hpp"
#include "model/united_runs.hpp"

#include <fmt/format.h>

#include <map>

namespace tracefold {

namespace {

lattice::Matrix compare_sets(const ComparedProcesses& compared, GroupMeasure measure) {
  const bool is_subsumption = measure == GroupMeasure::subsumption;
  std::vector<lattice::Set> sets;
  sets.reserve(compared.sets.size());
  for (const auto& set : compared.sets)
    sets.push_back(is_subsumption ? compared.measure.add_implied(set.attributes) : set.attributes);

  return is_subsumption ? lattice::compute_subsumption_matrix(sets)
                        : lattice::compute_similarity_matrix(sets);
}

// For each set that processes of a group have, the part of the group's processes that have it.
using Shares = std::map<std::size_t, double>;

Shares find_shares(const Plan& plan, const Group& group, const std::vector<std::size_t>& set_of) {
  Shares shares;
  double all = 0;
  for (auto member : group.members) {
    const auto weight = static_cast<double>(plan.processes[member].weight);
    shares[set_of[member]] += weight;
    all += weight;
  }

  for (auto& [set, share] : shares)
    share /= all;

  return shares;
}

double average(const lattice::Matrix& matrix, const Shares& rows, const Shares& columns) {
  double sum = 0;
  for (auto [row, row_share] : rows)
    for (auto [column, column_share] : columns)
      sum += row_share * column_share * matrix.at(row, column);

  return sum;
}

}  // namespace

SimilarityTable compare_groups(const Plan& plan, const Comparison& comparison,
                               GroupMeasure measure) {
  if (!plan.groups)
    throw Error(ErrorKind::usage, "the plan has no groups").hint("run 'tracefold group' first");

  const auto compared = compare_processes(plan, comparison);
  const auto& sets = compared.sets;

  if (sets.size() > most_tabulated_sets)
    throw Error(
        ErrorKind::input,
        fmt::format("{} processes that differ are too many to compare each with each (at most {})",
                    sets.size(), most_tabulated_sets))
        .hint("compare less of them: `by` functions, `ignore` GLOB");

  SimilarityTable table;
  table.measure = measure == GroupMeasure::subsumption ? "subsumption" : "similarity";
  table.attribute = to_text(comparison.by);
  std::vector<Shares> shares;

  for (const auto& group : *plan.groups) {
    auto& row = table.groups.emplace_back();
    row.count = count_processes(plan, group.members);
    row.attributes = sets[compared.set_of[group.members.front()]].attributes.size();
    shares.push_back(find_shares(plan, group, compared.set_of));
  }

  const auto matrix = compare_sets(compared, measure);

  // A group is like itself, even where its processes differ from each other.
  for (std::size_t g = 0; g < shares.size(); ++g) {
    auto& row = table.values.emplace_back();
    for (std::size_t h = 0; h < shares.size(); ++h)
      row.push_back(g == h ? 1 : average(matrix, shares[g], shares[h]));
  }

  return table;
}

SimilarityTable compare_groups(const UnitedRuns& runs, const Comparison& comparison,
                               GroupMeasure measure) {
  auto table = compare_groups(runs.all, comparison, measure);
  table.runs = list_shares(runs);
  for (std::size_t g = 0; g < table.groups.size(); ++g) {
    const auto& members = runs.all.groups->at(g).members;
    table.groups[g].of_runs = runs.count(members);
    table.groups[g].places = runs.name(members);
  }
  return table;
}

}  // namespace tracefold
