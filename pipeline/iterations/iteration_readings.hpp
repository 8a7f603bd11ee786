// The profiles of iterations of kept processes. They are read once and then visited again: from
// memory as far as they fit, and otherwise by reading events. A team reads them together the first
// time; only the first member visits them again.
//
// An eighth of the memory limit (ReadOptions) is for stored profiles (stored_profiles.hpp). Other
// memory: the series by which iterations are chosen, at most a gibibyte.
//
// Used by one thread; callbacks come from several, for different processes. Source: dynamics 3 and
// 4.
#pragma once

#include "base/for_each_index.hpp"
#include "base/interrupt.hpp"
#include "filters/iterations/cluster_iterations.hpp"
#include "pipeline/facts/series_pass.hpp"
#include "pipeline/iterations/align_processes.hpp"
#include "pipeline/iterations/stored_profiles.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace tracefold {

// The loop of an iteration that is numbered over all loops, and its number in the loop.
struct LoopIteration {
  std::size_t loop = 0;
  std::size_t iteration = 0;
};

class IterationReadings {
 public:
  // Both must outlive this. Without folding processes there are no loops.
  IterationReadings(const SeriesPass& pass, const AlignedProcesses& aligned);

  const SeriesPass& pass() const { return pass_; }
  const AlignedProcesses& aligned() const { return aligned_; }
  // The kept processes that fold.
  const std::vector<std::size_t>& processes() const { return aligned_.folding; }
  std::uint64_t memory() const { return pass_.trace().options().memory; }
  Team* team() const { return pass_.trace().options().team; }
  LoopIteration locate(std::size_t iteration) const { return iterations_[iteration]; }
  std::size_t count_iterations() const { return iterations_.size(); }
  // By loop.
  const std::vector<std::size_t>& lengths() const { return lengths_; }
  std::size_t loops() const { return lengths_.size(); }
  std::size_t longest_loop() const;

  // The kept processes by which iterations are chosen: all, or an even sample that fits into half
  // of the memory.
  std::vector<std::size_t> sample_processes() const;

  // The series for clustering, by loop and sampled process. Also stores profiles, and
  // calls `also` for each iteration and process; in a team, for the member's own processes. Call
  // once.
  std::vector<std::vector<IterationSeries>> record_series(const std::vector<std::size_t>& sampled,
                                                          const SeriesCallbacks& also);

  // Calls visit(process, iteration over all loops, profile) for all iterations of some processes.
  // In a team, only the first member may call it.
  template <class Visit>
  void visit(std::span<const std::size_t> processes, Visit&& visit) const {
    std::vector<std::size_t> stored;
    std::vector<std::size_t> to_read;
    for (auto p : processes) {
      const auto found = stored_.find(p);
      const bool is_stored = found != stored_.end() && found->second.are_complete();
      (is_stored ? stored : to_read).push_back(p);
    }

    for_each_index(stored.size(), [&](std::size_t k) {
      check_stop();
      stored_.at(stored[k]).visit([&](std::size_t iteration, const CallPathProfile& profile) {
        visit(stored[k], iteration, profile);
      });
    });

    if (!to_read.empty())
      pass_.read(
          to_read,
          {[&](const SeriesIteration& it) { visit(it.process, it.iteration, it.profile); }, {}});
  }

  // The call paths of a sampled process; empty for other processes.
  std::span<const CallPath> find_call_paths(std::size_t process) const {
    const auto at = call_paths_.find(process);
    return at == call_paths_.end() ? std::span<const CallPath>() : at->second;
  }

 private:
  // Sends what members of a team have stored of their own processes to the first one.
  void gather_stored(const std::vector<std::size_t>& own);

  const SeriesPass& pass_;
  const AlignedProcesses& aligned_;
  std::vector<LoopIteration> iterations_;  // by number over all loops
  std::vector<std::size_t> lengths_;
  std::map<std::size_t, StoredProfiles> stored_;             // of sampled processes
  std::map<std::size_t, std::vector<CallPath>> call_paths_;  // of sampled processes
};

}  // namespace tracefold
