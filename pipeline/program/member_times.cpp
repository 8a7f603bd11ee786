#include "pipeline/program/member_times.hpp"

#include "model/plan.hpp"
#include "model/profile/metric_columns.hpp"

#include <algorithm>

namespace tracefold {

namespace {

std::vector<std::uint64_t> sum_waits(const PackedRows& rows, const MetricColumns& columns) {
  std::vector<std::uint64_t> sums(rows.size());
  for (auto wait : columns.list_waits()) {
    const auto values = rows.read(*columns.find(wait));
    std::transform(values.begin(), values.end(), sums.begin(), sums.begin(), std::plus());
  }

  return sums;
}

}  // namespace

void MemberSums::Sum::add(std::uint64_t ticks) {
  minimum = std::min(minimum, ticks);
  maximum = std::max(maximum, ticks);
  total += ticks;
}

void MemberSums::Sum::add(const Sum& other) {
  minimum = std::min(minimum, other.minimum);
  maximum = std::max(maximum, other.maximum);
  total += other.total;
}

void MemberSums::add(const MemberSums& others) {
  for (std::size_t k = 0; k < sums_.size(); ++k) {
    const auto& other = others.sums_.at(k);
    sums_[k].members += other.members;
    sums_[k].computation.add(other.computation);
    sums_[k].waiting.add(other.waiting);
  }
}

TimeSpread MemberSums::Sum::spread(const Plan& plan, std::uint64_t members) const {
  const auto mean = static_cast<double>(total) / static_cast<double>(members);
  return {to_seconds(plan, minimum), to_seconds(plan, mean), to_seconds(plan, maximum)};
}

void MemberSums::add(std::size_t first, std::span<const std::uint64_t> computation,
                     std::span<const std::uint64_t> waiting) {
  for (std::size_t k = 0; k < computation.size() && first + k < sums_.size(); ++k) {
    auto& sum = sums_[first + k];
    ++sum.members;
    sum.computation.add(computation[k]);
    sum.waiting.add(waiting[k]);
  }
}

MemberTimes MemberSums::find(const Plan& plan, std::size_t iteration) const {
  const auto& sum = sums_[iteration];
  return {0, sum.computation.spread(plan, sum.members), sum.waiting.spread(plan, sum.members)};
}

bool knows_waiting(const Definitions& definitions, const MetricColumns& columns) {
  const auto waits = columns.list_waits();
  return !waits.empty() &&
         waits.size() == choose_metric_columns(definitions, waiting_metrics).list_waits().size();
}

bool has_member_times(const ProgramProfiles& program, std::size_t process) {
  return program.slices.contains(process) ||
         std::any_of(program.loops.begin(), program.loops.end(),
                     [&](const auto& loop) { return loop.begins.contains(process); });
}

std::vector<MemberTimes> list_member_times(const Plan& plan, std::size_t process,
                                           const std::vector<std::size_t>& members) {
  const auto& program = *plan.program;
  if (const auto slices = program.slices.find(process); slices != program.slices.end())
    return slices->second;

  const auto& columns = program.calls.profiles.columns;
  const auto computation = *columns.find(Metric::execution_time);

  std::vector<MemberTimes> out;
  for (const auto& loop : program.loops) {
    const auto begins = loop.begins.find(process);
    if (begins == loop.begins.end())
      continue;

    MemberSums sums(begins->second.size());
    for (auto member : members)
      sums.add(0, loop.rows[member].read(computation), sum_waits(loop.rows[member], columns));
    for (std::size_t i = 0; i < sums.size(); ++i) {
      out.push_back(sums.find(plan, i));
      out.back().time = begins->second[i];
    }
  }

  return out;
}

}  // namespace tracefold
