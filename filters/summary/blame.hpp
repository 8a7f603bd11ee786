// Whom others wait for in a run, for messages and in collective operations. Times are in seconds.
// Pure.
#pragma once

#include "model/profile/metric.hpp"
#include "model/summary/run_facts.hpp"

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace tracefold {

class Blame {
 public:
  // The facts must stay.
  explicit Blame(const RunFacts& facts);

  // By metric of waiting and process, how long others wait for it.
  const std::map<Metric, std::map<std::size_t, double>>& times() const { return times_; }

  // The processes for which most of some waiting is, and their share of it. More than one where the
  // first ones are about equal; none where these are more than half of the ranks.
  std::pair<std::vector<std::size_t>, double> find_late(Metric metric) const;

  // By late process and who waits: how long a process waited for another one because of messages,
  // of two that wait for each other only where one does so much more.
  std::map<std::pair<std::size_t, std::size_t>, double> list_one_way_waits() const;

 private:
  std::size_t count_ranks() const;

  const RunFacts& facts_;
  std::map<Metric, std::map<std::size_t, double>> times_;
};

}  // namespace tracefold
