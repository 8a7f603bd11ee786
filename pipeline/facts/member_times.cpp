#include "pipeline/facts/member_times.hpp"

#include "base/team.hpp"
#include "model/plan.hpp"
#include "model/profile/metric_columns.hpp"

#include <algorithm>
#include <map>
#include <utility>

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

// What these members did in each loop of a kept process, of those whose rows are here; nothing of
// loops that it does not have.
std::vector<MemberSums> sum_members(const ProgramProfiles& program, std::size_t process,
                                    const std::vector<std::size_t>& members) {
  const auto& columns = program.calls.profiles.columns;
  const auto computation = *columns.find(Metric::execution_time);
  std::vector<MemberSums> out;
  for (const auto& loop : program.loops) {
    const auto begins = loop.begins.find(process);
    auto& sums = out.emplace_back(begins == loop.begins.end() ? 0 : begins->second.size());
    if (sums.size() == 0)
      continue;
    for (auto member : members)
      if (program.is_here(member))
        sums.add(0, loop.rows[member].read(computation), sum_waits(loop.rows[member], columns));
  }

  return out;
}

std::vector<MemberTimes> list_times(const Plan& plan, const ProgramProfiles& program,
                                    std::size_t process, const std::vector<MemberSums>& by_loop) {
  std::vector<MemberTimes> out;
  for (std::size_t l = 0; l < by_loop.size(); ++l)
    for (std::size_t i = 0; i < by_loop[l].size(); ++i) {
      out.push_back(by_loop[l].find(plan, i));
      out.back().time = program.loops[l].begins.at(process)[i];
    }

  return out;
}

}  // namespace

void MemberSums::TicksSpread::add(std::uint64_t ticks) {
  minimum = std::min(minimum, ticks);
  maximum = std::max(maximum, ticks);
  total += ticks;
}

void MemberSums::TicksSpread::add(const TicksSpread& other) {
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

TimeSpread MemberSums::TicksSpread::spread(const Plan& plan, std::uint64_t members) const {
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
  return program.member_times.contains(process) ||
         std::any_of(program.loops.begin(), program.loops.end(),
                     [&](const auto& loop) { return loop.begins.contains(process); });
}

std::vector<MemberTimes> list_member_times(const Plan& plan, std::size_t process,
                                           const std::vector<std::size_t>& members) {
  const auto& program = *plan.program;
  const auto known = program.member_times.find(process);
  return known != program.member_times.end()
             ? known->second
             : list_times(plan, program, process, sum_members(program, process, members));
}

void share_member_times(const Plan& plan, Team& team, ProgramProfiles& program) {
  using SumsByProcess = std::map<std::size_t, std::vector<MemberSums>>;  // and by loop
  SumsByProcess own;
  for (const auto& representative : *plan.representatives) {
    const auto process = representative.process;
    if (representative.members.size() > 1 && has_member_times(program, process) &&
        !program.member_times.contains(process))
      own.emplace(process, sum_members(program, process, representative.members));
  }

  const auto all =
      share_merged(&team, std::move(own), [](SumsByProcess lower, const SumsByProcess& higher) {
        for (auto& [process, by_loop] : lower)
          for (std::size_t l = 0; l < by_loop.size(); ++l)
            by_loop[l].add(higher.at(process)[l]);
        return lower;
      });
  for (const auto& [process, by_loop] : all)
    program.member_times.emplace(process, list_times(plan, program, process, by_loop));
}

}  // namespace tracefold
