#include "pipeline/events/series_form.hpp"

#include "model/iterations/series_columns.hpp"
#include "model/iterations/time_metric.hpp"

#include <algorithm>

namespace tracefold {

SeriesForm::SeriesForm(const Definitions& definitions, const FunctionTable& functions)
    : columns_(choose_columns(definitions)),
      sampled_(is_sampled(definitions)),
      functions_(functions.functions().size()) {
  for (std::size_t m = 0; m < measured_metric_count; ++m) {
    const auto column = columns_.find(static_cast<Metric>(m));
    column_of_[m] = column ? static_cast<std::uint32_t>(*column) : no_column;
    const auto metric = static_cast<Metric>(m);
    const bool is_part = get_entry(metric).kind == MetricKind::time &&
                         metric != Metric::execution_time && metric != Metric::mpi_late_sender_time;
    if (column && is_part)
      execution_parts_.push_back(column_of_[m]);
  }

  for (const auto& d : definitions.all()) {
    if (d.kind != DefinitionKind::Region)
      continue;

    auto& function = functions_[functions.of(d.id()).function];
    if (function.time != no_column)
      continue;

    const auto metric =
        tracefold::time_metric(d.fields[5], d.fields[4], definitions.text(d.fields[1]));
    function = {column(metric), is_mpi_time(metric) ? PathKind::mpi : PathKind::usr};
  }

  find_counters(definitions);
}

void SeriesForm::find_counters(const Definitions& definitions) {
  for (const auto& d : definitions.all()) {
    if (d.kind != DefinitionKind::MetricClass && d.kind != DefinitionKind::MetricInstance)
      continue;

    const auto* of =
        d.kind == DefinitionKind::MetricClass ? &d : definitions.find(Ref::metric, d.fields[1]);
    if (!of || of->kind != DefinitionKind::MetricClass)
      continue;

    auto& counters = counters_[d.id()];

    for (auto id : of->list) {
      const auto* member = definitions.find(Ref::metric_member, id);
      counters.emplace_back();
      if (!member || !is_counter(*member))
        continue;

      const auto name = std::find(columns_.counters.begin(), columns_.counters.end(),
                                  definitions.text(member->fields[1]));
      counters.back() = {
          static_cast<std::uint32_t>(columns_.measured.size() +
                                     static_cast<std::size_t>(name - columns_.counters.begin())),
          (member->fields[4] & otf2_value::metric_value_mask) == otf2_value::metric_accumulated};
    }
  }
}

std::span<const SeriesForm::Counter> SeriesForm::counters(std::uint64_t metric) const {
  const auto found = counters_.find(metric);
  return found == counters_.end() ? std::span<const Counter>() : found->second;
}

}  // namespace tracefold
