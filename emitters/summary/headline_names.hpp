// How headlines name functions, processes and streams of a run, short enough to be read at once.
// Pure.
#pragma once

#include "emitters/layout.hpp"
#include "model/plan.hpp"
#include "model/summary/summary.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tracefold {

class HeadlineNames {
 public:
  // The summary must outlive this.
  HeadlineNames(const Summary& summary, NameLength length);

  std::string show_function(const std::string& name) const;
  // "solve, called by step"
  std::string show_call(const NamedCall& call) const;
  // "kernel dot on CUDA[0:7] of rank 3"
  std::string show_kernel(const WaitedKernel& kernel) const;

  // "rank 3", "ranks 0-3", "rank 5 threads 4-7"; processes without ranks as the trace calls them
  std::string name(const std::vector<std::size_t>& who) const;
  // The same, of a few ranks each by itself: "ranks 1,3,5"
  std::string name_each(const std::vector<std::size_t>& who) const;
  // Those of the finding: "threads 2, 3 of each rank", where it is of their number
  std::string name_threads(const std::vector<std::size_t>& who) const;
  // "CUDA[0:7]", "CUDA[0:7] of rank 3", "2 streams"
  std::string name_streams(const std::vector<std::size_t>& streams) const;
  // The number of its rank, else of its location
  std::string short_name(std::size_t process) const;
  // "rank", "ranks": who has computed; and the end of its verb
  const char* name_kind() const;
  const char* end_verb() const;

 private:
  bool are_ranks(const std::vector<std::size_t>& who) const;
  std::string list_ranks(const std::vector<std::size_t>& who) const;

  const Summary& summary_;
  const NameLength length_;
  Plan plan_;  // of its processes
};

}  // namespace tracefold
