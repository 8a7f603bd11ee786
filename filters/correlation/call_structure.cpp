#include "filters/correlation/call_structure.hpp"

#include "model/plan.hpp"

#include <algorithm>
#include <functional>
#include <map>

namespace tracefold {

namespace {

using Sets = std::vector<bool>;  // by set of calls that some members make

// The sets of calls of members.
struct CallSets {
  std::vector<std::size_t> of_member;       // the set of each
  std::vector<std::size_t> first, members;  // of each set: the first process, and how many have it
  std::vector<std::size_t> intents;         // of each set
};

CallSets list_sets(const Plan& plan, const std::vector<std::size_t>& members) {
  CallSets sets;
  std::map<std::size_t, std::size_t> known;
  for (auto process : members) {
    const auto intent = plan.processes[process].intent;
    const auto [at, is_new] = known.try_emplace(intent, sets.first.size());
    if (is_new) {
      sets.first.push_back(process);
      sets.members.push_back(0);
      sets.intents.push_back(intent);
    }
    ++sets.members[at->second];
    sets.of_member.push_back(at->second);
  }
  return sets;
}

class Structure {
 public:
  Structure(const Plan& plan, const std::vector<std::size_t>& members)
      : plan_(plan), sets_(list_sets(plan, members)) {}

  std::vector<CallStructure> list() {
    const auto count = sets_.first.size();
    std::map<CallPair, Sets> by_pair;
    for (std::size_t s = 0; s < count; ++s)
      for (const auto& pair : get_pairs(s))
        by_pair.try_emplace(pair, Sets(count)).first->second[s] = true;

    for (const auto& [pair, sets] : by_pair)
      add(sets, pair, 0);

    for (std::size_t s = 0; s < count && count <= most_sets; ++s) {
      Sets below(count, true);
      for (const auto& pair : get_pairs(s))
        std::transform(below.begin(), below.end(), by_pair.at(pair).begin(), below.begin(),
                       std::logical_and());
      add(below, std::nullopt, sets_.first[s]);
    }
    return std::move(out_);
  }

 private:
  const std::vector<CallPair>& get_pairs(std::size_t set) const {
    return plan_.intents[sets_.intents[set]].set.pairs;
  }

  void add(const Sets& sets, const std::optional<CallPair>& pair, std::size_t process) {
    std::size_t count = 0;
    for (std::size_t s = 0; s < sets.size(); ++s)
      count += sets[s] ? sets_.members[s] : 0;
    if (std::min(count, sets_.of_member.size() - count) < 2)
      return;

    auto key = sets;
    if (key.front())
      key.flip();
    const auto [at, is_new] = known_.try_emplace(std::move(key), out_.size());
    if (!is_new) {
      auto& known = out_[at->second];
      known.same += pair && known.has.front() == sets.front();
      return;
    }

    out_.push_back({pair, process, {}, count, 0});
    for (auto set : sets_.of_member)
      out_.back().has.push_back(sets[set]);
  }

  const Plan& plan_;
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
