#include "filters/report/order_similar.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

// Clusters of rows, each with its members in order.
class SimilarClusters {
 public:
  explicit SimilarClusters(const std::vector<std::vector<double>>& similarity)
      : rows_(similarity), between_(similarity), members_(similarity.size()) {
    for (std::size_t k = 0; k < members_.size(); ++k)
      members_[k] = {k};
  }

  // Merges all. A chain from each to the most similar other one ends at two that are each other's
  // most similar ones: these are merged. For means this gives the same clusters as to merge the two
  // most similar ones of all in each step.
  std::vector<std::size_t> merge_all() {
    std::vector<std::size_t> chain;
    for (auto left = members_.size(); left > 1; --left) {
      if (chain.empty())
        chain.push_back(find_first());
      for (;;) {
        const auto last = chain.back();
        const auto before = chain.size() > 1 ? chain[chain.size() - 2] : last;
        const auto next = find_most_similar(last, before);
        if (next == before)
          break;
        chain.push_back(next);
      }
      const auto a = chain.back();
      chain.pop_back();
      const auto b = chain.back();
      chain.pop_back();
      merge(std::min(a, b), std::max(a, b));
    }

    return members_.empty() ? std::vector<std::size_t>() : members_[find_first()];
  }

 private:
  std::size_t find_first() const {
    return static_cast<std::size_t>(
        std::find_if(members_.begin(), members_.end(),
                     [](const auto& members) { return !members.empty(); }) -
        members_.begin());
  }

  // If several are equally similar: `preferred`, so that a chain ends, or else the first.
  std::size_t find_most_similar(std::size_t cluster, std::size_t preferred) const {
    auto found = preferred;
    for (std::size_t k = 0; k < members_.size(); ++k) {
      if (k == cluster || members_[k].empty())
        continue;
      if (found == cluster || between_[cluster][k] > between_[cluster][found])
        found = k;
    }

    return found;
  }

  void merge(std::size_t into, std::size_t from) {
    const auto a = static_cast<double>(members_[into].size()),
               b = static_cast<double>(members_[from].size());
    for (std::size_t k = 0; k < members_.size(); ++k) {
      const auto mean = (a * between_[into][k] + b * between_[from][k]) / (a + b);
      between_[into][k] = between_[k][into] = mean;
    }
    join(members_[into], std::exchange(members_[from], {}));
  }

  // Turns both so that the most similar of their ends meet.
  void join(std::vector<std::size_t>& first, std::vector<std::size_t> second) const {
    struct Way {
      double similarity;
      bool turns_first, turns_second;
    };
    Way best{rows_[first.back()][second.front()], false, false};
    for (const Way way : {Way{rows_[first.back()][second.back()], false, true},
                          Way{rows_[first.front()][second.front()], true, false},
                          Way{rows_[first.front()][second.back()], true, true}})
      if (way.similarity > best.similarity)
        best = way;
    if (best.turns_first)
      std::reverse(first.begin(), first.end());
    if (best.turns_second)
      std::reverse(second.begin(), second.end());
    first.insert(first.end(), second.begin(), second.end());
  }

  const std::vector<std::vector<double>>& rows_;
  std::vector<std::vector<double>> between_;
  std::vector<std::vector<std::size_t>> members_;  // none: merged into another
};

}  // namespace

std::vector<std::size_t> order_similar(const std::vector<std::vector<double>>& similarity) {
  auto order = SimilarClusters(similarity).merge_all();
  if (!order.empty() && order.back() < order.front())
    std::reverse(order.begin(), order.end());

  return order;
}

std::vector<std::size_t> choose_largest(const std::vector<std::uint64_t>& members,
                                        std::size_t most) {
  std::vector<std::size_t> order(members.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](auto a, auto b) { return members[a] > members[b]; });
  order.resize(std::min(order.size(), most));
  std::sort(order.begin(), order.end());

  return order;
}

}  // namespace tracefold
