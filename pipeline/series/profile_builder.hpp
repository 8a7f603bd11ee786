// Builds a call-path profile row by row. Time is added to execution time or to one of its
// parts; in the finished profile, execution time is all of it.
//
// Memory: 12 bytes for each call path of the tree, and the rows. One thread at a time.
//
// Source: dynamics 3 (time-series call-path profiles), Table 1.1.
#pragma once

#include "model/profile/call_path_profile.hpp"
#include "pipeline/series/profile_columns.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

class ProfileBuilder {
 public:
  // The columns must stay.
  explicit ProfileBuilder(const ProfileColumns& columns)
      : columns_(columns), width_(columns.columns().size()) {}

  // The row of a path, by column; made where there is none. Valid until the next is made.
  [[gnu::always_inline]] std::uint64_t* row(PathIndex path) {
    if (path >= places_.size() || places_[path] == none) [[unlikely]]
      add_row(path);
    return values_.data() + places_[path] * width_;
  }
  void add(PathIndex path, std::uint32_t column, std::uint64_t amount) {
    if (amount && column != ProfileColumns::no_column)
      row(path)[column] += amount;
  }

  void add_all(const ProfileBuilder& other);

  // Moves the profile into `out`; nothing of it is left here. Its paths are of the tree.
  void take(std::span<const CallPath> tree, CallPathProfile& out);

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  void add_row(PathIndex path);
  void sort_paths();
  // Moves what is not 0 in a row behind the values of `out`.
  void take_values(std::uint64_t* row, CallPathProfile& out) const;
  // Calls of MPI are known; what leads to them becomes PathKind::com.
  void mark_callers_of_mpi(std::span<const CallPath> tree, CallPathProfile& out) const;

  const ProfileColumns& columns_;
  std::size_t width_;                  // values in a row
  std::vector<std::uint32_t> places_;  // by path: the place of its row
  std::vector<PathIndex> paths_;       // by row
  std::vector<PathIndex> visited_;     // those of the last profile, as they were visited
  std::vector<PathIndex> sorted_;      // and ascending
  std::vector<std::uint64_t> values_;  // row by row; 0 in rows that are not in use
};

}  // namespace tracefold
