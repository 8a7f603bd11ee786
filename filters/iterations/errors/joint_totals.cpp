#include "filters/iterations/errors/joint_totals.hpp"

#include "base/prime_field.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tracefold {

JointProcess::JointProcess(const CondensedForm& form, std::size_t number) {
  for (auto column : form.count_columns())
    own_.push_back(prime_field::spread(number * form.columns() + column));
  stood_for_ = own_;
}

void JointProcess::give_to(JointProcess& other) {
  for (std::size_t k = 0; k < stood_for_.size(); ++k)
    other.stood_for_[k] = prime_field::add(other.stood_for_[k], stood_for_[k]);
  other.processes_ += std::exchange(processes_, 0);
}

JointTotals::JointTotals(const CondensedForm& form, std::size_t iterations, TotalsDetail detail,
                         IterationWindow window, std::vector<std::uint32_t> besides)
    : form_(form), detail_(detail), besides_(std::move(besides)) {
  window_.first = std::min(window.first, iterations);
  window_.size = std::min(window.size, iterations - window_.first);

  const auto held = window_.size + besides_.size();
  for (std::size_t s = 0; s < stripes_.size(); ++s) {
    const auto rows = (held + stripes_.size() - 1 - s) / stripes_.size();
    stripes_[s].original.sums.reset(rows * form.columns());
    if (detail == TotalsDetail::choosing)
      continue;

    stripes_[s].standing.sums.reset(rows * form.columns());
    stripes_[s].metrics.resize(form.size());
    for (auto* table : {&stripes_[s].original, &stripes_[s].standing}) {
      table->maxima.resize(rows * form.size());
      table->counts.resize(rows);
    }
  }
}

std::uint64_t JointTotals::bytes_per_iteration(const CondensedForm& form, TotalsDetail detail) {
  const auto sums = form.columns() * sizeof(std::uint64_t);
  if (detail == TotalsDetail::choosing)
    return sums;
  return 2 * (sums + form.size() * sizeof(double) + sizeof(std::uint64_t));
}

std::optional<JointTotals::Place> JointTotals::find_place(std::size_t iteration) const {
  auto place = iteration - window_.first;
  if (!window_.contains(iteration)) {
    const auto found = std::lower_bound(besides_.begin(), besides_.end(), iteration);
    if (found == besides_.end() || *found != iteration)
      return std::nullopt;
    place = window_.size + static_cast<std::size_t>(found - besides_.begin());
  }

  return Place{place % stripes_.size(), place / stripes_.size()};
}

void JointTotals::add(std::size_t iteration, const JointProcess& process, const WideSums& columns) {
  const auto place = find_place(iteration);
  if (!place)
    return;

  auto& stripe = stripes_[place->stripe];
  const std::lock_guard lock(stripe.mutex);
  add_row(stripe.original, place->row, columns, 1);
  if (detail_ == TotalsDetail::choosing)
    return;

  form_.condense(columns, std::span(stripe.metrics));
  measure_row(stripe.original, place->row, columns, stripe.metrics, process.own_);
  if (process.processes_ == 0)
    return;

  add_row(stripe.standing, place->row, columns, process.processes_);
  measure_row(stripe.standing, place->row, columns, stripe.metrics, process.stood_for_);
}

void JointTotals::Table::add(const Table& other) {
  if (sums.size() == 0) {
    *this = other;
    return;
  }
  sums.add(other.sums);
  for (std::size_t k = 0; k < maxima.size(); ++k)
    maxima[k] = std::max(maxima[k], other.maxima.at(k));
  for (std::size_t k = 0; k < counts.size(); ++k)
    counts[k] = prime_field::add(counts[k], other.counts.at(k));
}

void JointTotals::PackableTotals::append(const PackableTotals& other) {
  tables_.resize(std::max(tables_.size(), other.tables_.size()));
  for (std::size_t t = 0; t < other.tables_.size(); ++t)
    tables_[t].add(other.tables_[t]);
}

JointTotals::PackableTotals JointTotals::take_part() {
  PackableTotals part;
  for (auto& stripe : stripes_) {
    part.tables_.push_back(std::move(stripe.original));
    part.tables_.push_back(std::move(stripe.standing));
    stripe.original = stripe.standing = {};
  }
  return part;
}

void JointTotals::add(const PackableTotals& part) {
  for (std::size_t s = 0; s < stripes_.size(); ++s) {
    stripes_[s].original.add(part.tables_.at(2 * s));
    stripes_[s].standing.add(part.tables_.at(2 * s + 1));
  }
}

void JointTotals::add_row(Table& table, std::size_t row, const WideSums& columns,
                          std::uint64_t processes) {
  const auto first = row * form_.columns();
  for (std::size_t c = 0; c < form_.columns(); ++c)
    table.sums.add(first + c, columns[c] * processes);
}

void JointTotals::measure_row(Table& table, std::size_t row, const WideSums& columns,
                              const std::vector<Wide>& metrics,
                              const std::vector<std::uint64_t>& factors) {
  const auto* factor = factors.data();
  auto& counts = table.counts[row];
  for (auto column : form_.count_columns())
    counts = prime_field::add(
        counts, prime_field::multiply(*factor++, prime_field::reduce(columns[column])));

  auto* maximum = table.maxima.data() + row * form_.size();
  for (auto value : metrics) {
    *maximum = std::max(*maximum, to_double(value));
    ++maximum;
  }
}

std::vector<double> JointTotals::round_sums(const Table& table, std::size_t row) const {
  std::vector<double> sums;
  sums.reserve(form_.size());
  for (const auto& entry : form_.entries()) {
    Wide sum = 0;
    for (auto column : entry.columns)
      sum += table.sums[row * form_.columns() + column];
    sums.push_back(to_double(sum));
  }

  return sums;
}

JointTotals::Amounts JointTotals::get(Table Stripe::*table, std::size_t iteration) const {
  const auto place = find_place(iteration);
  assert(place && detail_ == TotalsDetail::measuring);
  const auto& of_stripe = stripes_[place->stripe].*table;
  const auto maxima =
      of_stripe.maxima.begin() + static_cast<std::ptrdiff_t>(place->row * form_.size());
  return {round_sums(of_stripe, place->row),
          {maxima, maxima + static_cast<std::ptrdiff_t>(form_.size())},
          of_stripe.counts[place->row]};
}

std::vector<double> JointTotals::list_sums() const {
  std::vector<double> sums;
  sums.reserve(window_.size * form_.size());
  for (auto i = window_.first; i < window_.first + window_.size; ++i) {
    const auto place = find_place(i);
    const auto of_iteration = round_sums(stripes_[place->stripe].original, place->row);
    sums.insert(sums.end(), of_iteration.begin(), of_iteration.end());
  }

  return sums;
}

}  // namespace tracefold
