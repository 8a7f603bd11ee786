#include "pipeline/iterations/stored_profiles.hpp"

#include <algorithm>
#include <cassert>

namespace tracefold {

namespace {

// Iterations take turns among few call trees: only so many lists of rows are compared.
constexpr std::size_t most_compared = 16;

constexpr unsigned bits_per_byte = 7;
constexpr std::uint8_t more_follow = 1u << bits_per_byte;

// A byte below this stands for so many zeros and one more; other values are stored with so much
// added to them that they begin with no such byte.
constexpr std::uint8_t longest_run = 32;
constexpr std::uint64_t shift_of_values = longest_run - 1;

// The bytes of a block after which another one is begun.
constexpr std::size_t block_bytes = std::size_t{1} << 16;

void pack_value(std::uint64_t value, std::vector<std::uint8_t>& bytes) {
  value += shift_of_values;
  const bool has_wrapped = value < longest_run;  // then a second byte tells it from zeros
  if (has_wrapped) {
    bytes.push_back(static_cast<std::uint8_t>(value | more_follow));
    value = 0;
  }

  while (value >= more_follow) {
    bytes.push_back(static_cast<std::uint8_t>(value | more_follow));
    value >>= bits_per_byte;
  }
  bytes.push_back(static_cast<std::uint8_t>(value));
}

// Most values are 0.
void pack(const std::vector<std::uint64_t>& values, std::vector<std::uint8_t>& bytes) {
  std::uint8_t zeros = 0;
  for (auto value : values) {
    if (value == 0 && ++zeros < longest_run)
      continue;
    if (zeros > 0)
      bytes.push_back(static_cast<std::uint8_t>(zeros - 1));
    zeros = 0;
    if (value > 0)
      pack_value(value, bytes);
  }
  if (zeros > 0)
    bytes.push_back(static_cast<std::uint8_t>(zeros - 1));
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

  // Many processes need little: the first block grows as it is filled.
  if (blocks_.empty()) {
    blocks_.emplace_back();
  } else if (blocks_.back().bytes.size() >= block_bytes) {
    blocks_.emplace_back();
    blocks_.back().bytes.reserve(block_bytes + block_bytes / 8);
  }

  auto& block = blocks_.back();
  block.rows_of_iterations.push_back(find_rows(profile.rows));
  const auto before = block.bytes.size();
  pack(profile.values, block.bytes);

  held_ += sizeof(std::uint32_t) + block.bytes.size() - before;
  if (held_ + row_bytes_ <= most_bytes_)
    return;

  const auto most = most_bytes_;
  *this = StoredProfiles(most);
  too_large_ = true;
}

const std::uint8_t* StoredProfiles::unpack(const std::uint8_t* byte, std::uint32_t rows,
                                           CallPathProfile& profile) const {
  profile.rows = rows_[rows];
  profile.values.assign(profile.rows.size() * columns_, 0);

  for (auto *value = profile.values.data(), *end = value + profile.values.size(); value != end;) {
    std::uint64_t next = *byte++;
    if (next < longest_run) {
      value += next + 1;
      continue;
    }

    auto stored = next & (more_follow - 1);
    for (unsigned shift = bits_per_byte; next >= more_follow; shift += bits_per_byte) {
      next = *byte++;
      stored |= (next & (more_follow - 1)) << shift;
    }
    *value++ = stored - shift_of_values;
  }

  return byte;
}

}  // namespace tracefold
