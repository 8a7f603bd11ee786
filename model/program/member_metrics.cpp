#include "model/program/member_metrics.hpp"

#include <algorithm>

namespace tracefold {

using K = DefinitionKind;

bool is_of_members(const Definitions& definitions, const Definition& metric) {
  if (metric.kind == K::MetricMember)
    return definitions.text(get_field<"name", K::MetricMember>(metric))
        .starts_with(member_metric_begin);

  return metric.kind == K::MetricClass && !metric.list.empty() &&
         std::all_of(metric.list.begin(), metric.list.end(), [&](auto id) {
           const auto* member = definitions.find(Ref::metric_member, id);
           return member && is_of_members(definitions, *member);
         });
}

std::unordered_set<std::uint64_t> find_member_metrics(const Definitions& definitions) {
  std::unordered_set<std::uint64_t> found;
  for (const auto& d : definitions.all())
    if (d.kind == K::MetricClass && is_of_members(definitions, d))
      found.insert(d.id());

  return found;
}

}  // namespace tracefold
