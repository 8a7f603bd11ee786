#include "pipeline/verify/member_rules.hpp"

#include "model/program/member_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace tracefold {

using K = DefinitionKind;

namespace {

bool is_right_member(const Definitions& definitions, std::uint64_t id, std::string_view name) {
  const auto* member = definitions.find(Ref::metric_member, id);
  return member && definitions.text(get_field<"name", K::MetricMember>(*member)) == name &&
         get_field<"metricMode", K::MetricMember>(*member) == otf2_value::metric_absolute_next &&
         get_field<"valueType", K::MetricMember>(*member) == otf2_value::type_double &&
         get_field<"exponent", K::MetricMember>(*member) == 0 &&
         definitions.text(get_field<"unit", K::MetricMember>(*member)) == "s";
}

bool is_right_class(const Definitions& definitions, const Definition& metric) {
  const auto& all = member_metric_names;
  if (metric.list.size() != all.size() && metric.list.size() != all.size() / 2)
    return false;
  return std::equal(
      metric.list.begin(), metric.list.end(), all.begin(),
      [&](auto member, auto name) { return is_right_member(definitions, member, name); });
}

}  // namespace

bool may_be_of_members(const Event& metric) {
  const auto count = metric.list.size() / 2;
  if (count % 3 != 0 || count == 0 || metric.list.size() != 2 * count)
    return false;

  for (std::size_t k = 0; k < count; k += 3) {
    const auto value = [&](std::size_t place) {
      return std::bit_cast<double>(metric.list[count + k + place]);
    };
    // The mean is rounded.
    constexpr double rounding = 1e-12;
    const auto slack = rounding * value(2);
    if (!(value(0) >= 0 && value(0) <= value(1) + slack && value(1) <= value(2) + slack))
      return false;
  }

  return std::all_of(metric.list.begin(), metric.list.begin() + static_cast<std::ptrdiff_t>(count),
                     [](auto type) { return type == otf2_value::type_double; });
}

void check_member_metrics(RuleBook& rules, const Definitions& reduced,
                          const StandInsByLocation& properties, const RecordedLocations& after) {
  rules.add_rule("metrics of members stand where there are several, and are of these");
  for (const auto& d : reduced.all())
    if (d.kind == K::MetricClass && is_of_members(reduced, d) && !is_right_class(reduced, d))
      rules.add_violation(fmt::format("metric class {}", d.id()));

  for (const auto& [id, recorded] : after) {
    const auto at = properties.find(id);
    const bool stands_for_several = at != properties.end() && at->second.count.value_or(1) > 1;
    if (recorded.wrong_of_members > 0 || (recorded.of_members > 0 && !stands_for_several))
      rules.add_violation(fmt::format("location {}", id));
  }
}

}  // namespace tracefold
