#include "lattice/distinguish.hpp"

#include "lattice/bits.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <utility>

namespace tracefold::lattice {

namespace {

using Attributes = std::vector<std::uint32_t>;
using SetIndexes = std::vector<std::size_t>;

bool is_more_telling(const Literal& a, const Literal& b) {
  return std::pair(a.is_lacking, a.attribute) < std::pair(b.is_lacking, b.attribute);
}

// Marks that are all taken away at once.
class Marks {
 public:
  explicit Marks(std::size_t size) : marks_(size) {}

  void clear() { ++now_; }
  void set(std::size_t place) { marks_[place] = now_; }
  bool has(std::size_t place) const { return marks_[place] == now_; }

 private:
  std::vector<std::uint32_t> marks_;
  std::uint32_t now_ = 1;
};

// The best choice of literals to cover all of some sets, searched with bounded effort.
class CoverSearch {
 public:
  struct Candidate {
    Literal literal;
    std::vector<Word> covers;  // bit by set to be covered
    std::size_t count = 0;
  };

  // `known` covers all sets, and what is found has no more literals.
  CoverSearch(std::vector<Candidate> candidates, std::size_t sets, std::vector<Literal> known,
              std::uint64_t steps)
      : candidates_(std::move(candidates)), best_(std::move(known)), steps_(steps) {
    for (const auto& one : candidates_)
      largest_ = std::max(largest_, one.count);
    covering_.resize(sets);
    for (std::size_t c = 0; c < candidates_.size(); ++c)
      for (std::size_t s = 0; s < sets; ++s)
        if (has_bit(candidates_[c].covers, s))
          covering_[s].push_back(c);
    order_.resize(sets);
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](auto a, auto b) { return covering_[a].size() < covering_[b].size(); });
  }

  // Whether all choices were tried, or need not be.
  bool search() {
    std::vector<Word> open(words_for(order_.size()));
    fill_bits(open, order_.size());
    go_on(open, order_.size());
    return !is_out_of_steps_;
  }
  const std::vector<Literal>& best() const { return best_; }

 private:
  static std::uint64_t add_up(const std::vector<Literal>& literals) {
    constexpr unsigned lacking_bit = 32;  // what is lacking tells less than what is there
    std::uint64_t sum = 0;
    for (const auto& literal : literals)
      sum += literal.attribute + (std::uint64_t{literal.is_lacking} << lacking_bit);
    return sum;
  }

  void go_on(const std::vector<Word>& open, std::size_t left) {
    if (left == 0) {
      if (std::pair(chosen_.size(), add_up(chosen_)) < std::pair(best_.size(), add_up(best_)))
        best_ = chosen_;
      return;
    }
    if (largest_ == 0 || chosen_.size() + (left + largest_ - 1) / largest_ > best_.size())
      return;

    // One of those that cover the set that fewest cover has to be chosen.
    const auto set =
        *std::find_if(order_.begin(), order_.end(), [&](auto s) { return has_bit(open, s); });
    for (const auto c : covering_[set]) {
      const auto cost = open.size() + 1;
      is_out_of_steps_ = is_out_of_steps_ || steps_ < cost;
      if (is_out_of_steps_)
        return;
      steps_ -= cost;

      auto rest = open;
      std::size_t rest_left = 0;
      for (std::size_t w = 0; w < rest.size(); ++w) {
        rest[w] &= ~candidates_[c].covers[w];
        rest_left += static_cast<std::size_t>(std::popcount(rest[w]));
      }
      chosen_.push_back(candidates_[c].literal);
      go_on(rest, rest_left);
      chosen_.pop_back();
    }
  }

  std::vector<Candidate> candidates_;
  std::vector<std::vector<std::size_t>> covering_;  // by set
  SetIndexes order_;                                // those that fewest cover come first
  std::size_t largest_ = 0;
  std::vector<Literal> chosen_, best_;
  std::uint64_t steps_;
  bool is_out_of_steps_ = false;
};

// What all sets have tells none from another.
GroupedSets leave_out_shared(GroupedSets grouped) {
  std::vector<std::size_t> frequency(grouped.may_lack.size());
  for (const auto& set : grouped.sets)
    for (const auto a : set)
      ++frequency[a];
  for (auto& set : grouped.sets)
    std::erase_if(set, [&](auto a) { return frequency[a] == grouped.sets.size(); });
  return grouped;
}

