#include "pipeline/iterations/stored_profiles.hpp"

#include <algorithm>
#include <cassert>

namespace tracefold {

namespace {

// Iterations take turns among few call trees: only so many lists of rows are compared.
constexpr std::size_t most_compared = 16;

constexpr unsigned bits_per_byte = 7;
constexpr std::uint8_t more_follow = 1u << bits_per_byte;

void pack(std::uint64_t value, std::vector<std::uint8_t>& bytes) {
  while (value >= more_follow) {
    bytes.push_back(static_cast<std::uint8_t>(value | more_follow));
    value >>= bits_per_byte;
  }
  bytes.push_back(static_cast<std::uint8_t>(value));
}

}  // namespace

std::uint32_t StoredProfiles::find_rows(const std::vector<PathRow>& rows) {
  const auto compared = std::min(rows_.size(), most_compared);
  const auto known =
      std::find(rows_.rbegin(), rows_.rbegin() + static_cast<std::ptrdiff_t>(compared), rows);
  if (known != rows_.rbegin() + static_cast<std::ptrdiff_t>(compared))
    return static_cast<std::uint32_t>(rows_.rend() - known - 1);

  rows_.push_back(rows);
  row_bytes_ += rows.size() * sizeof(PathRow);

  return static_cast<std::uint32_t>(rows_.size() - 1);
}

void StoredProfiles::add(const CallPathProfile& profile) {
  if (too_large_)
    return;

  assert(profile.rows.empty() || columns_ == 0 || columns_ == profile.columns());
  if (!profile.rows.empty())
    columns_ = profile.columns();

  rows_of_iterations_.push_back(find_rows(profile.rows));
  for (auto value : profile.values)
    pack(value, bytes_);

  // Vectors may take twice what they hold.
  const auto held = rows_of_iterations_.size() * sizeof(std::uint32_t) + row_bytes_ + bytes_.size();
  if (2 * held <= most_bytes_)
    return;

  const auto most = most_bytes_;
  *this = StoredProfiles(most);
  too_large_ = true;
}

const std::uint8_t* StoredProfiles::unpack(const std::uint8_t* byte, std::size_t iteration,
                                           CallPathProfile& profile) const {
  profile.rows = rows_[rows_of_iterations_[iteration]];
  profile.values.resize(profile.rows.size() * columns_);

  for (auto& value : profile.values) {
    value = *byte++;
    if (value < more_follow) [[likely]]
      continue;

    value &= more_follow - 1;
    for (unsigned shift = bits_per_byte;; shift += bits_per_byte) {
      const std::uint64_t next = *byte++;
      value |= (next & (more_follow - 1)) << shift;
      if (next < more_follow)
        break;
    }
  }

  return byte;
}

}  // namespace tracefold
