#include "filters/iterations/joint_totals.hpp"

#include "base/prime_field.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

namespace tracefold {

namespace {

template <class Number>
std::uint64_t reduce(Number value) {
  return value < prime_field::prime ? static_cast<std::uint64_t>(value)
                                    : static_cast<std::uint64_t>(value % prime_field::prime);
}

// The first takes values below 2^63, of which this takes an instruction.
double round_value(std::uint64_t value) {
  return static_cast<double>(static_cast<std::int64_t>(value));
}
double round_value(Wide value) {
  return static_cast<double>(value);
}

// Below these, what entries are the sum of, as many times as there are processes, has 64 bits.
constexpr unsigned most_bits = 40, most_bits_of_processes = 16;

void add_product(std::uint64_t& sum, std::uint64_t factor, std::uint64_t value) {
  sum = prime_field::add(sum, prime_field::multiply(factor, value));
}

}  // namespace

JointForm::JointForm(const CondensedForm& form) : form_(form) {
  std::map<std::vector<std::size_t>, std::size_t> known;
  std::set<std::size_t> counts;
  for (const auto& entry : form.entries()) {
    const auto [at, is_new] = known.try_emplace(entry.columns, distinct());
    distinct_of_.push_back(at->second);
    if (is_count(entry.kind))
      counts.insert(entry.columns.begin(), entry.columns.end());
    if (!is_new)
      continue;

    const auto number = static_cast<std::uint32_t>(distinct());
    if (entry.columns.size() == 1)
      singles_.push_back({number, static_cast<std::uint32_t>(entry.columns.front())});
    else
      composed_.push_back(number);
    for (auto column : entry.columns)
      columns_.push_back(static_cast<std::uint32_t>(column));
    begins_.push_back(columns_.size());
  }
  count_columns_.assign(counts.begin(), counts.end());
}

JointProcess::JointProcess(const JointForm& form, std::size_t number) {
  for (auto column : form.count_columns())
    own_.push_back(prime_field::spread(number * form.columns() + column));
  stood_for_ = own_;
}

void JointProcess::give_to(JointProcess& other) {
  for (std::size_t k = 0; k < stood_for_.size(); ++k)
    other.stood_for_[k] = prime_field::add(other.stood_for_[k], stood_for_[k]);
  other.processes_ += std::exchange(processes_, 0);
}

Wide JointTotals::Table::get_sum(std::size_t place) const {
  const auto carry = carries.empty() ? carries.end() : carries.find(place);
  return carry == carries.end() ? sums[place] : Wide{carry->second} << 64 | sums[place];
}

JointTotals::JointTotals(const JointForm& form, std::size_t iterations, TotalsUse use,
                         IterationWindow window, std::vector<std::uint32_t> besides)
    : form_(form), use_(use), besides_(std::move(besides)) {
  window_.first = std::min(window.first, iterations);
  window_.size = std::min(window.size, iterations - window_.first);

  const auto held = window_.size + besides_.size();
  original_.sums.resize(held * form.columns());
  if (use_ == TotalsUse::choosing)
    return;

  standing_.sums.resize(held * form.columns());
  for (auto* table : {&original_, &standing_}) {
    table->maxima.resize(held * form.distinct());
    table->counts.resize(held);
  }
}

std::uint64_t JointTotals::bytes_per_iteration(const JointForm& form, TotalsUse use) {
  const auto sums = form.columns() * sizeof(std::uint64_t);
  if (use == TotalsUse::choosing)
    return sums;
  return 2 * (sums + form.distinct() * sizeof(double) + sizeof(std::uint64_t));
}

std::optional<std::size_t> JointTotals::find_place(std::size_t iteration) const {
  if (window_.contains(iteration))
    return iteration - window_.first;

  const auto found = std::lower_bound(besides_.begin(), besides_.end(), iteration);
  if (found == besides_.end() || *found != iteration)
    return std::nullopt;
  return window_.size + static_cast<std::size_t>(found - besides_.begin());
}

template <class Number>
inline void JointTotals::add_to(Table& table, std::size_t place, Number value) {
  const auto sum = Wide{table.sums[place]} + value;
  table.sums[place] = static_cast<std::uint64_t>(sum);
  if (const auto carry = static_cast<std::uint64_t>(sum >> 64)) [[unlikely]]
    add_carry(table, place, carry);
}

void JointTotals::add_carry(Table& table, std::size_t place, std::uint64_t carry) {
  const std::lock_guard lock(carrying_);
  table.carries[place] += carry;
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
  add_sums<Number>(original_, place, columns, 1);
  if (use_ == TotalsUse::choosing)
    return;

  add_counts<Number>(original_, place, columns, process.own_);
  raise_maxima<Number>(original_, place, columns);
  if (process.processes_ == 0)
    return;

  add_sums<Number>(standing_, place, columns, process.processes_);
  add_counts<Number>(standing_, place, columns, process.stood_for_);
  raise_maxima<Number>(standing_, place, columns);
}

template <class Number>
void JointTotals::add_sums(Table& table, std::size_t place, std::span<const Wide> columns,
                           std::uint64_t processes) {
  const auto first = place * form_.columns();
  for (std::size_t c = 0; c < columns.size(); ++c)
    if (const auto value = static_cast<Number>(columns[c]); value > 0)
      add_to(table, first + c, value * processes);
}

template <class Number>
void JointTotals::add_counts(Table& table, std::size_t place, std::span<const Wide> columns,
                             const std::vector<std::uint64_t>& factors) {
  const auto& counts = form_.count_columns();
  auto sum = table.counts[place];
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (const auto value = static_cast<Number>(columns[counts[k]]); value > 0)
      add_product(sum, factors[k], reduce(value));
  table.counts[place] = sum;
}

template <class Number>
void JointTotals::raise_maxima(Table& table, std::size_t place, std::span<const Wide> columns) {
  auto* maxima = table.maxima.data() + place * form_.distinct();
  for (const auto& [distinct, column] : form_.singles())
    if (const auto value = static_cast<Number>(columns[column]); value > 0)
      maxima[distinct] = std::max(maxima[distinct], round_value(value));

  for (auto distinct : form_.composed()) {
    Number value = 0;
    for (auto column : form_.list_columns(distinct))
      value += static_cast<Number>(columns[column]);
    maxima[distinct] = std::max(maxima[distinct], round_value(value));
  }
}

double JointTotals::round_sum(const JointForm& form, const Table& table, std::size_t place,
                              std::size_t distinct) {
  Wide sum = 0;
  for (auto column : form.list_columns(distinct))
    sum += table.get_sum(place * form.columns() + column);
  return to_double(sum);
}

JointTotals::Amounts JointTotals::get(const Table& table, std::size_t iteration) const {
  const auto place = find_place(iteration);
  assert(place && use_ == TotalsUse::measuring);
  return {form_, table, *place};
}

std::vector<double> JointTotals::list_sums() const {
  std::vector<double> sums;
  sums.reserve(window_.size * form_.form().size());
  for (std::size_t i = 0; i < window_.size; ++i)
    for (std::size_t e = 0; e < form_.form().size(); ++e)
      sums.push_back(round_sum(form_, original_, i, form_.find_distinct(e)));
  return sums;
}

}  // namespace tracefold
