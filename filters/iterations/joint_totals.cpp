#include "filters/iterations/joint_totals.hpp"

#include "base/prime_field.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tracefold {

namespace {

template <class Number>
std::uint64_t reduce(Number value) {
  return value < prime_field::prime ? static_cast<std::uint64_t>(value)
                                    : static_cast<std::uint64_t>(value % prime_field::prime);
}

// Below these, what entries are the sum of, as many times as there are processes, has 64 bits.
constexpr unsigned most_bits = 40, most_bits_of_processes = 16;

void add_product(std::uint64_t& sum, std::uint64_t factor, std::uint64_t value) {
  sum = prime_field::add(sum, prime_field::multiply(factor, value));
}

}  // namespace

JointProcess::JointProcess(const CondensedForm& form, std::size_t number) {
  for (std::size_t e = 0; e < form.size(); ++e)
    if (is_count(form.entries()[e].kind))
      own_.push_back(prime_field::spread(number * form.size() + e));
  stood_for_ = own_;
}

void JointProcess::give_to(JointProcess& other) {
  for (std::size_t k = 0; k < stood_for_.size(); ++k)
    other.stood_for_[k] = prime_field::add(other.stood_for_[k], stood_for_[k]);
  other.processes_ += std::exchange(processes_, 0);
}

double JointTotals::Table::round_sum(std::size_t place) const {
  const auto carry = carries.empty() ? carries.end() : carries.find(place);
  if (carry == carries.end())
    return static_cast<double>(sums[place]);
  return static_cast<double>(Wide{carry->second} << 64 | sums[place]);
}

JointTotals::JointTotals(const CondensedForm& form, std::size_t iterations, TotalsUse use,
                         IterationWindow window, std::vector<std::uint32_t> besides)
    : form_(form), use_(use), besides_(std::move(besides)) {
  window_.first = std::min(window.first, iterations);
  window_.size = std::min(window.size, iterations - window_.first);

  for (const auto& entry : form.entries()) {
    entries_.push_back({static_cast<std::uint32_t>(entry.columns.size()), is_count(entry.kind)});
    columns_of_entries_.insert(columns_of_entries_.end(), entry.columns.begin(),
                               entry.columns.end());
  }

  const auto held = window_.size + besides_.size();
  original_.sums.resize(held * form.size());
  if (use_ == TotalsUse::choosing)
    return;

  standing_.sums.resize(held * form.size());
  for (auto* table : {&original_, &standing_}) {
    table->maxima.resize(held * form.size());
    table->counts.resize(held);
  }
}

std::uint64_t JointTotals::bytes_per_iteration(const CondensedForm& form, TotalsUse use) {
  const auto sums = form.size() * sizeof(std::uint64_t);
  if (use == TotalsUse::choosing)
    return sums;
  return 2 * (sums + form.size() * sizeof(double) + sizeof(std::uint64_t));
}

std::optional<std::size_t> JointTotals::find_place(std::size_t iteration) const {
  if (window_.contains(iteration))
    return iteration - window_.first;

  const auto found = std::lower_bound(besides_.begin(), besides_.end(), iteration);
  if (found == besides_.end() || *found != iteration)
    return std::nullopt;
  return window_.size + static_cast<std::size_t>(found - besides_.begin());
}

void JointTotals::add_to(Table& table, std::size_t place, Wide value) {
  const auto sum = table.sums[place] + value;
  table.sums[place] = static_cast<std::uint64_t>(sum);
  if (const auto carry = static_cast<std::uint64_t>(sum >> 64)) [[unlikely]] {
    const std::lock_guard lock(carrying_);
    table.carries[place] += carry;
  }
}

void JointTotals::add(std::size_t iteration, const JointProcess& process,
                      std::span<const Wide> columns) {
  const auto place = find_place(iteration);
  if (!place)
    return;

  Wide bits = 0;  // of any
  for (auto sum : columns)
    bits |= sum;

  const std::lock_guard lock(locks_[*place % locks_.size()]);
  if (bits >> most_bits == 0 && process.processes_ >> most_bits_of_processes == 0)
    add_values<std::uint64_t>(*place, process, columns);
  else
    add_values<Wide>(*place, process, columns);
}

template <class Number>
void JointTotals::add_values(std::size_t place, const JointProcess& process,
                             std::span<const Wide> columns) {
  const auto first = place * form_.size();
  const auto* column = columns_of_entries_.data();

  for (std::size_t e = 0, counts = 0; e < form_.size(); ++e) {
    const auto [size, is_count] = entries_[e];
    const auto count = counts;
    counts += is_count;
    Number value = 0;
    for (const auto* end = column + size; column != end; ++column)
      value += static_cast<Number>(columns[*column]);
    if (value == 0)
      continue;

    add_to(original_, first + e, value);
    if (use_ == TotalsUse::choosing)
      continue;

    const auto rounded = static_cast<double>(value);
    original_.maxima[first + e] = std::max(original_.maxima[first + e], rounded);
    if (is_count)
      add_product(original_.counts[place], process.own_[count], reduce(value));
    if (process.processes_ == 0)
      continue;

    add_to(standing_, first + e, value * process.processes_);
    standing_.maxima[first + e] = std::max(standing_.maxima[first + e], rounded);
    if (is_count)
      add_product(standing_.counts[place], process.stood_for_[count], reduce(value));
  }
}

JointTotals::Amounts JointTotals::get(const Table& table, std::size_t iteration) const {
  const auto place = find_place(iteration);
  assert(place && use_ == TotalsUse::measuring);
  return {table, *place * form_.size(), table.counts[*place]};
}

std::vector<double> JointTotals::list_sums() const {
  std::vector<double> sums(window_.size * form_.size());
  for (std::size_t k = 0; k < sums.size(); ++k)
    sums[k] = original_.round_sum(k);
  return sums;
}

}  // namespace tracefold
