#include "pipeline/iterations/measured_processes.hpp"

#include "filters/iterations/align_loops.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/same_calls.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

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

const IterationCounts* MeasuredProcessList::find_counts(std::size_t process) const {
  return counted.contains(process) ? &counts.at(stood_for_by.at(process)) : nullptr;
}

namespace {

// The processes that are not kept, each with the aligned one that stands for it.
using StoodFor = std::map<std::size_t, std::size_t>;

StoodFor list_others(const Plan& plan, const std::vector<std::size_t>& aligned) {
  StoodFor others;
  if (!plan.representatives)
    return others;

  for (const auto& representative : *plan.representatives)
    if (std::binary_search(aligned.begin(), aligned.end(), representative.process))
      for (auto m : representative.members)
        others.try_emplace(m, representative.process);
  for (auto p : aligned)
    others.erase(p);

  return others;
}

std::vector<CallHash> hash_calls(const Archive& archive, const Plan& plan, const StoodFor& others,
                                 const ReadOptions& reading, Diagnostics& diagnostics) {
  std::set<std::size_t> processes;
  for (const auto& [process, stand_in] : others)
    processes.insert({process, stand_in});
  return hash_calls_pass(archive, plan, {processes.begin(), processes.end()}, reading, diagnostics);
}

// Those that make the same calls as their stand-ins.
StoodFor find_same_calls(const StoodFor& others, const std::vector<CallHash>& hashes) {
  auto same = others;
  std::erase_if(same, [&](const auto& one) { return hashes[one.first] != hashes[one.second]; });
  return same;
}

}  // namespace

MeasuredProcessList find_measured_processes(const Archive& archive, const Plan& plan,
                                            const std::vector<std::size_t>& aligned,
                                            std::vector<ProcessLoops>& loops,
                                            const std::vector<CallHash>* hashes,
                                            const AskedIterations& asked,
                                            const ReadOptions& reading, Diagnostics& diagnostics) {
  MeasuredProcessList out;
  for (auto p : aligned)
    out.stood_for_by[p] = p;
  const auto others = list_others(plan, aligned);
  if (others.empty())
    return out;

  const auto same = find_same_calls(
      others, hashes ? *hashes : hash_calls(archive, plan, others, reading, diagnostics));
  std::set<std::size_t> stand_ins;
  for (const auto& [process, stand_in] : same)
    stand_ins.insert(stand_in);
  out.counts = count_iterations_pass(archive, plan, loops, {stand_ins.begin(), stand_ins.end()},
                                     reading, diagnostics);

  std::vector<std::size_t> to_search;
  for (const auto& [process, stand_in] : others)
    if (same.contains(process) && out.counts.contains(stand_in)) {
      out.counted.insert(process);
      out.stood_for_by[process] = stand_in;
    } else {
      to_search.push_back(process);
    }
  if (to_search.empty())
    return out;

  auto found = find_loops_pass(archive, plan, add_loop_sources(plan, to_search), asked, reading,
                               diagnostics, LoopThreshold::none);
  for (auto process : to_search) {
    const auto stand_in = others.at(process);
    if (!keep_loops_of(loops[stand_in], found[process])) {
      ++out.unmeasured;
      continue;
    }
    loops[process] = std::move(found[process]);
    out.stood_for_by[process] = stand_in;
  }

  return out;
}

MeasuredTotals::MeasuredTotals(const MeasuredProcessList& measured, const JointForm& form,
                               const IterationReadings& readings)
    : measured_(measured), form_(form), readings_(readings) {
  if (!measured.stood_for_by.empty())
    processes_.resize(measured.stood_for_by.rbegin()->first + 1);
  for (const auto& [process, representative] : measured.stood_for_by)
    processes_[process].emplace(form, process);
  for (const auto& [process, representative] : measured.stood_for_by)
    if (process != representative)
      processes_[process]->give_to(*processes_[representative]);
}

void MeasuredTotals::begin(TotalsUse use, IterationWindow window,
                           std::vector<std::vector<std::uint32_t>> besides) {
  besides.resize(readings_.loops());
  totals_.clear();
  for (std::size_t l = 0; l < readings_.loops(); ++l)
    totals_.push_back(std::make_unique<JointTotals>(form_, readings_.lengths()[l], use, window,
                                                    std::move(besides[l])));
}

void MeasuredTotals::add(std::size_t process, std::size_t iteration, const WideSums& columns) {
  const auto [loop, at] = readings_.locate(iteration);
  totals_[loop]->add(at, *processes_[process], columns);
}

void MeasuredTotals::read(const std::vector<std::size_t>& processes) {
  readings_.pass().read_totals(
      processes, [&](std::size_t process) { return measured_.find_counts(process); },
      [&](std::size_t process, std::size_t iteration, const WideSums& columns) {
        add(process, iteration, columns);
      });
}

}  // namespace tracefold
