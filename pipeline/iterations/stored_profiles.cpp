#include "pipeline/iterations/stored_profiles.hpp"

#include <algorithm>
#include <span>

namespace tracefold {

namespace {

// Iterations take turns among few call trees: only so many lists of rows are compared.
constexpr std::size_t most_compared = 16;

constexpr unsigned bits_per_byte = 7;
constexpr std::uint8_t more_follow = 1u << bits_per_byte;

// The bytes of a block after which another one is begun.
constexpr std::size_t block_bytes = std::size_t{1} << 16;

void pack_number(std::uint64_t number, std::vector<std::uint8_t>& bytes) {
  while (number >= more_follow) {
    bytes.push_back(static_cast<std::uint8_t>(number | more_follow));
    number >>= bits_per_byte;
  }
  bytes.push_back(static_cast<std::uint8_t>(number));
}

std::uint64_t unpack_number(const std::uint8_t*& byte) {
  std::uint64_t next = *byte++;
  auto number = next & (more_follow - 1);
  for (unsigned shift = bits_per_byte; next >= more_follow; shift += bits_per_byte) {
    next = *byte++;
    number |= (next & (more_follow - 1)) << shift;
  }

  return number;
}

// A row without values is this number, which stands before no value. Each value of another one is
// told by how much higher its column is than the one before, doubled, and one more for the last
// value; and by itself.
constexpr std::uint64_t no_values = 0;

void pack_row(std::span<const PathValue> row, std::vector<std::uint8_t>& bytes) {
  if (row.empty())
    pack_number(no_values, bytes);

  std::uint64_t next = 0;  // the lowest column that may follow
  for (std::size_t k = 0; k < row.size(); ++k) {
    const bool is_last = k + 1 == row.size();
    pack_number((row[k].column + 1 - next) << 1 | is_last, bytes);
    pack_number(row[k].value, bytes);
    next = std::uint64_t{row[k].column} + 1;
  }
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
  for (std::size_t row = 0; row < profile.rows.size(); ++row)
    pack_row(profile.row(row), block.bytes);

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
  profile.ends.clear();
  profile.values.clear();

  for (std::size_t row = 0; row < profile.rows.size(); ++row) {
    std::uint64_t next = 0;
    for (bool is_last = false; !is_last;) {
      const auto number = unpack_number(byte);
      if (number == no_values)
        break;

      is_last = (number & 1) != 0;
      next += number >> 1;
      profile.values.push_back({static_cast<std::uint32_t>(next - 1), unpack_number(byte)});
    }
    profile.ends.push_back(static_cast<std::uint32_t>(profile.values.size()));
  }

  return byte;
}

}  // namespace tracefold
