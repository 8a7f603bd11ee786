#include "filters/summary/explain_balance.hpp"

#include "filters/summary/explain_threads.hpp"
#include "filters/summary/outliers.hpp"

#include <vector>

namespace tracefold {

namespace {

// With I/O, as load balance counts.
std::vector<double> list_useful(const Summary& summary) {
  std::vector<double> values;
  for (const auto& rank : summary.ranks)
    values.push_back(rank.useful + rank.io);
  return values;
}

}  // namespace

void explain_balance(LossSearch& loss) {
  auto& found = loss.out.finding;
  const auto useful = list_useful(loss.out);
  auto slow = find_largest(useful);
  const auto count = useful.size();
  bool are_less = false;
  if (slow.are_clear && slow.places.size() * 2 > count) {
    slow.places = list_rest(slow.places, count);
    are_less = true;
  }

  std::vector<double> own, others;
  const auto divide = [&] {
    own.clear();
    others.clear();
    for (std::size_t r = 0; r < count; ++r)
      (contains(slow.places, r) ? own : others).push_back(useful[r]);
  };
  divide();

  // If half of the ranks are slow, and the others are nearly idle, the idle ones are reported.
  constexpr double idle_share = 0.2;
  if (count > 2 && own.size() == others.size() &&
      compute_mean(others) < idle_share * compute_mean(own)) {
    slow.places = list_rest(slow.places, count);
    are_less = true;
    divide();
  }

  found.who = loss.list_masters(slow.places);
  found.value = compute_mean(own);
  found.others = compute_mean(others);
  found.culprit = are_less                  ? Culprit::idle
                  : slow.places.size() == 1 ? Culprit::process
                                            : Culprit::few;
  found.node = loss.find_node(slow.places);
  if (!found.node.empty() && slow.places.size() > 1 && !are_less)
    found.culprit = Culprit::node;
  if (!slow.are_clear)
    found.others = compute_mean(useful);

  if (are_less) {
    const auto others_of_them = loss.list_others(slow.places);
    const auto excess = loss.work.find_excess(others_of_them, loss.list_all_masters(), false);
    if (excess.difference() > 0.5 * (found.others - found.value)) {
      found.call = excess.call;
      found.paradigm = excess.paradigm;
    }
    loss.take_wait_for(others_of_them);
    return;
  }

  if (take_thread(loss, slow.places))
    return;
  loss.take(loss.work.find_excess(found.who, loss.list_all_masters(), false));
  loss.take_wait_for(found.who);
  loss.take_counters();
}

}  // namespace tracefold
