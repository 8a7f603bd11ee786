#include "filters/report/seen_in_map.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace tracefold {

namespace {

class MeanOfKnown {
 public:
  void add(double value) {
    if (!std::isfinite(value))
      return;
    sum_ += value;
    ++count_;
  }
  bool is_known() const { return count_ > 0; }
  double value() const { return sum_ / static_cast<double>(count_); }

 private:
  double sum_ = 0;
  std::size_t count_ = 0;
};

struct MeanRange {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  bool is_empty() const { return low > high; }
};

bool are_apart(const MeanRange& a, const MeanRange& b, double least) {
  constexpr double visible = 0.1;  // of the larger value: six of 64 colours
  if (a.is_empty() || b.is_empty())
    return false;
  const auto gap = std::max(a.low - b.high, b.low - a.high);
  return gap > 0 && gap >= least && gap >= visible * std::max(a.high, b.high);
}

}  // namespace

bool shows_processes(const IterationMap& map, const std::vector<std::size_t>& who, double least) {
  MeanRange of_who, of_others;
  std::size_t found = 0;
  for (std::size_t r = 0; r < map.processes.size(); ++r) {
    MeanOfKnown mean;
    for (const auto value : map.row(r))
      mean.add(value);
    if (!mean.is_known())
      continue;
    const bool is_one = std::binary_search(who.begin(), who.end(), map.processes[r]);
    found += is_one;
    (is_one ? of_who : of_others).add(mean.value());
  }

  return found == who.size() && are_apart(of_who, of_others, least);
}

bool shows_iterations(const IterationMap& map, const std::vector<std::size_t>& who,
                      std::size_t first, std::size_t last, double least) {
  MeanOfKnown of_them, of_others;
  for (std::size_t r = 0; r < map.processes.size(); ++r) {
    if (!who.empty() && !std::binary_search(who.begin(), who.end(), map.processes[r]))
      continue;
    for (std::size_t c = 0; c < map.columns; ++c) {
      const auto begin = c * map.per_column;
      const bool is_one = begin <= last && begin + map.per_column > first;
      (is_one ? of_them : of_others).add(map.row(r)[c]);
    }
  }
  if (!of_them.is_known() || !of_others.is_known())
    return false;

  MeanRange them, others;
  them.add(of_them.value());
  others.add(of_others.value());
  return are_apart(them, others, least);
}

}  // namespace tracefold
