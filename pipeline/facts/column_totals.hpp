// The columns of a call-path profile (ProfileBuilder), summed over all call paths of a location.
// This takes a fraction of the time if nothing else is needed.
//
// Both classes replace those with which SeriesSink follows call paths. A "path" here is 0 without
// an open call, and otherwise the function of the innermost open call, plus 1.
//
// Sums of many records may exceed 64 bits, which WideSums can hold; ticks and visits of a location
// do not. One thread at a time.
#pragma once

#include "filters/iterations/profile_sums.hpp"
#include "pipeline/facts/profile_columns.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

// The functions of the open calls. Replaces a CallPathCursor.
class OpenFunctions {
 public:
  [[gnu::always_inline]] PathIndex enter(FunctionIndex function) {
    if (open_calls_ == around_.size()) [[unlikely]]
      around_.resize(2 * open_calls_ + 16);
    around_[open_calls_++] = path_;
    return path_ = function + 1;
  }
  void leave() { path_ = around_[--open_calls_]; }

  // The innermost of `functions`, or of the first `open_calls` open calls if there are none.
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
  std::vector<PathIndex> around_;  // by open call: the path around it; and room for more
  std::size_t open_calls_ = 0;
  PathIndex path_ = 0;
};

// Replaces a ProfileBuilder: all rows are the same one.
class ColumnTotals {
 public:
  // The columns must outlive this.
  explicit ColumnTotals(const ProfileColumns& columns) : columns_(columns) {
    sums_.reset(columns.columns().size());
  }

  // The sums of ticks and visits, by column.
  std::uint64_t* row(PathIndex) { return sums_.low().data(); }
  void add(PathIndex, std::uint32_t column, std::uint64_t amount) {
    if (column != ProfileColumns::no_column)
      sums_.add(column, amount);
  }

  void add_all(const ColumnTotals& other) { sums_.add(other.sums_); }

  // Moves the sums to `out`. Execution time there includes all of its parts.
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
