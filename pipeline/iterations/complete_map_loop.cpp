#include "pipeline/iterations/complete_map_loop.hpp"

#include "base/team.hpp"
#include "model/plan.hpp"
#include "pipeline/events/call_hash.hpp"
#include "pipeline/events/counted_iterations.hpp"
#include "pipeline/iterations/find_loops_pass.hpp"
#include "pipeline/iterations/map_pass.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

using Places = std::vector<std::optional<std::size_t>>;  // of the loop, by process

// When the iterations of a location are whose calls are counted in another one. A sink of clean
// events.
class CountedLoop {
 public:
  CountedLoop(const Loop& other, const IterationCounts& counts)
      : loop_(other), cursor_(counts), iterations_(counts.size()) {
    loop_.iterations.clear();
    loop_.orders.clear();
    loop_.end_order = 0;
  }

  void enter(const CallBegin& call, std::span<const Attribute>) {
    order_ = call.time == now_ ? order_ + 1 : 0;
    now_ = call.time;
    const auto was_in = is_in_;
    const auto iteration = cursor_.enter(call);
    is_in_ = iteration != CountedIterations::outside;
    if (is_in_ && loop_.iterations.size() <= iteration)
      loop_.add({call.time, call.time}, order_);
    else if (was_in && !is_in_ && call.time == last_end())
      loop_.end_order = order_;
    follow();
  }
  void leave(const CallEnd& call, std::span<const Attribute>) {
    is_in_ = cursor_.leave(call) != CountedIterations::outside;
    follow();
  }
  void other(const Event& event) { cursor_.other(event.time); }
  void unknown(std::uint64_t time) { cursor_.other(time); }

  // After the last event. None where it does not have all iterations.
  std::optional<Loop> take() && {
    auto& all = loop_.iterations;
    if (all.empty() || all.size() != iterations_)
      return std::nullopt;
    loop_.ticks = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (loop_.is_found() && i + 1 < all.size())
        all[i].end = all[i + 1].begin;
      loop_.ticks += all[i].end - all[i].begin;
    }
    return std::move(loop_);
  }

 private:
  std::uint64_t last_end() const {
    return loop_.iterations.empty() ? 0 : loop_.iterations.back().end;
  }
  // The end of the last iteration is known when its last call has ended.
  void follow() {
    if (loop_.iterations.empty())
      return;
    const auto interval = cursor_.interval(loop_.iterations.size() - 1);
    if (interval.end != ~std::uint64_t{0})
      loop_.iterations.back().end = interval.end;
  }

  Loop loop_;
  CountedIterations cursor_;
  std::size_t iterations_;
  std::uint64_t now_ = ~std::uint64_t{0};
  std::uint32_t order_ = 0;
  bool is_in_ = false;
};

// Members that have no loops of another process.
std::vector<std::size_t> list_missing(const std::vector<std::size_t>& members,
                                      const KnownLoops& loops, const Places& places) {
  std::vector<std::size_t> out;
  for (auto m : members)
    if (!places[m] && !loops[m].taken_from)
      out.push_back(m);
  return out;
}

// Processes of one group.
struct GroupToComplete {
  std::vector<std::size_t> missing, models;  // without the loop; with it and intervals of their own
};

// The groups in which some are missing and others have the loop.
std::vector<GroupToComplete> list_groups(const Plan& plan, const std::vector<std::size_t>& missing,
                                         const KnownLoops& loops, const Places& places) {
  std::vector<GroupToComplete> out;
  for (std::size_t g = 0; plan.groups && g < plan.groups->size(); ++g) {
    GroupToComplete group;
    for (auto m : (*plan.groups)[g].members)
      if (places[m] && loops.are_own(m) && can_be_counted(loops[m]))
        group.models.push_back(m);
      else if (std::binary_search(missing.begin(), missing.end(), m))
        group.missing.push_back(m);
    if (!group.missing.empty() && !group.models.empty())
      out.push_back(std::move(group));
  }
  return out;
}

// By process, of all of these.
std::map<std::size_t, CallHash> hash_their_calls(const PlannedTrace& trace,
                                                 const std::vector<GroupToComplete>& groups,
                                                 const std::vector<CallHash>& known) {
  std::map<std::size_t, CallHash> hashes;
  std::vector<std::size_t> to_read;
  for (const auto& group : groups)
    for (const auto* processes : {&group.missing, &group.models})
      for (auto p : *processes) {
        hashes[p] = p < known.size() ? known[p] : 0;
        if (p >= known.size())
          to_read.push_back(p);
      }

  const auto own = trace.read_own(to_read, [&](std::size_t process, const auto& read_calls_to) {
    CallHashSink sink;
    read_calls_to(sink);
    hashes.at(process) = sink.hash();
  });
  share_found(trace.options().team, hashes, own);
  return hashes;
}

// By process without the loop, the first one of its group that has it and makes the same calls.
std::map<std::size_t, std::size_t> find_same(const std::vector<GroupToComplete>& groups,
                                             const std::map<std::size_t, CallHash>& hashes) {
  std::map<std::size_t, std::size_t> same;
  for (const auto& group : groups) {
    std::unordered_map<CallHash, std::size_t> first;
    for (auto m : group.models)
      first.try_emplace(hashes.at(m), m);
    for (auto m : group.missing)
      if (const auto found = first.find(hashes.at(m)); found != first.end())
        same[m] = found->second;
  }
  return same;
}

