#include "filters/iterations/errors/iteration_errors.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tracefold {

namespace {

// |value - sum / count|, 0 only where it is. Both products are below 2^128: values of
// iterations are below 2^96, and there are fewer than 2^32 iterations.
double measure_difference(Wide value, Wide sum, std::uint64_t count) {
  const Wide scaled = value * count;
  const Wide difference = scaled < sum ? sum - scaled : scaled - sum;
  if (difference == 0)
    return 0;

  return to_double(difference) / static_cast<double>(count);
}

double relative_error(double original, double rebuilt) {
  if (original == rebuilt)
    return 0;
  return original == 0 ? 1 : std::abs(rebuilt - original) / original;
}

}  // namespace

void IterationErrors::Figures::add(const ComparedValues& values, std::size_t iterations) {
  if (values.original_sum == 0 && values.rebuilt_sum == 0)
    return;

  present = true;
  const auto share = static_cast<double>(iterations);
  mean += relative_error(values.original_sum, values.rebuilt_sum) / share;
  maximum += relative_error(values.original_max, values.rebuilt_max) / share;
  error += std::abs(values.rebuilt_sum - values.original_sum);
  sum += values.original_sum;
}

IterationErrors::IterationErrors(const CondensedForm& form, std::size_t iterations,
                                 IterationWindow first)
    : iterations_(iterations) {
  for (const auto& entry : form.entries())
    metrics_.emplace_back(entry);
  begin(first);
}

void IterationErrors::begin(IterationWindow next) {
  add_cells_to(metrics_);
  window_.first = std::min(next.first, iterations_);
  window_.size = std::min(next.size, iterations_ - window_.first);
  cells_.assign(metrics_.size() * window_.size, {});
}

void IterationErrors::add(std::size_t iteration, std::span<const Wide> original,
                          std::span<const Wide> sums, std::uint64_t summed_iterations) {
  assert(window_.contains(iteration) && original.size() == metrics_.size() &&
         sums.size() == metrics_.size());

  auto* cells = find_cells(iteration);
  for (std::size_t e = 0; e < metrics_.size(); ++e) {
    if (original[e] == 0 && sums[e] == 0)
      continue;

    const bool exact = original[e] * summed_iterations == sums[e];
    const auto value = to_double(original[e]);
    cells[e].add(value,
                 exact ? value : to_double(sums[e]) / static_cast<double>(summed_iterations));
    metrics_[e].exact = metrics_[e].exact && exact;
  }
}

void IterationErrors::add_cells_to(std::vector<Figures>& metrics) const {
  for (std::size_t k = 0; k < cells_.size(); ++k)
    metrics[k % metrics.size()].add(cells_[k], iterations_);
}

std::vector<IterationErrors::Figures> IterationErrors::figures() const {
  auto figures = metrics_;
  add_cells_to(figures);
  return figures;
}

ErrorSummary summarize_errors(const std::vector<IterationErrors::Figures>& figures) {
  ErrorSummary summary;
  double all = 0, counts = 0, waited = 0, waited_wrong = 0;

  for (const auto& metric : figures) {
    if (metric.is_waiting) {
      waited += metric.sum;
      waited_wrong += metric.error;
    }
    if (!metric.present || !metric.is_averaged)
      continue;

    ++all;
    summary.mean += metric.mean;
    summary.maximum += metric.maximum;
    summary.mean_by_sum += metric.by_sum();
    if (metric.kind == MetricKind::time && metric.name == get_entry(Metric::execution_time).name) {
      summary.time_mean = metric.mean;
      summary.time_maximum = metric.maximum;
      summary.time_by_sum = metric.by_sum();
    }
    if (!is_count(metric.kind))
      continue;

    ++counts;
    summary.count_mean += metric.mean;
    summary.count_maximum += metric.maximum;
    summary.counts_exact = summary.counts_exact && metric.exact;
  }

  if (all > 0) {
    summary.mean /= all;
    summary.maximum /= all;
    summary.mean_by_sum /= all;
  }

  if (waited > 0 || waited_wrong > 0)
    summary.waiting_by_sum = waited > 0 ? waited_wrong / waited : 1;

  if (counts > 0) {
    summary.count_mean /= counts;
    summary.count_maximum /= counts;
  }

  return summary;
}

