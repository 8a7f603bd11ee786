// reduce at the end of a job: its options, its log, and that it always ends with status 0.
//
// A batch system takes the failure of an epilogue for a broken node, and gives it no more jobs. So
// whatever goes wrong, even a wrong option, is told in the log and on stderr, and not by the
// status.
#pragma once

#include "model/plan_options.hpp"
#include "pipeline/jobs/epilogue.hpp"

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace tracefold::cli {

class Session;

struct EpilogueCommandOptions {
  EpilogueOptions epilogue;
  std::string log;  // a file, "-": stdout, or empty
  CLI::Option* folder = nullptr;
  // Those that mean something only with the folder, and those that mean nothing with it.
  std::vector<const CLI::Option*> details = {}, others = {};

  bool is_asked_for() const { return folder->count() > 0; }
};

// Adds the options to `reduce`, whose other options are there already.
void add_epilogue(CLI::App* command, EpilogueCommandOptions& options);

// Throws Error(usage) where options contradict each other; also where no epilogue is asked for.
void check_epilogue(const EpilogueCommandOptions& options);

// With options that were checked. Returns 0; throws Error(usage) where originals could not be
// deleted by the other options.
int run_epilogue(Session& session, const EpilogueCommandOptions& options,
                 const ReduceOptions& reduction);

// Whether these arguments ask for an epilogue, also where they cannot be parsed.
bool asks_for_epilogue(int argc, char** argv);
// Writes a line of the log on an error for which nothing was reduced, where the arguments name a
// log.
void log_failed_epilogue(int argc, char** argv, const Error& problem);

}  // namespace tracefold::cli
