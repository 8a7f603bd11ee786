#include "model/iterations/interval_lists.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace tracefold {

IntervalList unite(std::vector<Interval> intervals) {
  std::erase_if(intervals, [](const Interval& one) { return one.end <= one.begin; });
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
  std::size_t kept = 0;
  for (const auto& one : intervals)
    if (kept > 0 && one.begin <= intervals[kept - 1].end)
      intervals[kept - 1].end = std::max(intervals[kept - 1].end, one.end);
    else
      intervals[kept++] = one;
  intervals.resize(kept);
  return intervals;
}

IntervalList intersect(const IntervalList& a, const IntervalList& b) {
  IntervalList out;
  for (auto of_a = a.begin(), of_b = b.begin(); of_a != a.end() && of_b != b.end();) {
    const auto begin = std::max(of_a->begin, of_b->begin), end = std::min(of_a->end, of_b->end);
    if (begin < end)
      out.push_back({begin, end});
    if (of_a->end < of_b->end)
      ++of_a;
    else
      ++of_b;
  }
  return out;
}

IntervalList complement(const IntervalList& list) {
  std::vector<Interval> out;
  std::uint64_t begin = 0;
  for (const auto& one : list) {
    out.push_back({begin, one.begin});
    begin = one.end;
  }
  out.push_back({begin, ~std::uint64_t{0}});
  return unite(std::move(out));
}

std::uint64_t sum_lengths(const IntervalList& list) {
  std::uint64_t sum = 0;
  for (const auto& one : list)
    sum += one.end - one.begin;
  return sum;
}

}  // namespace tracefold
