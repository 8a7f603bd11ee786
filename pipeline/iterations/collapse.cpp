#include "pipeline/iterations/collapse.hpp"

#include "model/chosen_iterations.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <utility>

namespace tracefold {

namespace {

// For each member of a metric class what its last record takes from those before.
std::vector<MetricCarry> find_carries(const Definitions& definitions, const Definition& metric) {
  using K = DefinitionKind;
  std::vector<MetricCarry> carries;

  for (const auto id : metric.list) {
    auto& carry = carries.emplace_back(MetricCarry::none);
    const auto* member = definitions.find(Ref::metric_member, id);
    if (!member)
      continue;

    const auto mode =
        get_field<"metricMode", K::MetricMember>(*member) & otf2_value::metric_value_mask;
    if (mode == otf2_value::metric_relative)
      carry = MetricCarry::sum;
    else if (mode == otf2_value::metric_accumulated &&
             get_field<"valueType", K::MetricMember>(*member) == otf2_value::type_double)
      carry = MetricCarry::last_number;
  }

  return carries;
}

bool is_number(std::uint64_t type, std::uint64_t bits) {
  return type != otf2_value::type_double || std::isfinite(std::bit_cast<double>(bits));
}

// The sum of two metric values of a type, as bits.
std::uint64_t add_values(std::uint64_t type, std::uint64_t a, std::uint64_t b) {
  if (type != otf2_value::type_double)
    return a + b;

  return std::bit_cast<std::uint64_t>(std::bit_cast<double>(a) + std::bit_cast<double>(b));
}

}  // namespace

bool outlasts_iterations(EventKind kind) {
  using enum EventKind;
  constexpr std::array kinds{
      Metric,          MeasurementOnOff, IoCreateHandle,    IoDuplicateHandle, IoDestroyHandle,
      CommCreate,      CommDestroy,      RmaWinCreate,      RmaWinDestroy,     OmpTaskCreate,
      OmpTaskComplete, ThreadTaskCreate, ThreadTaskComplete};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

Collapse::Collapse(const Plan& plan) {
  if (!plan.iterations)
    return;

  const auto& section = *plan.iterations;

  for (std::size_t l = 0; l < section.loops.size(); ++l) {
    const auto& choice = section.loops[l].choice;
    std::vector<std::uint32_t> place(choice.kept.size(), kept);  // of the kept iterations' names

    for (std::size_t i = 0; i < choice.kept_of.size(); ++i) {
      const auto k = choice.kept_of[i];
      if (choice.kept[k] == i) {
        names_by_iteration_.push_back(kept);
        continue;
      }

      if (place[k] == kept) {
        place[k] = static_cast<std::uint32_t>(names_.size());
        names_.push_back(
            fmt::format("{}{}{}", collapsed_name,
                        find_iteration_number(list_iteration_numbers(plan), choice.kept[k]),
                        section.loops.size() > 1 ? fmt::format(" of loop {}", l + 1) : ""));
      }

      names_by_iteration_.push_back(place[k]);
    }
  }

  if (!any())
    return;
  for (const auto& p : section.processes)
    loops_.emplace(plan.processes[p.process].id, &p.loops);
}

Collapse::Collapse(const Plan& plan, const Definitions& definitions, const FunctionTable& functions)
    : Collapse(plan) {
  using K = DefinitionKind;
  if (!any())
    return;

  functions_ = &functions;
  for (const auto& d : definitions.all()) {
    const auto* of = &d;
    if (d.kind == K::MetricInstance)
      of = definitions.find(Ref::metric, get_field<"metricClass", K::MetricInstance>(d));
    if (!of || of->kind != K::MetricClass)
      continue;

    auto carries = find_carries(definitions, *of);
    if (std::any_of(carries.begin(), carries.end(),
                    [](auto carry) { return carry != MetricCarry::none; }))
      carries_.emplace(d.id(), std::move(carries));
  }
}

void Collapse::carry_metric(Event& metric, const Event& earlier) const {
  const auto carries = carries_.find(get_field<"metric", EventKind::Metric>(metric));
  const auto members = get_field<"numberOfMetrics", EventKind::Metric>(metric);
  if (carries == carries_.end() || earlier.list.size() != metric.list.size() ||
      metric.list.size() != 2 * members || carries->second.size() < members)
    return;

  for (std::size_t member = 0; member < members; ++member) {
    const auto type = metric.list[member];
    const auto carry = carries->second[member];
    const auto before = earlier.list[members + member];
    auto& value = metric.list[members + member];
    if (carry == MetricCarry::none || earlier.list[member] != type || !is_number(type, before))
      continue;

    if (!is_number(type, value))
      value = before;
    else if (carry == MetricCarry::sum)
      value = add_values(type, value, before);
  }
}

std::uint64_t Collapse::find_caller(std::uint64_t context, std::size_t calls) const {
  std::vector<std::uint64_t> path;
  contexts().find_path(context, path);

  std::size_t depth = 0;
  for (; depth < path.size() && calls > 0; ++depth)
    calls -= !functions_->find(path[depth]).is_dropped();

  return contexts().find_caller(context, depth);
}

const ProcessLoops* Collapse::find_collapsed_loops(std::uint64_t location) const {
  const auto at = loops_.find(location);
  return at == loops_.end() ? nullptr : at->second;
}

HeldRecords::Key HeldRecords::make_key(const Event& event) const {
  using enum EventKind;

  switch (event.kind) {
    case Metric: return {Metric, {get_field<"metric", Metric>(event)}};
    case MeasurementOnOff: return {MeasurementOnOff};
    case OmpTaskCreate:
    case OmpTaskComplete:
      return {OmpTaskCreate, {get_field<"taskID", OmpTaskCreate, OmpTaskComplete>(event)}};
    case ThreadTaskCreate:
    case ThreadTaskComplete:
      return {ThreadTaskCreate,
              {get_field<"threadTeam", ThreadTaskCreate, ThreadTaskComplete>(event),
               get_field<"creatingThread", ThreadTaskCreate, ThreadTaskComplete>(event),
               get_field<"generationNumber", ThreadTaskCreate, ThreadTaskComplete>(event)}};
    default: return {event.kind, {next_}};
  }
}

std::vector<Event> HeldRecords::take() {
  std::vector<Record> records;
  for (auto& [key, record] : records_)
    records.push_back(std::move(record));
  records_.clear();

  std::sort(records.begin(), records.end(),
            [](const auto& a, const auto& b) { return a.number < b.number; });

  std::vector<Event> events;
  events.reserve(records.size());
  for (auto& record : records)
    events.push_back(std::move(record.event));

  return events;
}

}  // namespace tracefold
