// Builds a call-path profile row by row. Time is added to execution time or one of its parts; in
// the finished profile, execution time includes its parts.
//
// Memory: 12 bytes for each call path of the tree, and the rows. One thread at a time.
//
// Source: dynamics 3 (time-series call-path profiles), Table 1.1.
#pragma once

#include "model/profile/call_path_profile.hpp"
#include "pipeline/facts/profile_columns.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

class ProfileBuilder {
 public:
  // The columns must outlive this.
  explicit ProfileBuilder(const ProfileColumns& columns)
      : columns_(columns), width_(columns.columns().size()) {}

  // The row of a path, by column, made if necessary. Valid until another row is made.
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

  // Moves the profile to `out`. Its paths refer to `tree`.
  void take(std::span<const CallPath> tree, CallPathProfile& out);

 private:
  static constexpr std::uint32_t none = 0xffffffffu;

  void add_row(PathIndex path);
  void sort_paths();
  // Appends the non-zero values of a row to those of `out`.
  void take_values(std::uint64_t* row, CallPathProfile& out) const;
  // Calls of MPI are known; their callers become PathKind::com.
  void mark_callers_of_mpi(std::span<const CallPath> tree, CallPathProfile& out) const;

  const ProfileColumns& columns_;
  std::size_t width_;                  // values in a row
  std::vector<std::uint32_t> places_;  // by path: index of its row
  std::vector<PathIndex> paths_;       // by row
  std::vector<PathIndex> visited_;     // paths of the last profile in the order of visits
  std::vector<PathIndex> sorted_;      // the same, ascending
  std::vector<std::uint64_t> values_;  // row by row; 0 in unused rows
};

}  // namespace tracefold
