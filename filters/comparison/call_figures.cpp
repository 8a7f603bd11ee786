#include "filters/comparison/call_figures.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace tracefold {

namespace {

constexpr std::size_t longest_name = 40;

}  // namespace

std::string CallFigures::name(ClassIndex of) const {
  return shorten_name(calls_.name_class(of), longest_name);
}

std::string CallFigures::name_in(std::size_t r, ClassIndex of) const {
  const auto& own = calls_.names.classes[of].names[r];
  return own.empty() ? name(of) : shorten_name(own, longest_name);
}

double CallFigures::get_total(std::size_t r, ClassIndex of, Measure measure) const {
  double sum = 0;
  for (const auto& one : runs_.by_class[r][of])
    sum += one.amounts[place_of(measure)] *
           static_cast<double>(runs_.run(r).plan.processes[one.process].weight);
  return sum;
}

double CallFigures::count_callers(std::size_t r, ClassIndex of) const {
  double sum = 0;
  for (const auto& one : runs_.by_class[r][of])
    if (one.amounts[place_of(Measure::visits)] > 0)
      sum += static_cast<double>(runs_.run(r).plan.processes[one.process].weight);
  return std::max(1.0, sum);
}

double CallFigures::get_time(std::size_t r, ClassIndex of) const {
  return get_total(r, of, Measure::time) / count_callers(r, of);
}

double CallFigures::get_visits(std::size_t r, std::size_t node) const {
  return calls_.totals[r][node][place_of(Measure::visits)] /
         count_callers(r, calls_.nodes[node].of);
}

PartnerValues CallFigures::list_times(std::size_t node) const {
  std::array<AmountTable, 2> amounts;
  for (std::size_t r = 0; r < 2; ++r) {
    auto key_of = calls_.node_of[r];
    for (auto& key : key_of)
      key = key == node ? 0 : no_node;
    amounts[r] = collect_amounts(runs_.run(r), key_of, 1, {});
  }
  return runs_.list_values(amounts[0][0], amounts[1][0], runs_.processes, Measure::time);
}

ClassIndex CallFigures::find_own_caller(std::size_t node) const {
  std::set<ClassIndex> of_others;
  for (std::size_t n = 0; n < calls_.nodes.size(); ++n)
    if (n != node && calls_.nodes[n].of == calls_.nodes[node].of)
      for (auto up = calls_.nodes[n].caller; up != no_node; up = calls_.nodes[up].caller)
        of_others.insert(calls_.nodes[up].of);
  for (auto up = calls_.nodes[node].caller; up != no_node; up = calls_.nodes[up].caller)
    if (of_others.count(calls_.nodes[up].of) == 0)
      return calls_.nodes[up].of;
  return no_class;
}

std::size_t CallFigures::find_heaviest(ClassIndex of, Measure measure) const {
  std::size_t out = no_node;
  double most = -1;
  for (std::size_t n = 0; n < calls_.nodes.size(); ++n) {
    if (calls_.nodes[n].of != of)
      continue;
    const auto change =
        std::abs(calls_.totals[1][n][place_of(measure)] - calls_.totals[0][n][place_of(measure)]);
    if (change > most) {
      most = change;
      out = n;
    }
  }
  return out;
}

ClassIndex CallFigures::find_class(const std::string& wanted) const {
  for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c)
    if (calls_.name_class(c) == wanted)
      return c;
  return no_class;
}

}  // namespace tracefold
