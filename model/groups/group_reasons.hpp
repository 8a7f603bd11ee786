// What sets the groups of a plan apart from each other, in words and as call pairs. Plain data.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// Something that all members of a group do, or that none of them does.
struct ReasonPart {
  std::string verb;    // "calls"; where it is lacking "lacks"
  std::string object;  // "exchange_3 → MPI_Recv", with whole names that can be printed
  bool is_lacking = false;
  std::string caller = {};  // whole names, where it is a call pair or a function
  std::string callee = {};
  // Of the time of those who do it: of the group, or where the group lacks it of all others.
  std::optional<double> share = {};

  bool operator==(const ReasonPart&) const = default;
};

struct GroupReason {
  // The fewest parts that together fit no process of another group, the most telling first. Empty
  // where there is one group only.
  std::vector<ReasonPart> fewest = {};
  bool is_proven = true;               // that fewer do not do
  std::vector<ReasonPart> alone = {};  // each that does by itself
  // The fewest without these; empty where these do not do, or there are none.
  std::vector<ReasonPart> others = {};
  // Groups with processes that fit `fewest`, too.
  std::vector<std::size_t> alike = {};
  // What sets it apart from these, in words: "the order of operations".
  std::string apart_by = {};
  std::size_t kinds = 1;                 // sets of processes that were merged
  std::vector<ReasonPart> varying = {};  // what some members do, and others do not

  bool operator==(const GroupReason&) const = default;
};

}  // namespace tracefold
