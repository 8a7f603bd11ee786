// The profiles of several iterations of one process added up: exact, in any order.
//
// Rows are those of any of the iterations, and may be shared with other sums.
// A value type.
//
// Source: dynamics 4.1.1 (of a cluster: the mean profile, here as sum and count) and
// 4.1.5 (aggregate profiles).
#pragma once

#include "model/profile/call_path_profile.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace tracefold {

__extension__ using Wide = unsigned __int128;

// Element by element the sums of many 64-bit values: 128-bit numbers, kept in 64 bits each
// for as long as no sum needs more. A value type.
class WideSums {
 public:
  WideSums() = default;
  explicit WideSums(std::size_t size) : low_(size) {}
  explicit WideSums(std::span<const std::uint64_t> values) : low_(values.begin(), values.end()) {}

  // Of equal sizes. O(size).
  void add(std::span<const std::uint64_t> values);
  void add(const WideSums& other);
  void add_at(std::size_t k, Wide value);

  std::size_t size() const { return low_.size(); }
  Wide operator[](std::size_t k) const {
    return high_.empty() ? low_[k] : Wide{high_[k]} << 64 | low_[k];
  }
  bool operator==(const WideSums& other) const;
  std::size_t bytes() const { return (low_.capacity() + high_.capacity()) * sizeof(std::uint64_t); }

 private:
  std::vector<std::uint64_t> low_, high_;  // high_ is empty while all of it would be 0
};

class ProfileSums {
 public:
  using Rows = std::vector<PathRow>;

  ProfileSums() = default;
  explicit ProfileSums(const CallPathProfile& profile)
      : ProfileSums(profile, std::make_shared<const Rows>(profile.rows)) {}
  // Where `rows` are equal to the profile's.
  ProfileSums(const CallPathProfile& profile, std::shared_ptr<const Rows> rows)
      : iterations_(1),
        columns_(profile.columns()),
        rows_(std::move(rows)),
        values_(profile.values) {}

  // O(rows · columns).
  void add(const ProfileSums& other);

  std::uint64_t iterations() const { return iterations_; }
  std::size_t columns() const { return columns_; }  // 0 without rows
  const Rows& rows() const { return *rows_; }
  const WideSums& values() const { return values_; }  // row by row
  Wide at(std::size_t row, std::size_t column) const { return values_[row * columns_ + column]; }
  std::size_t value_bytes() const { return values_.bytes(); }

 private:
  std::uint64_t iterations_ = 0;
  std::size_t columns_ = 0;
  std::shared_ptr<const Rows> rows_ = std::make_shared<const Rows>();
  WideSums values_;
};

}  // namespace tracefold
