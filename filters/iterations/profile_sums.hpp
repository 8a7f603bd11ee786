// The exact sum of profiles of several iterations of one process, in any order.
//
// It has the rows of all of these iterations; sums may share them. As in a profile, only non-zero
// columns are stored. A value type.
//
// Source: dynamics 4.1.1 (of a cluster: the mean profile, here as sum and count) and
// 4.1.5 (aggregate profiles).
#pragma once

#include "base/packed_values.hpp"
#include "base/wide.hpp"
#include "model/profile/call_path_profile.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

// Elementwise sums of many 64-bit values: 128-bit numbers, stored in 64 bits as long as no sum
// needs more. A value type.
class WideSums {
 public:
  WideSums() = default;
  explicit WideSums(std::vector<std::uint64_t> values) : low_(std::move(values)) {}
  explicit WideSums(std::span<const Wide> values);

  // Both must have the same size. Takes O(size).
  void add(std::span<const std::uint64_t> values);
  void add(const WideSums& other);
  // Adds to sum number k.
  void add(std::size_t k, std::uint64_t value) {
    low_[k] += value;
    if (low_[k] < value) [[unlikely]]
      carry(k);
  }
  void add(std::size_t k, Wide value) {
    add(k, static_cast<std::uint64_t>(value));
    if (const auto high = static_cast<std::uint64_t>(value >> 64); high != 0) [[unlikely]] {
      high_.resize(size());
      high_[k] += high;
    }
  }
  void push_back(Wide value) {
    const auto high = static_cast<std::uint64_t>(value >> 64);
    if (high != 0 && high_.empty()) [[unlikely]]
      high_.resize(size());
    low_.push_back(static_cast<std::uint64_t>(value));
    if (high != 0 || !high_.empty()) [[unlikely]]
      high_.push_back(high);
  }
  void reserve(std::size_t size) { low_.reserve(size); }

  std::size_t size() const { return low_.size(); }
  Wide operator[](std::size_t k) const {
    return high_.empty() ? low_[k] : Wide{high_[k]} << 64 | low_[k];
  }
  // The lower 64 bits of each sum, and whether all sums fit into them. Sums that stay below 2^64
  // may be changed through low().
  std::span<std::uint64_t> low() { return low_; }
  std::span<const std::uint64_t> low() const { return low_; }
  bool fit_64_bits() const { return high_.empty(); }
  // Sets all of `size` sums to 0.
  void reset(std::size_t size) {
    low_.assign(size, 0);
    high_.clear();
  }
  bool operator==(const WideSums& other) const;
  std::size_t bytes() const { return (low_.capacity() + high_.capacity()) * sizeof(std::uint64_t); }

 private:
  friend auto list_members(Like<WideSums> auto& sums) { return std::tie(sums.low_, sums.high_); }

  void carry(std::size_t k);

  std::vector<std::uint64_t> low_, high_;  // high_ is empty while it would be all 0
};

class ProfileSums {
 public:
  using Rows = std::vector<PathRow>;

  ProfileSums() = default;
  explicit ProfileSums(const CallPathProfile& profile)
      : ProfileSums(profile, std::make_shared<const Rows>(profile.rows)) {}
  // `rows` must equal the rows of the profile.
  ProfileSums(const CallPathProfile& profile, std::shared_ptr<const Rows> rows);

  // Takes O(values of both), and O(rows * log(rows)) where rows differ.
  void add(const ProfileSums& other);

  std::uint64_t iterations() const { return iterations_; }
  const Rows& rows() const { return *rows_; }

  // The values of a row have the places from first() to before end(), ascending by column.
  std::size_t first(std::size_t row) const { return row == 0 ? 0 : ends_[row - 1]; }
  std::size_t end(std::size_t row) const { return ends_[row]; }
  std::size_t places() const { return columns_.size(); }
  std::uint32_t column(std::size_t place) const { return columns_[place]; }
  Wide value(std::size_t place) const { return values_[place]; }

  std::size_t value_bytes() const;
  // Whether rows, values and numbers of iterations are equal.
  bool operator==(const ProfileSums& other) const;

 private:
  bool has_columns_of(const ProfileSums& other) const;
  void add_row(const ProfileSums& from, std::size_t row);
  void add_rows(const ProfileSums& a, std::size_t row_of_a, const ProfileSums& b,
                std::size_t row_of_b);

  std::uint64_t iterations_ = 0;
  std::shared_ptr<const Rows> rows_ = std::make_shared<const Rows>();
  std::vector<std::uint32_t> ends_;     // by row: end of its values in the following
  std::vector<std::uint32_t> columns_;  // by place
  WideSums values_;                     // by place
};

// Calls visit(row of the profile, row of the sums) for each call path of either, by path. One of
// the rows is none where only the other side has the path.
template <class Visit>
void visit_rows(const CallPathProfile& profile, const ProfileSums& sums, Visit&& visit) {
  using Row = std::optional<std::size_t>;
  const auto& theirs = sums.rows();
  std::size_t other = 0;

  for (std::size_t row = 0; row < profile.rows.size(); ++row) {
    const auto path = profile.rows[row].path;
    for (; other < theirs.size() && theirs[other].path < path; ++other)
      visit(Row(), Row(other));
    const bool is_there = other < theirs.size() && theirs[other].path == path;
    visit(Row(row), is_there ? Row(other) : Row());
    other += is_there;
  }

  for (; other < theirs.size(); ++other)
    visit(Row(), Row(other));
}

}  // namespace tracefold
