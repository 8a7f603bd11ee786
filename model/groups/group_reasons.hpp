// What distinguishes the groups of a plan, in words and as call pairs. Plain data.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// Something that all members of a group do, or that none of them does.
struct ReasonPart {
  std::string verb;    // "calls", or "lacks" where none does it
  std::string object;  // "exchange_3 → MPI_Recv", with full, printable names
  bool is_lacking = false;
  std::string caller = {};  // full names, where it is a call pair or a function
  std::string callee = {};
  // The share that it takes of the time of those who do it: of the group, or of all others where
  // the group lacks it.
  std::optional<double> share = {};

  bool operator==(const ReasonPart&) const = default;
};

struct GroupReason {
  // The smallest set of parts that together fit no process of another group, the most telling part
  // first. Empty where there is only one group.
  std::vector<ReasonPart> fewest = {};
  bool is_proven = true;               // no smaller set does
  std::vector<ReasonPart> alone = {};  // the parts that do so each by itself
  // The smallest set without these; empty where no such set does.
  std::vector<ReasonPart> others = {};
  // Groups with processes that fit `fewest` as well.
  std::vector<std::size_t> alike = {};
  // How it differs from these groups, in words: "the order of operations".
  std::string apart_by = {};
  std::size_t kinds = 1;                 // number of sets of equal processes that were merged
  std::vector<ReasonPart> varying = {};  // what only some members do

  bool operator==(const GroupReason&) const = default;
};

}  // namespace tracefold
