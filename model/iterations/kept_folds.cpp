#include "model/iterations/kept_folds.hpp"

#include <algorithm>

namespace tracefold {

namespace {

// By iteration: how many calls that are entered before it, at the time at which it begins, the
// reduced trace does not have. Those of a folded iteration are gone, and one call is there in
// their place, which begins with the iteration.
std::vector<std::uint32_t> count_gone_calls(const Loop& loop, const LoopFold& fold) {
  std::vector<std::uint32_t> gone(loop.iterations.size());
  if (loop.is_of_single_calls())
    return gone;

  for (std::size_t i = 1; i < gone.size(); ++i) {
    const auto before = loop.iterations[i - 1];
    const bool is_before_kept = fold.kept[fold.kept_of[i - 1]] == i - 1;
    const bool begins_with_it = before.begin == loop.iterations[i].begin;
    const auto order = loop.begin_order(i);
    const auto first = begins_with_it ? loop.begin_order(i - 1) + 1 : 0;  // of those that are gone

    if (begins_with_it)
      gone[i] = gone[i - 1];
    if (!is_before_kept && before.end == loop.iterations[i].begin && order > first)
      gone[i] += order - first;
  }

  return gone;
}

}  // namespace

KeptSeries make_kept_series(const Loop& loop, bool is_taken, const LoopFold& fold) {
  KeptSeries out{loop.source, is_taken, {}, {}, {}};
  const auto gone = count_gone_calls(loop, fold);

  for (auto i : fold.kept) {
    const auto& interval = loop.iterations[i];
    const bool is_last = i + 1 == loop.iterations.size();
    const bool goes_on = !is_last && loop.iterations[i + 1].begin == interval.end;
    const auto end_order = goes_on ? loop.begin_order(i + 1) : loop.end_order;
    const auto gone_at_end = interval.begin == interval.end ? gone[i] : 0;

    out.iterations.push_back(interval);
    out.begin_orders.push_back(loop.begin_order(i) - gone[i]);
    out.end_orders.push_back(end_order - std::min(end_order, gone_at_end));
  }

  return out;
}

Loop make_kept_loop(const KeptSeries& series, const LoopFold& fold,
                    std::vector<std::optional<std::size_t>>& kept_at) {
  Loop loop;
  loop.source = series.source;

  for (std::size_t k = 0; k < fold.kept.size(); ++k) {
    const auto& interval = series.iterations[k];
    const bool follows_folded = k > 0 && fold.kept[k] != fold.kept[k - 1] + 1;
    if (follows_folded && !loop.is_of_single_calls()) {
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
