#include "model/profile/metric_columns.hpp"

#include "model/profile/time_metric.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace tracefold {

namespace {

std::set<Metric> find_times(const Definitions& definitions, std::span<const Metric> wanted_waits) {
  using enum Metric;

  std::set<Metric> times{execution_time};
  const auto known_by = find_mpi_known_by(definitions);
  for (const auto& d : definitions.all())
    if (d.kind == DefinitionKind::Region)
      times.insert(time_metric(get_field<"paradigm", DefinitionKind::Region>(d),
                               get_field<"regionRole", DefinitionKind::Region>(d),
                               definitions.text(get_field<"name", DefinitionKind::Region>(d)),
                               known_by));

  for (auto wait : wanted_waits)
    if (times.contains(get_entry(wait).parent))
      times.insert(wait);

  return times;
}

void add_counts(const Definitions& definitions, std::set<Metric>& metrics) {
  using enum Metric;

  const bool calls_mpi = std::any_of(metrics.begin(), metrics.end(), is_mpi_time);
  const bool unseen = !calls_mpi && definitions.comm_locations().contains(otf2_value::paradigm_mpi);
  bool windows = false;
  bool files = false;
  bool shared_files = false;

  for (const auto& d : definitions.all()) {
    windows |= d.kind == DefinitionKind::RmaWin;
    if (d.kind != DefinitionKind::IoHandle)
      continue;

    files = true;
    shared_files |= get_field<"comm", DefinitionKind::IoHandle>(d) != undefined_id(Ref::comm);
  }

  if (unseen || metrics.contains(mpi_point_to_point_time))
    metrics.insert({send_synchronizations, receive_synchronizations, sends, receives, bytes_sent,
                    bytes_received});

  if (unseen || windows || calls_mpi)
    metrics.insert(collective_synchronizations);
  if (unseen || windows || metrics.contains(mpi_collective_time))
    metrics.insert({collectives, collectives_as_source, collectives_as_destination,
                    collective_bytes_outgoing, collective_bytes_incoming});

  if (windows)
    metrics.insert(
        {one_sided_synchronizations, puts, gets, one_sided_bytes_sent, one_sided_bytes_received});

  if (files)
    metrics.insert({individual_file_reads, individual_file_writes});
  if (shared_files)
    metrics.insert({collective_file_reads, collective_file_writes});
}

// Thousandths of a unit: sums have room for all whole numbers that a double tells apart (2^53).
constexpr std::uint64_t steps_of_fractions = 1000;

std::uint64_t choose_steps(const Definition& member) {
  const auto type = get_field<"valueType", DefinitionKind::MetricMember>(member);
  return type == otf2_value::type_double ? steps_of_fractions : 1;
}

std::vector<Counter> find_counters(const Definitions& definitions) {
  std::vector<Counter> counters;

  for (const auto& d : definitions.all()) {
    if (d.kind != DefinitionKind::MetricClass)
      continue;

    for (auto id : d.list) {
      const auto* member = definitions.find(Ref::metric_member, id);
      if (!member || !is_counter(*member))
        continue;
      const auto& name = definitions.text(get_field<"name", DefinitionKind::MetricMember>(*member));
      auto known = std::find_if(counters.begin(), counters.end(),
                                [&](const Counter& counter) { return counter.name == name; });
      if (known == counters.end())
        known = counters.insert(known, {name, 1});
      known->steps_per_unit = std::max(known->steps_per_unit, choose_steps(*member));
    }
  }

  return counters;
}

}  // namespace

bool is_counter(const Definition& member) {
  const auto mode =
      get_field<"metricMode", DefinitionKind::MetricMember>(member) & otf2_value::metric_value_mask;
  return mode == otf2_value::metric_accumulated || mode == otf2_value::metric_relative;
}

std::string format_recorded_unit(const Definitions& definitions, const Definition& member) {
  using enum DefinitionKind;
  const auto& unit = definitions.text(get_field<"unit", MetricMember>(member));
  const bool is_binary = get_field<"base", MetricMember>(member) == otf2_value::base_binary;
  const auto exponent = static_cast<std::int64_t>(get_field<"exponent", MetricMember>(member));
  auto text = exponent == 0 ? "" : fmt::format("{}^{}", is_binary ? 2 : 10, exponent);
  if (unit != "#" && !unit.empty()) {
    text += text.empty() ? "" : " ";
    text += unit;
  }

  return text;
}

std::string find_recorded_unit(const Definitions& definitions, MetricKind kind,
                               const std::string& name) {
  using enum DefinitionKind;
  if (kind != MetricKind::counter)
    return "";

  std::set<std::string> units;
  for (const auto& d : definitions.all()) {
    if (d.kind != MetricMember || definitions.text(get_field<"name", MetricMember>(d)) != name)
      continue;

    units.insert(format_recorded_unit(definitions, d));
  }

  return units.size() == 1 ? *units.begin() : "";
}

const char* explain_absence(const Definitions& definitions, const MetricColumns& columns,
                            const std::string& name) {
  using enum DefinitionKind;

  for (std::size_t m = 0; m < metric_count; ++m)
    if (metric_table[m].name == name && columns.is_cut(static_cast<Metric>(m)))
      return "is not known, since its records were left out when the trace was reduced";

  const bool is_recorded =
      std::any_of(definitions.all().begin(), definitions.all().end(), [&](const auto& d) {
        return d.kind == MetricMember && !is_counter(d) &&
               definitions.text(get_field<"name", MetricMember>(d)) == name;
      });
  return is_recorded ? "values of this metric hold for a time, and have no sum"
                     : "the trace has no such metric";
}

bool is_sampled(const Definitions& definitions) {
  return std::any_of(definitions.all().begin(), definitions.all().end(),
                     [](const auto& d) { return d.kind == DefinitionKind::InterruptGenerator; });
}

MetricColumns choose_metric_columns(const Definitions& definitions,
                                    std::span<const Metric> wanted_waits) {
  using enum Metric;

  auto metrics = find_times(definitions, wanted_waits);
  metrics.insert(visits);
  add_counts(definitions, metrics);
  return {{metrics.begin(), metrics.end()}, find_counters(definitions)};
}

}  // namespace tracefold
