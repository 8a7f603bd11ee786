#include "filters/correlation/call_structure.hpp"

#include "base/sort_and_unite.hpp"
#include "model/plan.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace tracefold {

namespace {

using Sets = std::vector<bool>;  // by set of calls that some members make

// The sets of calls of ranks: what any of their threads calls.
struct CallSets {
  std::vector<std::vector<CallPair>> pairs;  // of each set
  std::vector<std::size_t> first, ranks;     // of each set: the first process, and how many have it
  std::vector<std::size_t> of_member;        // the set of each
  std::size_t all_ranks = 0;
};

CallSets list_sets(const Plan& plan, const std::vector<std::size_t>& members) {
  std::map<std::pair<bool, std::uint64_t>, std::vector<std::size_t>> threads;  // of each rank
  for (std::size_t m = 0; m < members.size(); ++m)
    threads[plan.processes[members[m]].owner()].push_back(m);

  CallSets sets;
  sets.of_member.resize(members.size());
  sets.all_ranks = threads.size();
  std::map<std::set<std::uint32_t>, std::size_t> known;  // by intents
  for (const auto& [owner, own] : threads) {
    std::set<std::uint32_t> intents;
    for (auto m : own)
      intents.insert(plan.processes[members[m]].intent);
    const auto [at, is_new] = known.try_emplace(intents, sets.first.size());
    if (is_new) {
      sets.first.push_back(members[own.front()]);
      sets.ranks.push_back(0);
      auto& pairs = sets.pairs.emplace_back();
      for (auto intent : intents) {
        const auto& more = plan.intents[intent].set.pairs;
        pairs.insert(pairs.end(), more.begin(), more.end());
      }
      sort_and_unite(pairs);
    }
    ++sets.ranks[at->second];
    for (auto m : own)
      sets.of_member[m] = at->second;
  }
  return sets;
}

class Structure {
 public:
  Structure(const Plan& plan, const std::vector<std::size_t>& members)
      : sets_(list_sets(plan, members)) {}

  std::vector<CallStructure> list() {
    const auto count = sets_.first.size();
    std::map<CallPair, Sets> by_pair;
    for (std::size_t s = 0; s < count; ++s)
      for (const auto& pair : sets_.pairs[s])
        by_pair.try_emplace(pair, Sets(count)).first->second[s] = true;

    for (const auto& [pair, sets] : by_pair)
      add(sets, pair, 0);

    for (std::size_t s = 0; s < count && count <= most_sets; ++s) {
      Sets below(count, true);
      for (const auto& pair : sets_.pairs[s])
        std::transform(below.begin(), below.end(), by_pair.at(pair).begin(), below.begin(),
                       std::logical_and());
      add(below, std::nullopt, sets_.first[s]);
    }
    return std::move(out_);
  }

 private:
  void add(const Sets& sets, const std::optional<CallPair>& pair, std::size_t process) {
    std::size_t count = 0;
    for (std::size_t s = 0; s < sets.size(); ++s)
      count += sets[s] ? sets_.ranks[s] : 0;
    if (std::min(count, sets_.all_ranks - count) < 2)
      return;

    auto key = sets;
    if (key.front())
      key.flip();
    const auto [at, is_new] = known_.try_emplace(std::move(key), out_.size());
    if (!is_new) {
      auto& known = out_[at->second];
      known.same += pair && known.has.front() == sets[sets_.of_member.front()];
      return;
    }

    out_.push_back({pair, process, {}, count, 0});
    for (auto set : sets_.of_member)
      out_.back().has.push_back(sets[set]);
  }

  CallSets sets_;
  std::map<Sets, std::size_t> known_;  // places in `out_`, of what is not so of the first set
  std::vector<CallStructure> out_;
};

}  // namespace

std::vector<CallStructure> list_call_structure(const Plan& plan,
                                               const std::vector<std::size_t>& members) {
  return Structure(plan, members).list();
}

}  // namespace tracefold
