// The rows of a profile in the making, by call path. Time is put into execution time or
// one of its parts; taken, execution time is all of it.
//
// Memory: 4 bytes for each call path of the tree, and the rows. One thread at a time.
//
// Source: dynamics 3 (time-series call-path profiles), Table 1.1.
#pragma once

#include "model/iterations/iteration_profile.hpp"
#include "model/profile/call_profile.hpp"
#include "pipeline/events/series_form.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

class ProfileRows {
 public:
  explicit ProfileRows(const SeriesForm& form) : form_(form), columns_(form.columns().size()) {}

  // The row of a path; made where there is none. Valid until the next is made.
  [[gnu::always_inline]] std::uint64_t* row(PathIndex path) {
    if (path >= place_.size() || place_[path] == none) [[unlikely]]
      make(path);
    return values_.data() + place_[path] * columns_;
  }
  void add(PathIndex path, std::uint32_t column, std::uint64_t amount) {
    if (amount && column != SeriesForm::no_column)
      row(path)[column] += amount;
  }

  // The profile, whose paths are of the tree; none of it is left.
  void take(std::span<const CallPath> tree, IterationProfile& out);

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  void make(PathIndex path);

  const SeriesForm& form_;
  std::size_t columns_;
  std::vector<std::uint32_t> place_;  // by path: of its row
  std::vector<PathIndex> paths_;      // by row
  std::vector<std::uint64_t> values_;
};

}  // namespace tracefold