void CallPathErrors::Kind::add(double error) {
  ++compared;
  if (error == 0)
    return;

  sum += error;
  largest = std::max(largest, error);
  for (std::size_t k = 0; k < thresholds.size(); ++k)
    above[k] += error > thresholds[k];
}

void CallPathErrors::Kind::add(const Kind& other) {
  compared += other.compared;
  sum += other.sum;
  largest = std::max(largest, other.largest);
  for (std::size_t k = 0; k < thresholds.size(); ++k)
    above[k] += other.above[k];
}

CallPathErrors::CallPathErrors(const MetricColumns& columns, std::vector<std::uint64_t> largest)
    : largest_(std::move(largest)) {
  for (std::size_t column = 0; column < columns.size(); ++column) {
    const auto kind = columns.kind(column);
    if (largest_[column] == 0)
      compared_.push_back(Compared::no);
    else if (kind == MetricKind::time)
      compared_.push_back(Compared::time);
    else
      compared_.push_back(is_count(kind) ? Compared::count : Compared::no);
  }
}

inline void CallPathErrors::add_error(PathErrors& errors, std::size_t column, Wide value, Wide sum,
                                      std::uint64_t iterations) const {
  const auto compared = compared_[column];
  if (compared == Compared::no)
    return;

  const bool is_time = compared == Compared::time;
  ++(is_time ? errors.time_metrics : errors.count_metrics);
  if (const auto difference = measure_difference(value, sum, iterations); difference != 0)
    (is_time ? errors.times : errors.counts) += difference / static_cast<double>(largest_[column]);
}

void CallPathErrors::add(const PathErrors& errors) {
  if (errors.time_metrics > 0)
    times_.add(errors.times / static_cast<double>(errors.time_metrics));
  if (errors.count_metrics > 0)
    counts_.add(errors.counts / static_cast<double>(errors.count_metrics));
}

// Compares the values of one call path with a row of what stands for them, or with nothing.
void CallPathErrors::compare(std::span<const PathValue> original, const ProfileSums* stand_in,
                             std::size_t row) {
  PathErrors errors;
  auto place = stand_in ? stand_in->first(row) : 0;
  const auto end = stand_in ? stand_in->end(row) : 0;
  const auto iterations = stand_in ? stand_in->iterations() : 1;

  for (const auto& [column, value] : original) {
    while (place < end && stand_in->column(place) < column)
      ++place;
    const bool found = place < end && stand_in->column(place) == column;
    add_error(errors, column, value, found ? stand_in->value(place) : 0, iterations);
  }

  add(errors);
}

// What stands for an iteration has a call path that the iteration has not.
void CallPathErrors::compare_phantom(const ProfileSums& stand_in, std::size_t row) {
  PathErrors errors;
  for (auto place = stand_in.first(row); place < stand_in.end(row); ++place)
    add_error(errors, stand_in.column(place), 0, stand_in.value(place), stand_in.iterations());

  add(errors);
}

void CallPathErrors::add(const CallPathProfile& original, const ProfileSums& stand_in) {
  const auto& theirs = stand_in.rows();
  call_paths_ += theirs.size();
  visit_rows(original, stand_in, [&](const auto& row, const auto& other) {
    if (row) {
      compare(original.row(*row), other ? &stand_in : nullptr, other.value_or(0));
      return;
    }

    ++phantoms_;
    mpi_phantoms_ += theirs[*other].kind != PathKind::usr;
    compare_phantom(stand_in, *other);
  });
}

void CallPathErrors::add(const CallPathErrors& other) {
  times_.add(other.times_);
  counts_.add(other.counts_);
  call_paths_ += other.call_paths_;
  phantoms_ += other.phantoms_;
  mpi_phantoms_ += other.mpi_phantoms_;
}

}  // namespace tracefold
