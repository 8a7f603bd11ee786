#include "filters/comparison/call_figures.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <cmath>

namespace tracefold {

std::string CallFigures::name(ClassIndex of) const {
  constexpr std::size_t longest = 40;
  return shorten_name(calls_.name_class(of), longest);
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

std::size_t CallFigures::find_heaviest(ClassIndex of) const {
  std::size_t out = no_node;
  double most = -1;
  for (std::size_t n = 0; n < calls_.nodes.size(); ++n) {
    if (calls_.nodes[n].of != of)
      continue;
    const auto time = std::abs(calls_.totals[1][n][place_of(Measure::time)] -
                               calls_.totals[0][n][place_of(Measure::time)]);
    if (time > most) {
      most = time;
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
