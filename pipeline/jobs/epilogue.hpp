// What is done at the end of a job: all traces below its folder are reduced, one after the other,
// each in a process of its own, so that none that crashes, or takes too much memory or time, hurts
// the others or whoever waits for the end.
//
// Several hosts may do so at once: each trace has a lock beside it (base/lock_file.hpp), and who
// meets one that is held goes on with the next trace. Nothing half made stays, however a process
// ends. Nothing is printed.
#pragma once

#include "pipeline/archives/as_one.hpp"
#include "pipeline/context.hpp"
#include "pipeline/jobs/job_outcome.hpp"
#include "pipeline/reduce/reduce.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tracefold {

struct EpilogueOptions {
  std::filesystem::path folder;
  std::chrono::milliseconds timeout = std::chrono::minutes(10);  // for all traces together
  bool deletes_originals = false;  // each once its reduced trace was verified
  // All archives below the folder are one run, which is reduced to FOLDER-small beside it.
  std::optional<AsOneOptions> as_one = {};
};

// The batch job that this process belongs to, by the environment; empty where there is none.
std::string find_job_id();

// This process yields to all others, in time of processors and of disks.
void lower_priority();

// Calls `report` for each trace as soon as it is known what became of it, or once for the folder
// where there is no trace. Ends by the timeout at the latest, and within two seconds once
// stop_signal is set. No other thread may run. Throws nothing because of what it meets.
void run_epilogue(const EpilogueOptions& options, const ReduceOptions& reduction,
                  const Context& context, const std::function<void(const JobOutcome&)>& report);

}  // namespace tracefold
