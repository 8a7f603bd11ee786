// Collecting and summing up maps of one metric by process and iteration.
//
// Source: dynamics 3.2, 4.2.2.
#pragma once

#include "filters/iterations/condensed.hpp"
#include "model/iterations/iteration_map.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold {

// The metric or counter with this name, whatever its case, '-' and '_' as spaces. A
// counter that is called as a metric is has "counter:" before its name.
std::optional<CondensedForm::Entry> metric_named(const std::vector<CondensedForm::Entry>& metrics,
                                                 const std::string& name);
// What each is found by.
std::vector<std::string> names_of(const std::vector<CondensedForm::Entry>& metrics);

// Fills one row, iteration by iteration, ascending and each once. One thread.
class MapRow {
 public:
  MapRow(IterationMap& map, std::size_t row) : map_(map), row_(row) {}
  void add(std::size_t iteration, double value);
  void finish();

 private:
  IterationMap& map_;
  std::size_t row_;
  std::size_t column_ = 0, count_ = 0;
  double sum_ = 0;
};

// An empty map of so many rows, at most `most_cells` of 8 bytes: iterations share
// columns where there are more.
inline constexpr std::size_t most_cells = std::size_t{1} << 26;
void make_cells(IterationMap& map, std::size_t most = most_cells);

// The map as it is, how it is spread over processes and over iterations, and means of
// blocks of it. The median of an even number of values is the lower one.
MapReport report_of(IterationMap map, const MapBins& most);

// The spread over processes of some iterations each, in at most so many rows.
MapRows spread_by_rows(const IterationMap& map, std::size_t most);

}  // namespace tracefold
