#include "model/aggregates/kept_series.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

bool is_lost(const MetricColumns& columns, std::size_t column) {
  if (column >= columns.measured.size())
    return false;

  const auto metric = columns.measured[column];
  return is_waiting(metric) ||
         (get_entry(metric).kind != MetricKind::time && metric != Metric::visits);
}

KeptSeries make_kept_series(const Loop& loop, bool is_taken, const SeriesFold& fold) {
  KeptSeries out{loop.source, is_taken, {}, {}, {}, {}};
  const auto is_kept = [&](std::size_t i) { return fold.kept[fold.kept_of[i]] == i; };

  for (auto i : fold.kept) {
    const auto& interval = loop.iterations[i];
    // Of calls at the same time before it those are gone that are in a collapsed iteration, which
    // is one call, in its place only if it begins then.
    auto begin_order = loop.begin_order(i);
    if (i > 0 && !is_kept(i - 1))
      begin_order = loop.iterations[i - 1].begin == interval.begin ? 1 : 0;

    const bool is_last = i + 1 == loop.iterations.size();
    const bool goes_on = !is_last && loop.iterations[i + 1].begin == interval.end;
    out.iterations.push_back(interval);
    out.begin_orders.push_back(begin_order);
    out.end_orders.push_back(goes_on ? loop.begin_order(i + 1) : loop.end_order);
  }

  return out;
}

Loop make_kept_loop(const KeptSeries& series, const SeriesFold& fold,
                    std::vector<std::optional<std::size_t>>& kept_at) {
  Loop loop;
  loop.source = series.source;

  for (std::size_t k = 0; k < fold.kept.size(); ++k) {
    const auto& interval = series.iterations[k];
    if (k > 0 && fold.kept[k] != fold.kept[k - 1] + 1) {
      loop.add({series.iterations[k - 1].end, interval.begin}, series.end_orders[k - 1]);
      kept_at.emplace_back();
    }
    loop.add(interval, series.begin_orders[k]);
    kept_at.emplace_back(k);
  }
  loop.end_order = series.end_orders.back();

  return loop;
}

}  // namespace tracefold
