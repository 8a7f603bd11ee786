#include "filters/groups/similarity_table.hpp"

#include "base/error.hpp"
#include "filters/groups/comparison.hpp"
#include "filters/groups/process_names.hpp"
#include "lattice/closure.hpp"
#include "lattice/similarity.hpp"

#include <fmt/format.h>

#include <map>

namespace tracefold {

namespace {

lattice::Matrix between_sets(const std::vector<ComparedSet>& compared, CompareBy by,
                             bool subsumption) {
  std::vector<lattice::Set> sets;
  sets.reserve(compared.size());
  for (const auto& set : compared)
    sets.push_back(subsumption && by == CompareBy::pairs ? lattice::closure(set.elements)
                                                         : set.elements);

  return subsumption ? lattice::subsumption_matrix(sets) : lattice::similarity_matrix(sets);
}

// Which part of a group's processes, weighted, has which set.
using Shares = std::map<std::size_t, double>;

Shares shares_of(const Plan& plan, const Group& group, const std::vector<std::size_t>& set_of) {
  Shares shares;
  double all = 0;
  for (auto m : group.members) {
    const auto weight = static_cast<double>(plan.processes[m].weight);
    shares[set_of[m]] += weight;
    all += weight;
  }

  for (auto& [set, share] : shares)
    share /= all;

  return shares;
}

double average(const lattice::Matrix& matrix, const Shares& rows, const Shares& columns) {
  double sum = 0;
  for (auto [row, share] : rows)
    for (auto [column, other] : columns)
      sum += share * other * matrix.at(row, column);
  return sum;
}

}  // namespace

SimilarityTable similarity_table(const Plan& plan, const Comparison& comparison, bool subsumption) {
  if (!plan.groups)
    throw Error(ErrorKind::usage, "the plan has no groups").hint("run 'tracefold group' first");

  const auto sets = compared_sets(plan, comparison, ignored_functions(plan, comparison));

  if (sets.size() > most_tabulated_sets)
    throw Error(
        ErrorKind::input,
        fmt::format("{} processes that differ are too many to compare each with each (at most {})",
                    sets.size(), most_tabulated_sets))
        .hint("compare less of them: --by functions, --ignore GLOB");

  std::vector<std::size_t> set_of(plan.processes.size());
  for (std::size_t s = 0; s < sets.size(); ++s)
    for (auto m : sets[s].members)
      set_of[m] = s;

  SimilarityTable table;
  table.measure = subsumption ? "subsumption" : "similarity";
  table.attribute = word_of(comparison.by);
  std::vector<Shares> shares;

  for (const auto& group : *plan.groups) {
    auto& row = table.groups.emplace_back();
    row.processes = condensed_names(plan, group.members);
    row.count = count_of(plan, group.members);
    row.attributes = sets[set_of[group.members.front()]].elements.size();
    shares.push_back(shares_of(plan, group, set_of));
  }

  const auto matrix = between_sets(sets, comparison.by, subsumption);

  for (std::size_t g = 0; g < shares.size(); ++g) {
    auto& row = table.values.emplace_back();
    for (std::size_t h = 0; h < shares.size(); ++h)
      row.push_back(g == h ? 1
                           : average(matrix, shares[g],
                                     shares[h]));  // a group is like itself, however it came about
  }

  return table;
}

}  // namespace tracefold
