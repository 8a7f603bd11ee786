// One trace of a job on its way: is it ours, is it done, has somebody else the lock, reduce,
// verify, delete.
#pragma once

#include "base/lock_file.hpp"
#include "pipeline/archives/find_traces.hpp"
#include "pipeline/context.hpp"
#include "pipeline/jobs/job_outcome.hpp"
#include "pipeline/reduce/reduce.hpp"

#include <functional>

namespace tracefold {

// Reduces it to its output, and leaves the lock to be released by whoever made it. Where the
// original is to be deleted, that is done once verify() found nothing wrong, made the trace again,
// no part of the way has warned of anything, and the output is smaller; else it stays, and the
// message says why.
//
// `report` is told as soon as the output is there, since verifying may still take long. Errors are
// outcomes, not thrown.
JobOutcome reduce_found_trace(const FoundTrace& found, ReduceOptions options, bool deletes_original,
                              LockFile& lock, const Context& context,
                              const std::function<void(const JobOutcome&)>& report);

// What became of a trace that ended with this error.
JobOutcome make_outcome(const Error& problem, const std::filesystem::path& output);

}  // namespace tracefold
