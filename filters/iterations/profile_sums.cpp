#include "filters/iterations/profile_sums.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace tracefold {

namespace {

bool by_path(const PathRow& a, const PathRow& b) {
  return a.path < b.path;
}

// Where a path is in both, the stronger kind counts.
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

}  // namespace

WideSums::WideSums(std::span<const Wide> values) {
  reserve(values.size());
  for (auto value : values)
    push_back(value);
}

void WideSums::carry(std::size_t k) {
  high_.resize(size());
  ++high_[k];
}

void WideSums::add(std::span<const std::uint64_t> values) {
  assert(values.size() == size());
  bool carries = false;
  for (std::size_t k = 0; k < values.size(); ++k) {
    low_[k] += values[k];
    carries |= low_[k] < values[k];
  }

  if (!carries)
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

bool WideSums::operator==(const WideSums& other) const {
  if (size() != other.size())
    return false;
  for (std::size_t k = 0; k < size(); ++k)
    if ((*this)[k] != other[k])
      return false;

  return true;
}

ProfileSums::ProfileSums(const CallPathProfile& profile, std::shared_ptr<const Rows> rows)
    : iterations_(1), rows_(std::move(rows)), ends_(profile.ends), columns_(profile.values.size()) {
  std::vector<std::uint64_t> values(profile.values.size());
  for (std::size_t place = 0; place < values.size(); ++place) {
    columns_[place] = profile.values[place].column;
    values[place] = profile.values[place].value;
  }
  values_ = WideSums(std::move(values));
}

void ProfileSums::add_row(const ProfileSums& from, std::size_t row) {
  for (auto place = from.first(row); place < from.end(row); ++place) {
    columns_.push_back(from.columns_[place]);
    values_.push_back(from.values_[place]);
  }
  ends_.push_back(static_cast<std::uint32_t>(columns_.size()));
}

// Rows of one call path.
void ProfileSums::add_rows(const ProfileSums& a, std::size_t row_of_a, const ProfileSums& b,
                           std::size_t row_of_b) {
  auto k = a.first(row_of_a);
  auto m = b.first(row_of_b);
  while (k < a.end(row_of_a) || m < b.end(row_of_b)) {
    const bool only_a =
        m == b.end(row_of_b) || (k < a.end(row_of_a) && a.columns_[k] < b.columns_[m]);
    const bool only_b = !only_a && (k == a.end(row_of_a) || b.columns_[m] < a.columns_[k]);
    columns_.push_back(only_b ? b.columns_[m] : a.columns_[k]);

    Wide sum = 0;
    if (!only_b)
      sum += a.values_[k++];
    if (!only_a)
      sum += b.values_[m++];
    values_.push_back(sum);
  }
  ends_.push_back(static_cast<std::uint32_t>(columns_.size()));
}

void ProfileSums::add(const ProfileSums& other) {
  const bool has_rows = rows_ == other.rows_ || *rows_ == *other.rows_;
  if (has_rows && has_columns_of(other)) {
    values_.add(other.values_);
    iterations_ += other.iterations_;
    return;
  }

  ProfileSums sum;
  sum.iterations_ = iterations_ + other.iterations_;
  sum.rows_ = has_rows ? rows_ : std::make_shared<const Rows>(unite_sets(*rows_, *other.rows_));
  sum.ends_.reserve(sum.rows_->size());
  sum.columns_.reserve(std::max(places(), other.places()));
  sum.values_.reserve(std::max(places(), other.places()));

  std::size_t a = 0;
  std::size_t b = 0;
  for (const auto& [path, kind] : *sum.rows_) {
    const bool in_a = a < rows_->size() && (*rows_)[a].path == path;
    const bool in_b = b < other.rows_->size() && (*other.rows_)[b].path == path;
    if (in_a && in_b)
      sum.add_rows(*this, a, other, b);
    else
      sum.add_row(in_a ? *this : other, in_a ? a : b);
    a += in_a;
    b += in_b;
  }

  *this = std::move(sum);
}

bool ProfileSums::has_columns_of(const ProfileSums& other) const {
  return ends_ == other.ends_ && columns_ == other.columns_;
}

std::size_t ProfileSums::value_bytes() const {
  return values_.bytes() + (ends_.capacity() + columns_.capacity()) * sizeof(std::uint32_t);
}

bool ProfileSums::operator==(const ProfileSums& other) const {
  return iterations_ == other.iterations_ && *rows_ == *other.rows_ && has_columns_of(other) &&
         values_ == other.values_;
}

}  // namespace tracefold
