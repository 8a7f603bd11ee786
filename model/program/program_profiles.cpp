#include "model/program/program_profiles.hpp"

#include <algorithm>

namespace tracefold {

namespace {

// Seven bits in each byte, the lowest first; all but the last byte have the eighth bit.
void put_number(std::vector<std::uint8_t>& bytes, std::uint64_t number) {
  for (; number >= 0x80; number >>= 7)
    bytes.push_back(static_cast<std::uint8_t>(number | 0x80));
  bytes.push_back(static_cast<std::uint8_t>(number));
}

std::uint64_t take_number(const std::uint8_t*& byte) {
  std::uint64_t number = 0;
  for (unsigned shift = 0;; shift += 7) {
    number |= std::uint64_t{*byte & 0x7fu} << shift;
    if (*byte++ < 0x80)
      return number;
  }
}

template <class Step>
void for_each_part(const MetricColumns& columns, Step&& step) {
  for (std::size_t c = 0; c < columns.measured.size(); ++c)
    if (is_part_of_execution_time(columns.measured[c]))
      step(c);
}

}  // namespace

void IterationRows::add(std::span<const std::uint64_t> values) {
  values_.insert(values_.end(), values.begin(), values.end());
  ++iterations_;
}

void IterationRows::finish() {
  const auto columns = iterations_ == 0 ? 0 : values_.size() / iterations_;
  for (std::size_t c = 0; c < columns; ++c) {
    bool is_zero = true;
    for (std::size_t i = 0; i < iterations_ && is_zero; ++i)
      is_zero = values_[i * columns + c] == 0;
    for (std::size_t i = 0; i < iterations_ && !is_zero; ++i)
      put_number(bytes_, values_[i * columns + c]);
    ends_.push_back(bytes_.size());
  }

  bytes_.shrink_to_fit();
  values_ = {};
}

std::vector<std::uint64_t> IterationRows::read(std::size_t column) const {
  std::vector<std::uint64_t> values(iterations_);
  if (!has(column))
    return values;

  const auto* byte = bytes_.data() + find_begin(column);
  for (auto& value : values)
    value = take_number(byte);
  return values;
}

void leave_rest(const MetricColumns& columns, std::span<std::uint64_t> values) {
  auto& time = values[*columns.find(Metric::execution_time)];
  for_each_part(columns, [&](std::size_t part) { time -= values[part]; });
}

void add_parts(const MetricColumns& columns, std::span<std::uint64_t> values) {
  auto& time = values[*columns.find(Metric::execution_time)];
  for_each_part(columns, [&](std::size_t part) { time += values[part]; });
}

}  // namespace tracefold
