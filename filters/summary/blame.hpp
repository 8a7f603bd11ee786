// For whom others wait in a run, because of messages and in collective operations. Times are in
// seconds. Pure.
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
  // The facts must outlive this.
  explicit Blame(const RunFacts& facts);

  // By metric of waiting and process: how long others wait for it.
  const std::map<Metric, std::map<std::size_t, double>>& times() const { return times_; }

  // The processes that cause most waiting of this kind, and their share of it. Several if the first
  // ones are about equal; none if these are more than half of the ranks.
  std::pair<std::vector<std::size_t>, double> find_late(Metric metric) const;

  // Those because of whom most is waited for, however many processes it went through, as
  // find_late() has them, and how long that is. None where delays are not known.
  std::pair<std::vector<std::size_t>, double> find_roots() const;

  // By late process and waiting process: the waiting because of messages. Of two processes that
  // wait for each other, only the direction with much more waiting.
  std::map<std::pair<std::size_t, std::size_t>, double> list_one_way_waits() const;

 private:
  using Times = std::map<std::size_t, double>;  // by process
  // The first ones, and their share.
  std::pair<std::vector<std::size_t>, double> find_most(const Times& times) const;
  std::size_t count_ranks() const;

  const RunFacts& facts_;
  std::map<Metric, std::map<std::size_t, double>> times_;
};

}  // namespace tracefold