// The loop of each of these processes, which have it, told by their calls; empty where that cannot
// be told.
std::map<std::size_t, IterationCounts> count_loops(const PlannedTrace& trace,
                                                   const std::set<std::size_t>& processes,
                                                   const KnownLoops& loops, const Places& places,
                                                   const SearchedLoops* searched) {
  std::map<std::size_t, IterationCounts> counts;
  std::vector<std::size_t> to_read;
  for (auto p : processes) {
    auto& known = counts[p];
    if (searched)
      known = searched->count_calls(p, loops[p].loops[*places[p]]);
    if (known.empty())
      to_read.push_back(p);
  }

  const auto own = trace.read_own(to_read, [&](std::size_t process, const auto& read_calls_to) {
    ProcessLoops alone;
    alone.loops.push_back(loops[process].loops[*places[process]]);
    CountIterations sink(alone);
    read_calls_to(sink);
    counts.at(process) = std::move(sink).take();
  });
  share_found(trace.options().team, counts, own);
  return counts;
}

using FoundLoops = std::map<std::size_t, ProcessLoops>;  // by process that did not have it

// A process with this loop alone.
ProcessLoops make_with_loop(const ProcessLoops& process, Loop loop) {
  ProcessLoops out;
  out.first_time = process.first_time;
  out.last_time = process.last_time;
  out.loops.push_back(std::move(loop));
  return out;
}

// Those that make the same calls as another one.
FoundLoops take_same_calls(const PlannedTrace& trace, const std::vector<std::size_t>& missing,
                           const Places& places, const CollectedCalls& calls,
                           const KnownLoops& loops) {
  const auto groups = list_groups(trace.plan(), missing, loops, places);
  if (groups.empty())
    return {};

  auto same = find_same(groups, hash_their_calls(trace, groups, calls.hashes));
  std::set<std::size_t> others;
  for (const auto& [process, other] : same)
    others.insert(other);
  const auto counts = count_loops(trace, others, loops, places, calls.loops.get());
  std::erase_if(same, [&](const auto& one) { return counts.at(one.second).empty(); });

  FoundLoops found;
  std::vector<std::size_t> processes;
  for (const auto& [process, other] : same) {
    processes.push_back(process);
    found[process];
  }
  const auto own = trace.read_own(processes, [&](std::size_t process, const auto& read_calls_to) {
    const auto other = same.at(process);
    CountedLoop sink(loops[other].loops[*places[other]], counts.at(other));
    read_calls_to(sink);
    if (auto loop = std::move(sink).take())
      found.at(process) = make_with_loop(loops[process], std::move(*loop));
  });
  share_found(trace.options().team, found, own);
  std::erase_if(found, [](const auto& one) { return one.second.loops.empty(); });
  return found;
}

// Adds those in which it was found, too, but for its share of the time.
void add_small_ones(const PlannedTrace& trace, const std::vector<std::size_t>& missing,
                    const Loop& wanted, const CollectedCalls& calls, const AskedIterations& asked,
                    FoundLoops& found) {
  auto searched = find_loops_pass(trace, missing, asked, LoopThreshold::none, calls.loops.get());
  for (auto m : missing)
    for (auto& loop : searched[m].loops)
      if (loop.source == wanted.source && loop.path == wanted.path &&
          loop.function == wanted.function && loop.iterations.size() == wanted.iterations.size()) {
        found[m] = make_with_loop(searched[m], std::move(loop));
        break;
      }
}

}  // namespace

std::map<std::size_t, ProcessLoops> find_missing_loops(const PlannedTrace& trace,
                                                       const std::vector<std::size_t>& members,
                                                       std::size_t number, const KnownLoops& loops,
                                                       const CollectedCalls& calls,
                                                       const AskedIterations& asked) {
  const auto places = find_same_loops(members, loops, number);
  auto missing = list_missing(members, loops, places);
  if (missing.empty())
    return {};

  const auto& wanted = loops[find_first_with_loop(members, loops, number)].loops[number];
  auto found = take_same_calls(trace, missing, places, calls, loops);
  std::erase_if(missing, [&](std::size_t m) {
    const auto at = found.find(m);
    return at != found.end() &&
           at->second.loops.front().iterations.size() == wanted.iterations.size();
  });
  if (!missing.empty())
    add_small_ones(trace, missing, wanted, calls, asked, found);

  for (auto m : members)
    if (const auto source = loops[m].taken_from; source && !places[m])
      if (const auto at = found.find(*source); at != found.end()) {
        found[m] = make_with_loop(loops[m], at->second.loops.front());
        found[m].taken_from = source;
      }
  return found;
}

void complete_map_loop(const PlannedTrace& trace, const std::vector<std::size_t>& members,
                       std::size_t number, const CollectedCalls& calls,
                       const AskedIterations& asked, std::vector<ProcessLoops>& loops) {
  for (auto& [process, found] : find_missing_loops(trace, members, number, loops, calls, asked))
    loops[process] = std::move(found);
}

}  // namespace tracefold
