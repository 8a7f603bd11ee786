#include "pipeline/iterations/measured_processes.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

bool have_equal_loops(const ProcessLoops& a, const ProcessLoops& b) {
  return std::equal(
      a.loops.begin(), a.loops.end(), b.loops.begin(), b.loops.end(),
      [](const Loop& x, const Loop& y) { return x.iterations.size() == y.iterations.size(); });
}

}  // namespace

std::vector<std::size_t> MeasuredProcessList::list() const {
  std::vector<std::size_t> processes;
  for (const auto& [process, representative] : stood_for_by)
    processes.push_back(process);
  return processes;
}

bool MeasuredProcessList::has_others() const {
  return std::any_of(stood_for_by.begin(), stood_for_by.end(),
                     [](const auto& one) { return one.first != one.second; });
}

MeasuredProcessList list_measured_processes(const Plan& plan,
                                            const std::vector<std::size_t>& aligned,
                                            const std::vector<ProcessLoops>& loops) {
  MeasuredProcessList out;
  for (auto p : aligned)
    out.stood_for_by[p] = p;
  if (!plan.representatives)
    return out;

  for (const auto& representative : *plan.representatives) {
    const auto p = representative.process;
    if (!std::binary_search(aligned.begin(), aligned.end(), p))
      continue;
    for (auto m : representative.members) {
      if (have_equal_loops(loops[m], loops[p]))
        out.stood_for_by.try_emplace(m, p);
      else
        ++out.unmeasured;
    }
  }

  return out;
}

MeasuredTotals::MeasuredTotals(const MeasuredProcessList& measured, const JointForm& form,
                               const IterationReadings& readings)
    : form_(form), readings_(readings) {
  for (const auto& [process, representative] : measured.stood_for_by)
    processes_.try_emplace(process, form, process);
  for (const auto& [process, representative] : measured.stood_for_by)
    if (process != representative)
      processes_.at(process).give_to(processes_.at(representative));
}

void MeasuredTotals::begin(TotalsUse use, IterationWindow window,
                           std::vector<std::vector<std::uint32_t>> besides) {
  besides.resize(readings_.loops());
  totals_.clear();
  for (std::size_t l = 0; l < readings_.loops(); ++l)
    totals_.push_back(std::make_unique<JointTotals>(form_, readings_.lengths()[l], use, window,
                                                    std::move(besides[l])));
}

void MeasuredTotals::add(std::size_t process, std::size_t iteration,
                         std::span<const Wide> columns) {
  const auto [loop, at] = readings_.locate(iteration);
  totals_[loop]->add(at, processes_.at(process), columns);
}

void MeasuredTotals::read(const std::vector<std::size_t>& processes) {
  readings_.pass().read_totals(
      processes, [&](std::size_t process, std::size_t iteration, std::span<const Wide> columns) {
        add(process, iteration, columns);
      });
}

}  // namespace tracefold
