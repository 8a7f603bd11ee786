#include "filters/errors/function_differences.hpp"

#include "model/profile/function_names.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

void FunctionDifferences::add(FunctionIndex function, const KindTimes& own,
                              const KindTimes& standing) {
  KindSums differences{};
  for (std::size_t k = 0; k < time_kinds; ++k)
    differences[k] = measure_distance(own[k], standing[k]);
  add(function, differences);
}

void FunctionDifferences::add(FunctionIndex function, const KindSums& differences) {
  if (function == virtual_root)
    return;
  if (function >= sums_.size())
    sums_.resize(function + 1);
  for (std::size_t k = 0; k < time_kinds; ++k)
    sums_[function][k] += differences[k];
}

void FunctionDifferences::add(const FunctionDifferences& other) {
  for (std::size_t f = 0; f < other.sums_.size(); ++f)
    add(static_cast<FunctionIndex>(f), other.sums_[f]);
}

void FunctionDifferences::put(WideSums& out, std::size_t functions) const {
  for (std::size_t f = 0; f < functions; ++f)
    for (auto sum : f < sums_.size() ? sums_[f] : KindSums{})
      out.push_back(sum);
}

void FunctionDifferences::take(const WideSums& from, std::size_t first, std::size_t functions) {
  sums_.assign(functions, {});
  for (auto& sums : sums_)
    for (auto& sum : sums)
      sum = from[first++];
}

std::vector<FunctionError> FunctionDifferences::list_largest(std::vector<Function> functions,
                                                             Wide all_time) const {
  struct RankedDifference {
    Wide difference;
    std::size_t function;
    TimeKind kind;
  };
  std::vector<RankedDifference> found;
  for (std::size_t f = 0; f < sums_.size(); ++f)
    for (std::size_t k = 0; k < time_kinds; ++k)
      if (sums_[f][k] > 0)
        found.push_back({sums_[f][k], f, static_cast<TimeKind>(k)});
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.difference > b.difference; });
  found.resize(std::min(found.size(), most_function_errors));

  make_names_unique(functions);
  std::vector<FunctionError> out;
  out.reserve(found.size());
  for (const auto& one : found)
    out.push_back({functions[one.function].shown_name(), one.kind,
                   static_cast<double>(one.difference) / static_cast<double>(all_time)});
  return out;
}

}  // namespace tracefold
