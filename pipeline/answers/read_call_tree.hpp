// The calls of one process of a trace, to be aligned with those of another one. Reads the process
// twice: for its loops, and for its calls.
//
// Memory: 32 bytes for each call, at most most_tree_calls of them. Where a process makes more, the
// deepest ones count for those around them, and where all are at one depth, later ones are left
// out.
#pragma once

#include "model/comparison/call_alignment.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tracefold {

inline constexpr std::size_t most_tree_calls = std::size_t{1} << 21;

// A sink of clean events; one location, one thread.
class CallTreeSink {
 public:
  explicit CallTreeSink(std::size_t most = most_tree_calls) : most_(most) {}

  void enter(const CallBegin& call, std::span<const Attribute>);
  void leave(const CallEnd& call, std::span<const Attribute>);
  void other(const Event&) {}
  void unknown(std::uint64_t) {}

  ProcessCalls take();

 private:
  void make_room();

  std::size_t most_;
  ProcessCalls tree_;
  std::vector<std::uint32_t> open_;  // places in the tree; not_a_call: not in it
};

// The process that a list of locations (model/location_list.hpp) names: of a rank its first thread.
// Profiles the trace where that was not done. Throws Error(usage) where it names none or several,
// Error(input) where a reduction has left it out.
std::size_t find_aligned_process(PlanSession& session, const std::string& list);

// Throws Error(input) also where a reduction has folded its iterations, so that its calls are not
// known.
ProcessCalls read_call_tree(PlanSession& session, std::size_t process);

}  // namespace tracefold
