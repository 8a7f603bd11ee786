#include "filters/iterations/wide_sums.hpp"

#include <cassert>

namespace tracefold {

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

}  // namespace tracefold
