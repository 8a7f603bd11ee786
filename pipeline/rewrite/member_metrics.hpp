// The metrics of members that a rewrite adds: a kept location that stands for several processes
// records, at the begin of each iteration, how long these compute and wait in it. A location in the
// halo stands for nobody, and records none.
//
// If the trace was not reduced before, the plan has the times of all processes. Otherwise the
// metrics of the earlier reduction are read. Their values stay where a location stands for the same
// processes as before; where it stands for more now, the values of tracefold.profiles replace them.
// There are none if functions are left out, or single iterations of all processes are not known.
//
// Thread-safe once made. The trace must outlive it.
//
// Source: docs/design.md, the rule "metrics of members".
#pragma once

#include "model/program/member_metrics.hpp"
#include "pipeline/rewrite/kept_trace.hpp"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace tracefold {

class MemberMetrics {
 public:
  // Reads kept locations if the trace was reduced before. Throws Error(input).
  MemberMetrics(const KeptTrace& kept, const ReadOptions& options, Diagnostics& diagnostics);

  // Whether any kept location has such metrics, and whether times of waiting are among them.
  bool any() const { return !members_.empty(); }
  bool know_waiting() const { return know_waiting_; }
  // The records of kept location `i`, by time.
  std::vector<MemberTimes> list(std::size_t i) const;

 private:
  void take_program();
  void take_earlier(const ReadOptions& options, Diagnostics& diagnostics);
  void read_earlier(const ReadOptions& options, Diagnostics& diagnostics);
  void replace_values(const PackedProgram& carried);

  const KeptTrace& kept_;
  bool know_waiting_ = false;
  // The processes of the plan that a kept location stands for, by its number; only for those with
  // metrics.
  std::unordered_map<std::size_t, std::vector<std::size_t>> members_;
  // By number of the kept location: its records, if the trace was reduced before.
  std::unordered_map<std::size_t, std::vector<MemberTimes>> earlier_;
};

}  // namespace tracefold
