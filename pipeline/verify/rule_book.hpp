// Collects the verdicts of verify: violations belong to the rule that was added last.
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
    out_.push_back({std::move(words), std::move(violations)});
  }
  void add_violation(std::string words) { out_.back().violations.push_back(std::move(words)); }

 private:
  std::vector<RuleVerdict>& out_;
};

}  // namespace tracefold
