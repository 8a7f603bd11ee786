// Collects the verdicts of verify: violations belong to the rule that was added last. One thread.
#pragma once

#include "pipeline/verify/verify.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tracefold {

class RuleBook {
 public:
  explicit RuleBook(std::vector<RuleVerdict>& out) : out_(out) {}

  void add_rule(std::string words, std::vector<std::string> violations = {}) {
    out_.push_back({std::move(words), {}});
    for (auto& violation : violations)
      add_violation(std::move(violation));
  }
  // A damaged trace may break a rule millions of times: after a thousand, one line stands for all
  // that follow.
  void add_violation(std::string words) {
    constexpr std::size_t most_violations = 1000;
    auto& violations = out_.back().violations;
    if (violations.size() < most_violations)
      violations.push_back(std::move(words));
    else if (violations.size() == most_violations)
      violations.emplace_back("… and more of this kind");
  }
  bool has_violations() const { return !out_.back().violations.empty(); }

 private:
  std::vector<RuleVerdict>& out_;
};

}  // namespace tracefold
