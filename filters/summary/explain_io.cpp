#include "filters/summary/explain_io.hpp"

#include "filters/summary/measure_run.hpp"
#include "filters/summary/outliers.hpp"

#include <vector>

namespace tracefold {

void explain_io(LossSearch& loss) {
  auto& found = loss.out.finding;
  std::vector<double> io;
  for (const auto& rank : loss.out.ranks)
    io.push_back(rank.io);

  const auto largest = find_largest(io);
  found.who = loss.list_masters(largest.places);
  found.culprit = !largest.are_clear || largest.places.size() * 2 > io.size() ? Culprit::none
                  : largest.places.size() == 1                                ? Culprit::process
                                                                              : Culprit::few;

  found.value = 0;
  for (auto r : largest.places)
    found.value += io[r] / static_cast<double>(largest.places.size());
  if (found.culprit == Culprit::none) {
    found.who.clear();
    found.value = compute_mean(io);
  }

  double others = 0;
  for (std::size_t r = 0; r < io.size(); ++r)
    if (!contains(largest.places, r))
      others += io[r];
  if (largest.places.size() < io.size())
    found.others = others / static_cast<double>(io.size() - largest.places.size());
  found.is_alone = others < 0.02 * found.value;
  if (found.culprit != Culprit::none)
    found.node = loss.find_node(largest.places);

  CallSums sums;
  for (const auto& rank : loss.out.ranks)
    for (const auto& [path, time] : loss.work.list(rank.master))
      if (loss.work.kind(path).paradigm == Paradigm::io) {
        const auto call = name_call(loss.facts.calls, path);
        sums[{call.function, call.caller}] += time;
      }

  found.call = find_most(sums).first;
  found.paradigm = Paradigm::io;
  if (!found.who.empty())
    loss.take_wait_for(found.who);
}

}  // namespace tracefold
