// The scan of a rewrite: reads the kept locations and finds what has to be known before the first
// of their events can be copied.
//
// Ids of definitions are dense, so the new id of a region depends on what all kept locations use.
// Which messages stay depends on records that come later in the same location (a receive is begun
// before its sender is recorded) or, where iterations are collapsed, in another one. And chunks of
// an archive have one size, in which the largest record has to fit.
//
// Source: docs/design.md, the rules "communicators are cut", "messages need both ends",
// "keep what stands alone" and "collapsed iterations".
#pragma once

#include "base/error.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/messages/operation_matching.hpp"
#include "pipeline/rewrite/kept_trace.hpp"
#include "pipeline/rewrite/used_refs.hpp"

#include <cstddef>
#include <vector>

namespace tracefold {

struct KeptScan {
  UsedRefs used;  // by the events that may stay
  // By kept location, in their new order; in a team only the member's own.
  std::vector<LocationOperations> operations;
  std::vector<StandInContext> stand_in_contexts;  // ascending
  std::size_t largest_record = 0;                 // bytes, as encoded_size() gives them
  bool keeps_all_operations = false;              // whatever the scan found
};

// In parallel, and by all members of a team together. Memory: UsedRefs, and what
// operation_matching.hpp tells. The result does not depend on the number of threads. Throws
// Error(input).
KeptScan scan_pass(const KeptTrace& kept, const ReadOptions& options, Diagnostics& diagnostics);

// What a scan would find where every record stays, without reading any: all definitions are used.
// The largest record is not known and given as 0.
KeptScan assume_all_stays(const KeptTrace& kept);

}  // namespace tracefold
