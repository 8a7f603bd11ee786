// What a location did in all, without call paths: the columns of a call-path profile
// (ProfileBuilder) summed over its rows. Takes a fraction of the time where nothing else is asked
// for.
//
// Both classes stand in for those that SeriesSink follows call paths with: a "path" here is 0 where
// no call is open, and else the function of the innermost open call, counted from 1.
//
// Amounts of many records may add up to more than 64 bits, which WideSums hold; ticks and visits of
// one location do not. One thread at a time.
#pragma once

#include "filters/iterations/profile_sums.hpp"
#include "pipeline/series/profile_columns.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

// The functions of the open calls, in place of a CallPathCursor.
class OpenFunctions {
 public:
  [[gnu::always_inline]] PathIndex enter(FunctionIndex function) {
    if (open_calls_ == around_.size()) [[unlikely]]
      around_.resize(2 * open_calls_ + 16);
    around_[open_calls_++] = path_;
    return path_ = function + 1;
  }
  void leave() { path_ = around_[--open_calls_]; }

  // The innermost of calls that so many open ones lead to.
  PathIndex visit(std::size_t open_calls, std::span<const FunctionIndex> functions) const {
    if (!functions.empty())
      return functions.back() + 1;
    return open_calls < open_calls_ ? around_[open_calls] : path_;
  }

  PathIndex path() const { return path_; }
  std::size_t open_calls() const { return open_calls_; }
  static FunctionIndex find_function(PathIndex path) { return path - 1; }
  // Call paths are not followed, and none is folded.
  static std::span<const CallPath> paths() { return {}; }
  static std::uint64_t folded() { return 0; }

 private:
  std::vector<PathIndex> around_;  // of open calls: the path around each; and room for more
  std::size_t open_calls_ = 0;
  PathIndex path_ = 0;
};

// In place of a ProfileBuilder: all rows are one.
class ColumnTotals {
 public:
  // The columns must stay.
  explicit ColumnTotals(const ProfileColumns& columns) : columns_(columns) {
    sums_.reset(columns.columns().size());
  }

  // Where ticks and visits are added, by column.
  std::uint64_t* row(PathIndex) { return sums_.low().data(); }
  void add(PathIndex, std::uint32_t column, std::uint64_t amount) {
    if (column != ProfileColumns::no_column)
      sums_.add(column, amount);
  }

  void add_all(const ColumnTotals& other) { sums_.add(other.sums_); }

  // Moves the sums into `out`; nothing of them is left here. Execution time is all of it.
  void take(WideSums& out) {
    const auto sums = sums_.low();
    for (auto part : columns_.execution_parts())
      sums[columns_.column(Metric::execution_time)] += sums[part];
    std::swap(out, sums_);
    sums_.reset(sums.size());
  }

 private:
  const ProfileColumns& columns_;
  WideSums sums_;  // by column
};

}  // namespace tracefold
