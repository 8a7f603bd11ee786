#include "filters/groups/connected_choice.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t most_starts = 64;  // pairs that a local search begins with
constexpr std::size_t most_sets = 256;   // and candidates, where all choices are searched
constexpr std::size_t most_ranks = 4096;
constexpr std::uint64_t most_steps = 2'000'000;

struct Exchange {
  std::size_t other = 0;  // a candidate
  std::uint64_t messages = 0;
};

// A candidate: one number for all of all sets.
struct RankCandidate {
  std::size_t set = 0, place = 0;
  std::uint64_t alone = 0;      // messages with itself and with what is chosen in any case
  std::vector<Exchange> edges;  // to candidates of other sets
};

class Search {
 public:
  Search(const ConnectedSets& sets, const std::vector<RankMessages>& messages) {
    for (std::size_t s = 0; s < sets.sets.size(); ++s) {
      begins_.push_back(candidates_.size());
      for (std::size_t place = 0; place < sets.sets[s].size(); ++place) {
        number_.emplace(sets.sets[s][place], candidates_.size());
        candidates_.push_back({s, place, 0, {}});
      }
    }
    begins_.push_back(candidates_.size());
    add_messages(sets.fixed, messages);
  }

  std::vector<std::size_t> run(const std::vector<std::size_t>& start) {
    best_ = begin(start);
    best_value_ = 0;
    climb(best_);
    best_value_ = count(best_);
    for (const auto& [a, b] : list_heaviest_pairs()) {
      auto chosen = begin(start);
      chosen[candidates_[a].set] = a;
      chosen[candidates_[b].set] = b;
      climb(chosen);
      take(chosen, count(chosen));
    }
    if (count_sets() <= most_sets && candidates_.size() <= most_ranks)
      search_all();

    std::vector<std::size_t> places;
    for (const auto candidate : best_)
      places.push_back(candidates_[candidate].place);
    return places;
  }

 private:
  using Choice = std::vector<std::size_t>;  // by set, a candidate

  std::size_t count_sets() const { return begins_.size() - 1; }

  void add_messages(const std::vector<std::uint32_t>& fixed,
                    const std::vector<RankMessages>& messages) {
    const std::unordered_set<std::uint32_t> is_fixed(fixed.begin(), fixed.end());
    const auto find = [&](std::uint32_t rank) {
      const auto at = number_.find(rank);
      return at == number_.end() ? none : at->second;
    };
    for (const auto& [a, b, count] : messages) {
      const auto one = find(a), other = find(b);
      if (one != none && (a == b || is_fixed.contains(b)))
        candidates_[one].alone += count;
      else if (other != none && is_fixed.contains(a))
        candidates_[other].alone += count;
      else if (one != none && other != none && candidates_[one].set != candidates_[other].set) {
        candidates_[one].edges.push_back({other, count});
        candidates_[other].edges.push_back({one, count});
      }
    }
  }

  Choice begin(const std::vector<std::size_t>& places) const {
    Choice chosen;
    for (std::size_t s = 0; s < places.size(); ++s)
      chosen.push_back(begins_[s] + places[s]);
    return chosen;
  }

  std::uint64_t gain(const Choice& chosen, std::size_t candidate) const {
    auto sum = candidates_[candidate].alone;
    for (const auto& edge : candidates_[candidate].edges)
      if (chosen[candidates_[edge.other].set] == edge.other)
        sum += edge.messages;
    return sum;
  }

  std::uint64_t count(const Choice& chosen) const {
    std::uint64_t alone = 0, twice = 0;
    for (const auto candidate : chosen) {
      alone += candidates_[candidate].alone;
      twice += gain(chosen, candidate) - candidates_[candidate].alone;
    }
    return alone + twice / 2;
  }

  // Takes a better candidate of one set, as long as there is one.
  void climb(Choice& chosen) const {
    for (bool is_better = true; is_better;) {
      is_better = false;
      for (std::size_t s = 0; s < count_sets(); ++s) {
        auto most = gain(chosen, chosen[s]);
        for (auto candidate = begins_[s]; candidate < begins_[s + 1]; ++candidate)
          if (const auto found = gain(chosen, candidate); found > most) {
            most = found;
            chosen[s] = candidate;
            is_better = true;
          }
      }
    }
  }

  std::vector<std::pair<std::size_t, std::size_t>> list_heaviest_pairs() const {
    std::vector<std::tuple<std::uint64_t, std::size_t, std::size_t>> pairs;
    for (std::size_t a = 0; a < candidates_.size(); ++a)
      for (const auto& [b, messages] : candidates_[a].edges)
        if (a < b)
          pairs.emplace_back(~messages, a, b);  // ascending: those with most messages first
    const auto end =
        pairs.begin() + static_cast<std::ptrdiff_t>(std::min(most_starts, pairs.size()));
    std::partial_sort(pairs.begin(), end, pairs.end());

    std::vector<std::pair<std::size_t, std::size_t>> heaviest;
    for (auto at = pairs.begin(); at != end; ++at)
      heaviest.emplace_back(std::get<1>(*at), std::get<2>(*at));
    return heaviest;
  }

