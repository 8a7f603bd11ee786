#include "filters/iterations/condensed.hpp"

namespace tracefold {

namespace {

// The columns that a metric is the sum of, ascending.
std::vector<std::size_t> columns_of(const MetricColumns& columns, Metric metric) {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < columns.measured.size(); ++k) {
    auto ancestor = columns.measured[k];
    while (ancestor != metric && ancestor != Metric::none) {
      ancestor = entry_of(ancestor).parent;
      if (ancestor != metric && ancestor != Metric::none && is_measured(ancestor))
        ancestor = Metric::none;  // it has its own value
    }

    if (ancestor == metric && (columns.measured[k] == metric || !is_measured(metric)))
      found.push_back(k);
  }

  return found;
}

}  // namespace

CondensedForm::CondensedForm(const MetricColumns& columns) : columns_(columns.size()) {
  for (std::size_t m = 0; m < metric_count; ++m) {
    const auto metric = static_cast<Metric>(m);
    if (auto of = columns_of(columns, metric); !of.empty())
      entries_.push_back(
          {std::string(entry_of(metric).name), entry_of(metric).kind, std::move(of)});
  }

  for (std::size_t k = 0; k < columns.counters.size(); ++k)
    entries_.push_back({columns.counters[k], MetricKind::counter, {columns.measured.size() + k}});
}

std::vector<Wide> CondensedForm::column_sums(const IterationProfile& profile) const {
  std::vector<Wide> sums(columns_);
  const auto* value = profile.values.data();
  for (std::size_t row = 0; row < profile.rows.size(); ++row)
    for (auto& sum : sums)
      sum += *value++;

  return sums;
}

std::vector<Wide> CondensedForm::column_sums(const WideSums& values) const {
  std::vector<Wide> sums(columns_);
  for (std::size_t k = 0; k < values.size(); ++k)
    sums[k % columns_] += values[k];
  return sums;
}

}  // namespace tracefold
