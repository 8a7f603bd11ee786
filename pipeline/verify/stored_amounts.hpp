// Amounts by the names of call paths and metrics, so that what is stored of processes can be
// compared with what they did, although both number call paths and metrics differently.
//
// What is made is immutable, and any thread may ask. The aggregates have to stay.
//
// Source: dynamics 4.1.5 (exact aggregates of what is folded).
#pragma once

#include "model/aggregates/aggregates.hpp"
#include "pipeline/verify/rules.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

// What a plan leaves of a name that is no UTF-8, and of others, too.
std::string take_ascii(const std::string& name);

// The metrics that are compared, and which column each one is of what is stored and of what was
// done.
struct ComparedColumns {
  struct Column {
    std::size_t stored = 0, done = 0;
    std::string name;
  };
  std::vector<Column> all;

  // By place in `all`.
  std::vector<std::size_t> list(std::size_t Column::*side) const;
};

// Adds violations where other metrics are stored, or counters count in other steps. `unknown` are
// times of waiting that may be stored, and cannot be compared.
ComparedColumns compare_columns(RuleBook& rules, const MetricColumns& stored,
                                const MetricColumns& done, const std::set<Metric>& unknown);

// Numbers call paths, of whatever tree, by those that are stored: the first that has the same
// names.
class StoredPaths {
 public:
  static constexpr PathIndex outside = no_path;      // of calls
  static constexpr PathIndex unknown = no_path - 1;  // not stored

  explicit StoredPaths(const Aggregates& stored);

  // By index into the list; virtual_root: none of those is stored.
  std::vector<FunctionIndex> number_functions(const std::vector<Function>& list) const;
  // By path of a tree, which may begin with a root that stands for no call.
  std::vector<PathIndex> number(std::span<const CallPath> tree,
                                const std::vector<FunctionIndex>& functions) const;
  std::string describe(PathIndex path) const;

 private:
  const Aggregates& stored_;
  std::map<Function, FunctionIndex> functions_;
  std::map<std::pair<PathIndex, FunctionIndex>, PathIndex> paths_;  // by caller and function
};

// What a process did by call path and compared column, and in kept iterations.
struct ProcessAmounts {
  struct InIterations {
    std::size_t loop = 0;
    PathIndex path = 0;
    std::size_t column = 0;

    auto operator<=>(const InIterations&) const = default;
  };

  std::map<PathIndex, std::vector<std::uint64_t>> paths;
  std::map<InIterations, std::vector<std::uint64_t>> iterations;  // by kept iteration

  // Values are by column, `columns` say which of them are compared.
  void add(PathIndex path, const std::uint64_t* values, const std::vector<std::size_t>& columns);
  void add(const InIterations& where, const std::vector<std::uint64_t>& values);
};

// What aggregates say of a process, whose call paths have these numbers.
ProcessAmounts take_amounts(const Aggregates& aggregates, std::size_t process,
                            const std::vector<PathIndex>& numbers,
                            const std::vector<std::size_t>& columns);

// What differs, of each metric the first. `folds` are the loops.
std::vector<std::string> compare_amounts(const ProcessAmounts& stored, const ProcessAmounts& done,
                                         const StoredPaths& paths, const ComparedColumns& columns,
                                         const std::vector<SeriesFold>& folds);

}  // namespace tracefold
