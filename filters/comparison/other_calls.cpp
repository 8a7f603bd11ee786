#include "filters/comparison/other_calls.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

namespace tracefold {

namespace {

constexpr double least_change = 0.02;  // relative, of how often something is called

bool are_alike(double a, double b) {
  return std::abs(a / b - 1) < least_change;
}

class ChangeFinder {
 public:
  ChangeFinder(const JoinedRuns& runs, double iterations)
      : runs_(runs), calls_(runs.calls), figures_(runs), iterations_(iterations) {
    for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c)
      varies_.push_back(varies(c));
    for (std::size_t n = 0; n < calls_.nodes.size(); ++n)
      ratios_.push_back(find_ratio(n));
  }

  std::vector<OtherCalls> list() {
    std::vector<std::size_t> roots(calls_.nodes.size(), no_node);
    for (std::size_t n = 0; n < calls_.nodes.size(); ++n)  // callers come before callees
      if (ratios_[n]) {
        const auto caller = calls_.nodes[n].caller;
        const bool is_of_caller =
            caller != no_node && roots[caller] != no_node && is_same(*ratios_[n], *ratios_[caller]);
        roots[n] = is_of_caller ? roots[caller] : n;
        if (!is_of_caller)
          add_root(n);
      }
    join_moved();

    for (ClassIndex c = 0; c < calls_.names.classes.size(); ++c) {
      const auto node =
          figures_.find_heaviest(c, figures_.waits(c) ? Measure::visits : Measure::time);
      if (node == no_node || roots[node] == no_node)
        continue;
      if (const auto at = change_of_.find(roots[node]); at != change_of_.end())
        changes_[at->second].classes.push_back(c);
    }
    std::erase_if(changes_,
                  [](const OtherCalls& one) { return one.in_a.empty() && one.in_b.empty(); });
    return std::move(changes_);
  }

 private:
  static constexpr double only_a = 0, only_b = HUGE_VAL;

  // How many times as often B calls it; none: as often.
  std::optional<double> find_ratio(std::size_t node) const {
    const auto a = figures_.get_visits(0, node), b = figures_.get_visits(1, node);
    if (a <= 0 || b <= 0)
      return a > 0 ? std::optional(only_a) : b > 0 ? std::optional(only_b) : std::nullopt;
    if (varies_[calls_.nodes[node].of])
      return std::nullopt;
    const bool is_as_often = follows_iterations(a, b, iterations_) || are_alike(b, a);
    return is_as_often ? std::nullopt : std::optional(b / a);
  }
  // Whether processes call it as often as chance will have it, as where they look for messages.
  bool varies(ClassIndex of) const {
    const auto visits = runs_.list_class_values(of, Measure::visits);
    return visits.are_partners &&
           !measure_difference(visits, ValueKind::waiting, {1e-9, 1e-9}).is_beyond;
  }
  static bool is_same(double a, double b) { return a == b || (a > 0 && b > 0 && are_alike(a, b)); }

  void add_root(std::size_t node) {
    const auto caller = calls_.nodes[node].caller;
    const auto ratio = *ratios_[node];
    const bool is_often = ratio != only_a && ratio != only_b;
    const auto kind = is_often ? OtherCalls::Kind::often : OtherCalls::Kind::other;
    auto at = std::find_if(changes_.begin(), changes_.end(), [&](const OtherCalls& one) {
      return one.kind == kind && one.caller == caller && (!is_often || are_alike(one.ratio, ratio));
    });
    if (at == changes_.end())
      at = changes_.insert(at, {kind, caller, is_often ? ratio : 1, {}, {}, {}});
    (ratio == only_a ? at->in_a : at->in_b).push_back(node);
    change_of_[node] = static_cast<std::size_t>(at - changes_.begin());
  }

  // Calls of one function that have gone at one place, and come at another one.
  void join_moved() {
    std::map<ClassIndex, OtherCalls> moved;
    for (const auto& one : changes_)
      if (one.kind == OtherCalls::Kind::other)
        for (const auto* nodes : {&one.in_a, &one.in_b})
          for (auto n : *nodes) {
            auto& to = moved[calls_.nodes[n].of];
            to.kind = OtherCalls::Kind::moved;
            (nodes == &one.in_a ? to.in_a : to.in_b).push_back(n);
          }
    for (auto& [of, change] : moved) {
      if (change.in_a.empty() || change.in_b.empty())
        continue;
      for (const auto* nodes : {&change.in_a, &change.in_b})
        for (auto n : *nodes) {
          auto& from = changes_[change_of_.at(n)];
          std::erase(nodes == &change.in_a ? from.in_a : from.in_b, n);
          change_of_[n] = changes_.size();
        }
      changes_.push_back(std::move(change));
    }
  }

  const JoinedRuns& runs_;
  const CommonCalls& calls_;
  CallFigures figures_;
  double iterations_;
  std::vector<bool> varies_;                   // by function
  std::vector<std::optional<double>> ratios_;  // by node
  std::vector<OtherCalls> changes_;
  std::map<std::size_t, std::size_t> change_of_;  // by root
};

}  // namespace

bool follows_iterations(double visits_a, double visits_b, double iterations) {
  constexpr double most_outside = 0.05;  // relative, of calls before the loop and behind it
  return iterations != 1 && visits_a > 0 &&
         std::abs(visits_b / visits_a / iterations - 1) < most_outside;
}

std::vector<OtherCalls> list_other_calls(const JoinedRuns& runs, double iterations) {
  return ChangeFinder(runs, iterations).list();
}

}  // namespace tracefold
