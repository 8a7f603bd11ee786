#include "filters/iterations/errors/path_differences.hpp"

#include <algorithm>

namespace tracefold {

PathDifferences::PathDifferences(const MetricColumns& columns) : parts_(columns.size()) {
  const TimeColumns times(columns);
  parts_[times.execution] = TimePart::execution;
  for (auto column : times.in_mpi)
    parts_[column] = TimePart::in_mpi;
  for (auto column : times.waiting)
    parts_[column] = TimePart::waiting;
}

void PathDifferences::add_value(Times& times, std::size_t column, std::uint64_t value) const {
  switch (parts_[column]) {
    case TimePart::execution: times.execution += value; break;
    case TimePart::in_mpi: times.in_mpi += value; break;
    case TimePart::waiting: times.waiting += value; break;
    default: break;
  }
}

PathDifferences::Times PathDifferences::read_row(const CallPathProfile& profile,
                                                 std::size_t row) const {
  Times times;
  for (const auto& [column, value] : profile.row(row))
    add_value(times, column, value);
  return times;
}

PathDifferences::Times PathDifferences::read_row(const ProfileSums& profile,
                                                 std::size_t row) const {
  Times times;
  for (auto place = profile.first(row); place < profile.end(row); ++place)
    add_value(times, profile.column(place), static_cast<std::uint64_t>(profile.value(place)));
  return times;
}

void PathDifferences::add(PathIndex path, const Times& own, const Times& standing) {
  if (path >= sums_.size())
    sums_.resize(path + 1);
  const auto a = own.split(), b = standing.split();
  for (std::size_t k = 0; k < time_kinds; ++k)
    sums_[path][k] += measure_distance(a[k], b[k]);
  all_time_ += own.execution;
}

void PathDifferences::add(const CallPathProfile& original, const ProfileSums& standing) {
  visit_rows(original, standing, [&](const auto& row, const auto& other) {
    add(row ? original.rows[*row].path : standing.rows()[*other].path,
        row ? read_row(original, *row) : Times(), other ? read_row(standing, *other) : Times());
  });
}

void PathDifferences::add_to(FunctionDifferences& functions,
                             std::span<const CallPath> paths) const {
  for (std::size_t p = 0; p < std::min(sums_.size(), paths.size()); ++p)
    functions.add(paths[p].function, sums_[p]);
}

}  // namespace tracefold
