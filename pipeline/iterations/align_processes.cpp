#include "pipeline/iterations/align_processes.hpp"

#include "base/team.hpp"
#include "filters/iterations/align_loops.hpp"
#include "model/chosen_iterations.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace tracefold {

std::vector<std::size_t> AlignedProcesses::list_measured() const {
  std::vector<std::size_t> processes;
  for (const auto& [process, stand_in] : stood_for_by)
    processes.push_back(process);
  return processes;
}

bool AlignedProcesses::has_others() const {
  return std::any_of(stood_for_by.begin(), stood_for_by.end(),
                     [](const auto& one) { return one.first != one.second; });
}

const IterationCounts* AlignedProcesses::find_counts(std::size_t process) const {
  const auto at = counted.find(process);
  return at == counted.end() ? nullptr : &counts.at(at->second);
}

const std::vector<Loop>& AlignedProcesses::find_loops(std::size_t process) const {
  const auto at = counted.find(process);
  return loops[at == counted.end() ? process : at->second].loops;
}

namespace {

bool is_folding(const AlignedProcesses& aligned, std::size_t process) {
  return std::binary_search(aligned.folding.begin(), aligned.folding.end(), process);
}

// The processes that are not kept, each with the one that stands for it.
using StoodFor = std::map<std::size_t, std::size_t>;

StoodFor list_others(const Plan& plan, const AlignedProcesses& aligned, RecordProgram record) {
  const auto is_wanted = [&](std::size_t kept) {
    return record != RecordProgram::no ? !aligned.loops[kept].loops.empty()
                                       : is_folding(aligned, kept);
  };
  StoodFor others;
  if (!plan.representatives)
    return others;

  for (const auto& representative : *plan.representatives)
    if (is_wanted(representative.process))
      for (auto m : representative.members)
        others.try_emplace(m, representative.process);
  for (const auto& representative : *plan.representatives)
    others.erase(representative.process);

  return others;
}

// Iterations are counted in each loop anew: some loop has to have each of them.
void check_kept(const Plan& plan, const std::vector<std::uint64_t>& keep,
                const std::vector<Loop>& loops) {
  std::size_t longest = 0;
  for (const auto& loop : loops)
    longest = std::max(longest, loop.iterations.size());
  for (auto number : keep)
    if (const auto iteration = find_iteration(plan, number); !iteration || *iteration >= longest)
      throw Error(ErrorKind::usage,
                  fmt::format("`keep_iterations` {}: there is no such iteration", number))
          .hint("iterations are " + name_iterations(plan, 0, longest - 1));
}

// The hashes of the calls of these processes and of their stand-ins, by process of the plan.
std::vector<CallHash> hash_calls(const PlannedTrace& trace, const StoodFor& others) {
  std::set<std::size_t> processes;
  for (const auto& [process, stand_in] : others)
    processes.insert({process, stand_in});

  std::vector<CallHash> hashes(trace.plan().processes.size());
  const auto own = trace.read_own(std::vector(processes.begin(), processes.end()),
                                  [&](std::size_t process, const auto& read_calls_to) {
                                    CallHashSink sink;
                                    read_calls_to(sink);
                                    hashes[process] = sink.hash();
                                  });
  share_found(trace.options().team, hashes, own);
  return hashes;
}

// Through all loops of a process; none where that is not known.
IterationCounts list_known_counts(const SearchedLoops* searched, std::size_t process,
                                  const ProcessLoops& loops) {
  IterationCounts counts;
  for (const auto& loop : loops.loops) {
    const auto known = searched ? searched->count_calls(process, loop) : IterationCounts{};
    if (known.empty())
      return {};
    counts.insert(counts.end(), known.begin(), known.end());
  }
  return counts;
}

// By process, of these. Without those whose iterations are not told by their calls.
std::map<std::size_t, IterationCounts> count_iterations(const PlannedTrace& trace,
                                                        const std::vector<ProcessLoops>& loops,
                                                        const std::set<std::size_t>& processes,
                                                        const SearchedLoops* searched) {
  std::map<std::size_t, IterationCounts> counts;
  std::vector<std::size_t> countable;
  for (auto p : processes)
    if (can_be_counted(loops[p])) {
      counts[p] = list_known_counts(searched, p, loops[p]);
      if (counts[p].empty())
        countable.push_back(p);
    }

  const auto own = trace.read_own(countable, [&](std::size_t process, const auto& read_calls_to) {
    CountIterations sink(loops[process]);
    read_calls_to(sink);
    counts.at(process) = std::move(sink).take();
  });
  share_found(trace.options().team, counts, own);
  std::erase_if(counts, [](const auto& one) { return one.second.empty(); });

  return counts;
}

// Adds the others that make the same calls as their stand-ins, and returns the rest.
StoodFor add_same_calls(const PlannedTrace& trace, StoodFor others,
                        const std::vector<CallHash>& hashes, const SearchedLoops* searched,
                        AlignedProcesses& out) {
  const auto makes_same_calls = [&](const auto& one) {
    return hashes[one.first] == hashes[one.second];
  };
  std::set<std::size_t> stand_ins;
  for (const auto& one : others)
    if (makes_same_calls(one))
      stand_ins.insert(one.second);
  out.counts = count_iterations(trace, out.loops, stand_ins, searched);

  std::erase_if(others, [&](const auto& one) {
    const bool is_counted = makes_same_calls(one) && out.counts.contains(one.second);
    if (is_counted) {
      out.counted.insert(one);
      if (is_folding(out, one.second))
        out.stood_for_by.insert(one);
    }
    return is_counted;
  });

  return others;
}

// Looks for the loops of others, and adds those that have the loops of their stand-ins. The rest
// keep what is found in them, but for what takes little time.
void add_same_loops(const PlannedTrace& trace, const StoodFor& others, const AskedIterations& asked,
                    SearchedLoops* searched, AlignedProcesses& out) {
  std::vector<std::size_t> to_search;
  for (const auto& [process, stand_in] : others)
    to_search.push_back(process);
  auto found = find_loops_pass(trace, to_search, asked, LoopThreshold::none, searched);

  std::vector<ProcessLoops> own(found.size());
  for (const auto& one : others) {
    const auto& [process, stand_in] = one;
    auto same = found[process];
    if (is_folding(out, stand_in) && keep_loops_of(out.loops[stand_in], same)) {
      out.loops[process] = std::move(same);
      out.stood_for_by.insert(one);
    } else {
      out.unmeasured += is_folding(out, stand_in);
      own[process] = std::move(found[process]);
    }
  }

  remove_minor_loops(trace.plan(), own);
  for (const auto& [process, stand_in] : others)
    if (!out.stood_for_by.contains(process))
      out.loops[process] = std::move(own[process]);
}

}  // namespace

AlignedProcesses align_processes(const PlannedTrace& trace, const std::vector<ProcessLoops>& loops,
                                 const FoldOptions& options, const CollectedCalls& calls,
                                 RecordProgram record) {
  AlignedProcesses out;
  out.loops = loops;
  out.folding = find_aligned_processes(trace.plan(), loops);
  if (out.folding.empty())
    return out;

  check_kept(trace.plan(), options.keep, out.folded_loops());
  for (auto p : out.folding)
    out.stood_for_by[p] = p;

  auto others = list_others(trace.plan(), out, record);
  if (!others.empty())
    others = add_same_calls(trace, others,
                            calls.hashes.empty() ? hash_calls(trace, others) : calls.hashes,
                            trace.plan().chosen ? nullptr : calls.loops.get(), out);
  if (!others.empty())
    add_same_loops(trace, others, options.asked, calls.loops.get(), out);

  return out;
}

}  // namespace tracefold