class Distinguisher {
 public:
  Distinguisher(const GroupedSets& in, std::uint64_t steps)
      : in_(leave_out_shared(in)),
        steps_(steps / std::max<std::size_t>(in.groups.size(), 1)),
        columns_(in.may_lack.size()),
        group_of_(in.sets.size()),
        all_have_(in.may_lack.size()),
        any_has_(in.may_lack.size()),
        left_out_(in.may_lack.size()),
        has_(in.sets.size()),
        counts_(in.may_lack.size()) {
    for (std::size_t s = 0; s < in.sets.size(); ++s)
      for (const auto a : in.sets[s])
        columns_[a].push_back(s);
    for (std::size_t g = 0; g < in.groups.size(); ++g)
      for (const auto s : in.groups[g])
        group_of_[s] = g;

    for (std::uint32_t a = 0; a < columns_.size(); ++a)
      if (in.may_lack[a] && columns_[a].size() < in.sets.size())
        by_frequency_.push_back(a);
    std::stable_sort(by_frequency_.begin(), by_frequency_.end(),
                     [&](auto a, auto b) { return columns_[a].size() > columns_[b].size(); });
  }

  Distinction distinguish(std::size_t group) {
    look_at(group);
    Distinction found;
    if (in_.groups.size() < 2)
      return found;

    found.alone = list_alone();
    found.fewest = find_fewest(found);
    if (found.alone.empty() || in_.groups.size() > most_groups_with_others)
      return found;

    for (const auto& literal : found.alone)
      left_out_.set(literal.attribute);
    Distinction without;
    auto others = find_fewest(without);
    if (without.alike.empty())
      found.others = std::move(others);

    return found;
  }

 private:
  void look_at(std::size_t group) {
    group_ = group;
    for (auto* marks : {&all_have_, &any_has_, &left_out_})
      marks->clear();
    const auto& own = in_.groups[group];
    common_ = in_.sets[own.front()];
    for (const auto s : own) {
      Attributes both;
      std::set_intersection(common_.begin(), common_.end(), in_.sets[s].begin(), in_.sets[s].end(),
                            std::back_inserter(both));
      common_ = std::move(both);
      for (const auto a : in_.sets[s])
        any_has_.set(a);
    }
    for (const auto a : common_)
      all_have_.set(a);
  }

  std::size_t count_others() const { return in_.sets.size() - in_.groups[group_].size(); }
  bool can_have(std::uint32_t a) const { return !left_out_.has(a); }
  bool can_lack(std::uint32_t a) const {
    return in_.may_lack[a] && !any_has_.has(a) && !left_out_.has(a);
  }

  std::vector<Literal> list_alone() const {
    std::vector<Literal> alone;
    const auto own = in_.groups[group_].size();
    for (const auto a : common_)
      if (columns_[a].size() == own)
        alone.push_back({a, false});
    for (const auto a : by_frequency_) {
      if (columns_[a].size() < count_others())
        break;
      if (columns_[a].size() == count_others() && can_lack(a))
        alone.push_back({a, true});
    }
    std::sort(alone.begin(), alone.end(), is_more_telling);
    return alone;
  }

  struct Choice {
    Literal literal;
    std::size_t covers = 0;
  };

  static void improve(Choice& best, Literal literal, std::size_t covers) {
    if (covers > best.covers ||
        (covers > 0 && covers == best.covers && is_more_telling(literal, best.literal)))
      best = {literal, covers};
  }

  // What covers most of all other sets.
  Choice choose_first() const {
    Choice best;
    for (const auto a : common_)
      if (can_have(a))
        improve(best, {a, false}, in_.sets.size() - columns_[a].size());
    for (const auto a : by_frequency_) {
      if (columns_[a].size() < best.covers)
        break;
      if (can_lack(a))
        improve(best, {a, true}, columns_[a].size());
    }
    return best;
  }

  // Some of the sets, evenly spread, with at most so many attributes together as the group has
  // steps for.
  SetIndexes choose_sample(const SetIndexes& open) const {
    std::uint64_t attributes = 0;
    for (const auto s : open)
      attributes += in_.sets[s].size() + 1;
    const auto most = std::max<std::uint64_t>(steps_, least_sample);
    const auto stride = static_cast<std::size_t>(attributes / most) + 1;
    SetIndexes sample;
    for (std::size_t k = 0; k < open.size(); k += stride)
      sample.push_back(open[k]);
    return sample;
  }

  Choice choose_next(const SetIndexes& sample) {
    Attributes touched;
    for (const auto s : sample)
      for (const auto a : in_.sets[s])
        if (counts_[a]++ == 0)
          touched.push_back(a);

    Choice best;
    for (const auto a : common_)
      if (can_have(a))
        improve(best, {a, false}, sample.size() - counts_[a]);
    for (const auto a : touched)
      if (can_lack(a))
        improve(best, {a, true}, counts_[a]);
    for (const auto a : touched)
      counts_[a] = 0;

    return best;
  }

  // Leaves the sets that fit the literal.
  void leave_fitting(SetIndexes& open, Literal literal) {
    const auto& column = columns_[literal.attribute];
    if (open.size() < column.size() / searches_per_mark) {
      std::erase_if(open, [&](auto s) {
        return std::binary_search(column.begin(), column.end(), s) == literal.is_lacking;
      });
      return;
    }

    has_.clear();
    for (const auto s : column)
      has_.set(s);
    std::erase_if(open, [&](auto s) { return has_.has(s) == literal.is_lacking; });
  }