  void take(const Choice& chosen, std::uint64_t value) {
    if (value <= best_value_)
      return;
    best_ = chosen;
    best_value_ = value;
  }

  // Branch and bound.
  void search_all() {
    order_sets();
    bound_pairs();
    gains_.clear();
    for (const auto& candidate : candidates_)
      gains_.push_back(candidate.alone);
    chosen_.assign(count_sets(), none);
    steps_ = 0;
    descend(0, 0);
  }

  // Sets that exchange most come first.
  void order_sets() {
    std::vector<std::uint64_t> sums(count_sets());
    for (const auto& candidate : candidates_)
      for (const auto& edge : candidate.edges)
        sums[candidate.set] += edge.messages;
    order_.resize(count_sets());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](auto a, auto b) { return sums[a] > sums[b]; });
  }

  // For each place in the order: what pairs of sets from there on exchange at most.
  void bound_pairs() {
    std::map<std::pair<std::size_t, std::size_t>, std::uint64_t> most;  // by places in the order
    std::vector<std::size_t> place(count_sets());
    for (std::size_t k = 0; k < order_.size(); ++k)
      place[order_[k]] = k;
    for (const auto& candidate : candidates_)
      for (const auto& edge : candidate.edges)
        if (const auto a = place[candidate.set], b = place[candidates_[edge.other].set]; a < b) {
          auto& messages = most[{a, b}];
          messages = std::max(messages, edge.messages);
        }

    bounds_.assign(count_sets() + 1, 0);
    for (const auto& [pair, messages] : most)
      for (std::size_t k = 0; k <= pair.first; ++k)
        bounds_[k] += messages;
  }

  // What is chosen up to place k of the order is worth `value`.
  void descend(std::size_t k, std::uint64_t value) {
    if (k == count_sets()) {
      take(chosen_, value);
      return;
    }
    auto bound = value + bounds_[k];
    for (auto rest = k; rest < count_sets(); ++rest)
      bound +=
          *std::max_element(begin_of(gains_, order_[rest]), begin_of(gains_, order_[rest] + 1));
    if (bound <= best_value_)
      return;

    for (const auto candidate : list_by_gain(order_[k])) {
      if (++steps_ > most_steps)
        return;
      chosen_[order_[k]] = candidate;
      const auto gained = gains_[candidate];
      for (const auto& edge : candidates_[candidate].edges)
        gains_[edge.other] += edge.messages;
      descend(k + 1, value + gained);
      for (const auto& edge : candidates_[candidate].edges)
        gains_[edge.other] -= edge.messages;
    }
  }

  std::vector<std::uint64_t>::const_iterator begin_of(const std::vector<std::uint64_t>& values,
                                                      std::size_t set) const {
    return values.begin() + static_cast<std::ptrdiff_t>(begins_[set]);
  }
  std::vector<std::size_t> list_by_gain(std::size_t set) const {
    std::vector<std::size_t> list(begins_[set + 1] - begins_[set]);
    std::iota(list.begin(), list.end(), begins_[set]);
    std::stable_sort(list.begin(), list.end(),
                     [&](auto a, auto b) { return gains_[a] > gains_[b]; });
    return list;
  }

  static constexpr std::size_t none = ~std::size_t{0};

  std::vector<RankCandidate> candidates_;  // of the first set, then of the second, …
  std::vector<std::size_t> begins_;        // by set
  std::unordered_map<std::uint32_t, std::size_t> number_;  // by rank

  Choice best_;
  std::uint64_t best_value_ = 0;

  // State of the search through all choices.
  std::vector<std::size_t> order_;
  std::vector<std::uint64_t> bounds_;
  std::vector<std::uint64_t> gains_;  // by candidate, with those that are chosen so far
  Choice chosen_;
  std::uint64_t steps_ = 0;
};

}  // namespace

std::uint64_t count_staying(const std::vector<std::uint32_t>& chosen,
                            const std::vector<RankMessages>& messages) {
  const std::unordered_set<std::uint32_t> is_chosen(chosen.begin(), chosen.end());
  std::uint64_t sum = 0;
  for (const auto& [a, b, count] : messages)
    if (is_chosen.contains(a) && is_chosen.contains(b))
      sum += count;
  return sum;
}

std::vector<std::size_t> choose_connected(const ConnectedSets& sets,
                                          const std::vector<RankMessages>& messages,
                                          std::vector<std::size_t> start) {
  return Search(sets, messages).run(start);
}

}  // namespace tracefold
