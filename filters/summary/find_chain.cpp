#include "filters/summary/find_chain.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace tracefold {

namespace {

// Walks along pairs, from process to process.
class ChainFinder {
 public:
  explicit ChainFinder(const std::vector<std::pair<std::size_t, std::size_t>>& pairs) {
    for (const auto& [from, to] : pairs) {
      next_[from].push_back(to);
      has_before_.insert(to);
    }
  }

  std::vector<std::size_t> find() {
    for (const auto& [first, next] : next_)
      if (!has_before_.contains(first))
        walk(first);
    if (best_.empty() && !next_.empty())  // all are in circles
      walk(next_.begin()->first);
    return best_;
  }

 private:
  static constexpr std::size_t most_steps = 20'000;

  void walk(std::size_t at) {
    if (steps_ >= most_steps || !on_way_.insert(at).second)
      return;
    ++steps_;
    way_.push_back(at);
    if (way_.size() > best_.size())
      best_ = way_;
    if (const auto found = next_.find(at); found != next_.end() && way_.size() < 1000)
      for (auto to : found->second)
        walk(to);
    way_.pop_back();
    on_way_.erase(at);
  }

  std::map<std::size_t, std::vector<std::size_t>> next_;
  std::set<std::size_t> has_before_, on_way_;
  std::vector<std::size_t> way_, best_;
  std::size_t steps_ = 0;
};

// Who the first one waits for longest, of those that are not in the chain.
std::optional<std::size_t> find_before(const OneWayWaits& waits,
                                       const std::vector<std::size_t>& chain) {
  std::optional<std::size_t> before;
  double longest = 0;
  for (const auto& [ends, time] : waits)
    if (ends.second == chain.front() && time > longest &&
        std::find(chain.begin(), chain.end(), ends.first) == chain.end()) {
      longest = time;
      before = ends.first;
    }
  return before;
}

}  // namespace

WaitChain find_chain(const OneWayWaits& waits) {
  constexpr double part_of_longest = 0.1;
  double longest = 0;
  for (const auto& [ends, time] : waits)
    longest = std::max(longest, time);
  std::vector<std::pair<std::size_t, std::size_t>> heavy;
  for (const auto& [ends, time] : waits)
    if (time > part_of_longest * longest)
      heavy.push_back(ends);

  WaitChain out{ChainFinder(heavy).find()};
  auto& chain = out.processes;
  while (!chain.empty()) {
    const auto before = find_before(waits, chain);
    if (!before)
      break;
    chain.insert(chain.begin(), *before);
  }
  for (std::size_t k = 1; k < chain.size(); ++k)
    out.waiting += waits.at({chain[k - 1], chain[k]});
  return out;
}

}  // namespace tracefold
