#include "filters/iterations/joint_totals.hpp"

#include "base/prime_field.hpp"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

namespace tracefold {

namespace {

// Returns the bits of any of the values.
std::uint64_t copy(std::span<const std::uint64_t> values, std::uint64_t* out) {
  std::uint64_t bits = 0;
  for (auto value : values) {
    *out++ = value;
    bits |= value;
  }
  return bits;
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

// Of a sum, below its carry: what is added to it at once has no more, so that 64 are enough.
constexpr unsigned sum_bits = 63;

// Equal to their products in the field, and so small that many of them can be added up.
Wide multiply(std::uint64_t factor, std::uint64_t value) {
  return Wide{factor} * value;  // the value has most_bits
}
Wide multiply(std::uint64_t factor, Wide value) {
  return prime_field::multiply(factor, prime_field::reduce(value));
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

    for (auto column : entry.columns)
      columns_.push_back(static_cast<std::uint32_t>(column));
    begins_.push_back(columns_.size());
  }
  count_columns_.assign(counts.begin(), counts.end());
  find_parts();
}

// A metric of many columns is put together of those found before, the largest first.
void JointForm::find_parts() {
  struct Value {
    std::uint32_t place;
    std::span<const std::uint32_t> columns;
  };
  std::vector<Value> composed;
  places_.resize(distinct());
  for (std::uint32_t d = 0; d < distinct(); ++d)
    if (const auto own = list_columns(d); own.size() == 1)
      places_[d] = own.front();
    else
      composed.push_back({d, own});
  std::stable_sort(composed.begin(), composed.end(), [](const auto& a, const auto& b) {
    return a.columns.size() < b.columns.size();
  });

  std::vector<Value> found;
  for (const auto& [distinct, own] : composed) {
    std::set<std::uint32_t> left(own.begin(), own.end());
    std::vector<std::uint32_t> parts;
    for (auto value = found.rbegin(); value != found.rend(); ++value)
      if (std::all_of(value->columns.begin(), value->columns.end(),
                      [&](auto column) { return left.contains(column); })) {
        parts.push_back(value->place);
        for (auto column : value->columns)
          left.erase(column);
      }
    parts.insert(parts.end(), left.begin(), left.end());

    places_[distinct] = static_cast<std::uint32_t>(values());
    found.push_back({places_[distinct], own});
    parts_.insert(parts_.end(), parts.begin(), parts.end());
    part_ends_.push_back(static_cast<std::uint32_t>(parts_.size()));
  }
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
  return carry == carries.end() ? sums[place] : Wide{carry->second} << sum_bits | sums[place];
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

std::optional<std::size_t> JointTotals::find_beside(std::size_t iteration) const {
  const auto found = std::lower_bound(besides_.begin(), besides_.end(), iteration);
  if (found == besides_.end() || *found != iteration)
    return std::nullopt;
  return window_.size + static_cast<std::size_t>(found - besides_.begin());
}

void JointTotals::add_carry(Table& table, std::size_t place, std::uint64_t carry) {
  const std::lock_guard lock(carrying_);
  table.carries[place] += carry;
}

void JointTotals::add(std::size_t iteration, const JointProcess& process, const WideSums& columns) {
  const auto place = find_place(iteration);
  if (!place)
    return;

  auto& addend = addends_[*place % addends_.size()];
  const std::lock_guard lock(addend.mutex);
  addend.narrow.resize(form_.values());
  if (copy(columns.low(), addend.narrow.data()) >> most_bits == 0 && columns.fit_64_bits() &&
      process.processes_ >> most_bits_of_processes == 0) {
    add_values(*place, process, addend.narrow);
  } else {
    addend.wide.resize(form_.values());
    for (std::size_t c = 0; c < columns.size(); ++c)
      addend.wide[c] = columns[c];
    add_values(*place, process, addend.wide);
  }
}

template <class Number>
void JointTotals::add_values(std::size_t place, const JointProcess& process,
                             std::vector<Number>& values) {
  add_sums(original_, place, values, 1);
  if (use_ == TotalsUse::choosing)
    return;

  form_.add_parts(values.data());
  add_counts(original_, place, values, process.own_);
  raise_maxima(original_, place, values);
  if (process.processes_ == 0)
    return;

  add_sums(standing_, place, values, process.processes_);
  add_counts(standing_, place, values, process.stood_for_);
  raise_maxima(standing_, place, values);
}

// Carries are rare, and are looked for once for all columns.
void JointTotals::add_sums(Table& table, std::size_t place,
                           const std::vector<std::uint64_t>& values, std::uint64_t processes) {
  const auto columns = form_.columns();
  auto* sums = table.sums.data() + place * columns;
  const auto* value = values.data();
  std::uint64_t bits = 0;
  if (processes == 1)
    for (std::size_t c = 0; c < columns; ++c)
      bits |= sums[c] += value[c];
  else
    for (std::size_t c = 0; c < columns; ++c)
      bits |= sums[c] += value[c] * processes;
  if (bits >> sum_bits == 0) [[likely]]
    return;

  for (std::size_t c = 0; c < columns; ++c)
    if (sums[c] >> sum_bits) {
      sums[c] ^= std::uint64_t{1} << sum_bits;
      add_carry(table, place * columns + c, 1);
    }
}

void JointTotals::add_sums(Table& table, std::size_t place, const std::vector<Wide>& values,
                           std::uint64_t processes) {
  for (std::size_t c = 0; c < form_.columns(); ++c) {
    auto& low = table.sums[place * form_.columns() + c];
    const auto sum = low + values[c] * processes;
    low = static_cast<std::uint64_t>(sum) & ((std::uint64_t{1} << sum_bits) - 1);
    if (const auto carry = static_cast<std::uint64_t>(sum >> sum_bits))
      add_carry(table, place * form_.columns() + c, carry);
  }
}

template <class Number>
void JointTotals::add_counts(Table& table, std::size_t place, const std::vector<Number>& values,
                             const std::vector<std::uint64_t>& factors) {
  const auto* factor = factors.data();
  Wide sum = table.counts[place];
  for (auto column : form_.count_columns())
    sum += multiply(*factor++, values[column]);
  table.counts[place] = prime_field::reduce(sum);
}

template <class Number>
void JointTotals::raise_maxima(Table& table, std::size_t place, const std::vector<Number>& values) {
  auto* maximum = table.maxima.data() + place * form_.distinct();
  const auto* value = values.data();
  for (auto at : form_.places()) {
    *maximum = std::max(*maximum, round_value(value[at]));
    ++maximum;
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
