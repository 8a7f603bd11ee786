// The condensed vector of an iteration: each metric summed over all call paths, with
// the derived metrics, as what iterations are compared by.
//
// Entries are the metrics of Table 1.1 that the columns say something about, in the
// order of Metric, and then the counters. Entries that no column contributes to
// would be 0 in all iterations, and are left out. Immutable, safe from any thread.
//
// Source: dynamics 4.1.2.
#pragma once

#include "filters/iterations/wide_sums.hpp"
#include "model/iterations/iteration_profile.hpp"

#include <optional>
#include <string>

namespace tracefold {

class CondensedForm {
 public:
  struct Entry {
    std::string name;
    MetricKind kind = MetricKind::count;
    std::vector<std::size_t> columns;  // whose sum it is
  };

  explicit CondensedForm(const MetricColumns& columns);

  std::size_t size() const { return entries_.size(); }
  std::size_t columns() const { return columns_; }
  const std::vector<Entry>& entries() const { return entries_; }

  // Exact below 2^32 rows. O(rows · columns).
  std::vector<Wide> column_sums(const IterationProfile& profile) const;
  std::vector<Wide> column_sums(const WideSums& values) const;

  // From the columns' sums. O(entries).
  template <class Number>
  void condense(std::span<const Number> sums, std::span<Number> entries) const {
    for (std::size_t e = 0; e < size(); ++e) {
      Number sum = 0;
      for (auto column : entries_[e].columns)
        sum += sums[column];
      entries[e] = sum;
    }
  }

 private:
  std::size_t columns_;
  std::vector<Entry> entries_;
};

}  // namespace tracefold