  SetIndexes list_others() const {
    SetIndexes others;
    for (std::size_t s = 0; s < in_.sets.size(); ++s)
      if (group_of_[s] != group_)
        others.push_back(s);
    return others;
  }

  std::vector<Literal> find_fewest(Distinction& found) {
    std::vector<Literal> chosen;
    SetIndexes alike;
    auto open = list_others();
    for (bool is_first = true; !open.empty(); is_first = false) {
      const auto sample = is_first ? open : choose_sample(open);
      const auto best = is_first ? choose_first() : choose_next(sample);
      if (best.covers > 0) {
        chosen.push_back(best.literal);
        leave_fitting(open, best.literal);
        continue;
      }
      alike.insert(alike.end(), sample.begin(), sample.end());
      SetIndexes rest;
      std::set_difference(open.begin(), open.end(), sample.begin(), sample.end(),
                          std::back_inserter(rest));
      open = std::move(rest);
    }

    for (const auto s : alike)
      found.alike.push_back(group_of_[s]);
    std::sort(found.alike.begin(), found.alike.end());
    found.alike.erase(std::unique(found.alike.begin(), found.alike.end()), found.alike.end());

    if (chosen.size() >= 2)
      found.is_proven = search_fewest(chosen, alike) || chosen.size() == 2;
    std::sort(chosen.begin(), chosen.end(), is_more_telling);
    return chosen;
  }

  // Whether it is known that fewer do not do.
  bool search_fewest(std::vector<Literal>& chosen, SetIndexes alike) {
    if (in_.sets.size() > steps_)
      return false;

    std::sort(alike.begin(), alike.end());
    SetIndexes sets;
    const auto others = list_others();
    std::set_difference(others.begin(), others.end(), alike.begin(), alike.end(),
                        std::back_inserter(sets));
    std::uint64_t size = 0;
    for (const auto s : sets)
      size += in_.sets[s].size();
    const auto candidates = (common_.size() + columns_.size()) * (words_for(sets.size()) + 1);
    if (size + candidates > steps_)
      return false;

    CoverSearch search(list_candidates(sets), sets.size(), chosen, steps_ - size - candidates);
    const bool is_complete = search.search();
    chosen = search.best();
    return is_complete;
  }

  // If several literals cover the same sets, only the first is a candidate.
  std::vector<CoverSearch::Candidate> list_candidates(const SetIndexes& sets) const {
    std::map<std::uint32_t, std::vector<Word>> having;  // by attribute
    for (std::size_t s = 0; s < sets.size(); ++s)
      for (const auto a : in_.sets[sets[s]])
        set_bit(having.try_emplace(a, words_for(sets.size())).first->second, s);
    for (const auto a : common_)
      having.try_emplace(a, words_for(sets.size()));

    std::vector<Word> all(words_for(sets.size()));
    fill_bits(all, sets.size());
    std::set<std::vector<Word>> known;
    std::vector<CoverSearch::Candidate> candidates;
    for (const bool is_lacking : {false, true})
      for (const auto& [a, sets_having] : having) {
        if (is_lacking ? !can_lack(a) : !all_have_.has(a) || !can_have(a))
          continue;
        auto covers = sets_having;
        std::size_t count = 0;
        for (std::size_t w = 0; w < covers.size(); ++w) {
          covers[w] = is_lacking ? covers[w] : all[w] & ~covers[w];
          count += static_cast<std::size_t>(std::popcount(covers[w]));
        }
        if (count > 0 && known.insert(covers).second)
          candidates.push_back({{a, is_lacking}, std::move(covers), count});
      }
    return candidates;
  }

  static constexpr std::uint64_t least_sample = 1024;
  static constexpr std::size_t searches_per_mark = 8;

  GroupedSets in_;
  std::uint64_t steps_;              // of each group
  std::vector<SetIndexes> columns_;  // by attribute: the sets that have it
  Attributes by_frequency_;          // those that some lack, what most sets have first
  SetIndexes group_of_;              // by set

  // This is of the group that is looked at.
  std::size_t group_ = 0;
  Attributes common_;
  Marks all_have_, any_has_, left_out_;  // by attribute
  Marks has_;                            // by set
  std::vector<std::size_t> counts_;      // by attribute; 0 between uses
};

}  // namespace

std::vector<Distinction> distinguish(const GroupedSets& grouped, std::uint64_t steps) {
  Distinguisher distinguisher(grouped, steps);
  std::vector<Distinction> found;
  for (std::size_t g = 0; g < grouped.groups.size(); ++g)
    found.push_back(distinguisher.distinguish(g));
  return found;
}

}  // namespace tracefold::lattice
