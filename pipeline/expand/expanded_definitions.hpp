// The definitions of an expanded trace, and what else it holds besides events.
//
// Thread-safe. Source: docs/design.md, the rules "dense ids", "what a location stands for" and
// "communicators are cut".
#pragma once

#include "model/messages/messages.hpp"
#include "model/profile/intent.hpp"
#include "otf2/archive.hpp"
#include "pipeline/expand/expanded_processes.hpp"
#include "pipeline/expand/expanded_records.hpp"
#include "pipeline/expand/rank_operations.hpp"
#include "pipeline/rewrite/trace_output.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tracefold {

// A function that only processes which are not kept call, so that the reduced trace does not define
// it.
struct MissingRegion {
  std::uint32_t id = 0;  // above those of the reduced trace
  Function function;
};

// Numbers the regions that stay densely, in the order of their ids.
class ExpandedRegions {
 public:
  // `used` are ids in the reduced trace, or of missing ones, whose ids follow each other. These
  // must stay.
  ExpandedRegions(const Definitions& reduced, const std::vector<MissingRegion>& missing,
                  std::vector<std::uint32_t> used);

  std::uint32_t new_id(std::uint32_t region) const { return new_ids_.at(region); }
  const std::vector<std::uint32_t>& used() const { return used_; }
  const std::vector<MissingRegion>& missing() const { return missing_; }

 private:
  const std::vector<MissingRegion>& missing_;
  std::vector<std::uint32_t> used_;  // ascending
  std::unordered_map<std::uint32_t, std::uint32_t> new_ids_;
};

// What was written of a location, with the first and last of its times in ticks.
struct ExpandedEvents {
  WrittenLocation written;
  std::uint64_t first = 0, last = 0;
};

TraceMetadata make_expanded_metadata(const Archive& reduced, const Messages& messages,
                                     const ExpandedProcesses& expanded,
                                     const OperationFinder& finder, const ExpandedRecords& records,
                                     const ExpandedRegions& regions,
                                     const std::vector<ExpandedEvents>& events);

}  // namespace tracefold
