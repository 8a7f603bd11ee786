#include "filters/iterations/profile_sums.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace tracefold {

namespace {

bool by_path(const PathRow& a, const PathRow& b) {
  return a.path < b.path;
}

// Of a path in both the stronger kind counts.
ProfileSums::Rows unite_sets(const ProfileSums::Rows& a, const ProfileSums::Rows& b) {
  ProfileSums::Rows rows;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rows), by_path);
  auto place = rows.begin();
  for (const auto& row : b) {
    place = std::lower_bound(place, rows.end(), row, by_path);
    place->kind = std::max(place->kind, row.kind);
  }

  return rows;
}

void add_rows(WideSums& sums, const ProfileSums::Rows& rows, const ProfileSums& part) {
  auto place = rows.begin();
  for (std::size_t row = 0; row < part.rows().size(); ++row) {
    place = std::lower_bound(place, rows.end(), part.rows()[row], by_path);
    const auto first = static_cast<std::size_t>(place - rows.begin()) * part.columns();
    for (std::size_t column = 0; column < part.columns(); ++column)
      sums.add_at(first + column, part.at(row, column));
  }
}

}  // namespace

void WideSums::add(std::span<const std::uint64_t> values) {
  assert(values.size() == size());
  bool carry = false;
  for (std::size_t k = 0; k < values.size(); ++k) {
    low_[k] += values[k];
    carry |= low_[k] < values[k];
  }

  if (!carry)
    return;

  high_.resize(size());
  for (std::size_t k = 0; k < values.size(); ++k)
    high_[k] += low_[k] < values[k];
}

void WideSums::add(const WideSums& other) {
  add(std::span(other.low_));
  if (other.high_.empty())
    return;
  high_.resize(size());
  for (std::size_t k = 0; k < size(); ++k)
    high_[k] += other.high_[k];
}

void WideSums::add_at(std::size_t k, Wide value) {
  const Wide sum = (*this)[k] + value;
  low_[k] = static_cast<std::uint64_t>(sum);
  if (sum >> 64 == 0)
    return;
  high_.resize(size());
  high_[k] = static_cast<std::uint64_t>(sum >> 64);
}

bool WideSums::operator==(const WideSums& other) const {
  if (size() != other.size())
    return false;
  for (std::size_t k = 0; k < size(); ++k)
    if ((*this)[k] != other[k])
      return false;

  return true;
}

void ProfileSums::add(const ProfileSums& other) {
  if (rows_ == other.rows_ || *rows_ == *other.rows_) {
    values_.add(other.values_);
  } else {
    const auto columns = std::max(columns_, other.columns_);
    const auto rows = std::make_shared<const Rows>(unite_sets(*rows_, *other.rows_));
    WideSums sums(rows->size() * columns);
    add_rows(sums, *rows, *this);
    add_rows(sums, *rows, other);
    columns_ = columns;
    rows_ = rows;
    values_ = std::move(sums);
  }

  iterations_ += other.iterations_;
}

}  // namespace tracefold
