// The scan of a rewrite: reads the kept locations and finds what must be known before their first
// event can be copied.
//
// Ids of definitions are dense, so the new id of a region depends on what all kept locations use.
// Whether a message stays depends on later records of the location (a receive begins before its
// sender is recorded) or, with collapsed iterations, on other locations. And all chunks of an
// archive have one size, into which the largest record must fit.
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
  UsedRefs used;  // by events that may stay
  // By kept location, in their new order; in a team only the member's own.
  std::vector<LocationOperations> operations;
  std::vector<CollapsedContext> collapsed_contexts;  // ascending
  std::size_t largest_record = 0;                    // bytes, as encoded_size() gives them
  bool keeps_all_operations = false;                 // true whatever the scan found
};

// Runs in parallel, and on all members of a team. Memory: UsedRefs, and that of
// operation_matching.hpp. The result does not depend on the number of threads. Throws Error(input).
KeptScan scan_pass(const KeptTrace& kept, const ReadOptions& options, Diagnostics& diagnostics);

// The result of a scan if every record stays, without reading: all definitions are used; the
// largest record is unknown, and 0.
KeptScan assume_all_stays(const KeptTrace& kept);

}  // namespace tracefold
