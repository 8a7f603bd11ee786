#include "pipeline/facts/profile_columns.hpp"

#include "model/profile/metric_columns.hpp"
#include "model/profile/time_metric.hpp"

#include <algorithm>

namespace tracefold {

namespace {

// The class of a metric, which may be one or an instance of one; null where there is none.
const Definition* find_metric_class(const Definitions& definitions, const Definition& metric) {
  using enum DefinitionKind;

  const auto* found =
      metric.kind == MetricInstance
          ? definitions.find(Ref::metric, get_field<"metricClass", MetricInstance>(metric))
          : &metric;
  return found && found->kind == MetricClass ? found : nullptr;
}

}  // namespace

ProfileColumns::ProfileColumns(const Definitions& definitions, const FunctionTable& functions,
                               std::span<const Metric> waits, const std::vector<Metric>& cut)
    : columns_(choose_metric_columns(definitions, waits)),
      sampled_(is_sampled(definitions)),
      time_metrics_(find_time_metrics(definitions, functions)) {
  columns_.cut_off(cut);
  for (std::size_t m = 0; m < measured_metric_count; ++m) {
    const auto metric = static_cast<Metric>(m);
    const auto found = columns_.find(metric);
    columns_by_metric_[m] = found ? static_cast<std::uint32_t>(*found) : no_column;
    if (found && is_part_of_execution_time(metric))
      execution_parts_.push_back(columns_by_metric_[m]);
  }

  time_columns_.reserve(time_metrics_.size());
  for (auto metric : time_metrics_)
    time_columns_.push_back(column(metric));

  for (std::size_t f = 0; f < time_metrics_.size(); ++f) {
    const auto& name = functions.functions()[f].name;
    waits_for_receiver_.push_back(tracefold::may_wait_for_receiver(name));
    mpi_bounds_.push_back(find_mpi_bound(name, time_metrics_[f]));
  }

  find_counters(definitions);
}

void ProfileColumns::find_counters(const Definitions& definitions) {
  using enum DefinitionKind;

  for (const auto& d : definitions.all()) {
    if (d.kind != MetricClass && d.kind != MetricInstance)
      continue;

    const auto* metric_class = find_metric_class(definitions, d);
    if (!metric_class)
      continue;

    auto& counters = counters_[d.id()];

    for (auto id : metric_class->list) {
      const auto* member = definitions.find(Ref::metric_member, id);
      auto& counter = counters.emplace_back();
      if (!member || !is_counter(*member))
        continue;

      const auto column = columns_.find(definitions.text(get_field<"name", MetricMember>(*member)));
      const auto mode =
          get_field<"metricMode", MetricMember>(*member) & otf2_value::metric_value_mask;
      counter.column = static_cast<std::uint32_t>(*column);
      counter.accumulates = mode == otf2_value::metric_accumulated;
      counter.steps_per_unit = columns_.counter(*column)->steps_per_unit;
    }
  }
}

PathKind ProfileColumns::kind(FunctionIndex function) const {
  return is_mpi_time(time_metrics_[function]) ? PathKind::mpi : PathKind::usr;
}

std::span<const ProfileColumns::Counter> ProfileColumns::counters(std::uint64_t metric) const {
  const auto found = counters_.find(metric);
  return found == counters_.end() ? std::span<const Counter>() : found->second;
}

}  // namespace tracefold
