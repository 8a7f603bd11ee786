// reduce: a trace in, a small one out that stands for it. The whole way in one call, for programs
// that embed it:
//
//   tracefold::Diagnostics diagnostics;
//   tracefold::Context context{diagnostics};
//   context.progress = [&](const std::string& pass, std::size_t done, std::size_t all) { … };
//
//   tracefold::ReduceOptions options;
//   options.output.folder = "small";
//   const auto archive = tracefold::open_trace("app/traces.otf2", diagnostics);
//   const auto made = tracefold::reduce(archive, options, context);
//   // made.after.events of made.plan.trace.events, made.plan.groups, diagnostics.warnings(), …
//
// It prints nothing. It takes as many threads as oneTBB has (oneapi::tbb::global_control), and
// context.reading.memory; the result does not depend on either. It ends early, and writes nothing,
// once stop_signal (base/interrupt.hpp) is set. Errors are thrown as Error: usage where options
// contradict each other, input, output, interrupted.
#pragma once

#include "model/iterations/fold_options.hpp"
#include "model/location_list.hpp"
#include "model/plan.hpp"
#include "pipeline/iterations/fold_pass.hpp"
#include "pipeline/reduce/advise_rows.hpp"
#include "pipeline/reduce/plan_session.hpp"
#include "pipeline/rewrite/rewrite_pass.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

struct OutputOptions {
  // To make, with traces.otf2 in it; or the file for viewers, or the tar (RewriteOptions::tar).
  std::filesystem::path folder;
  // The file to make, one of those of emitters/viewers/; none: a folder is made. Nothing is written
  // beside a file: no plan, nor messages or profiles of all processes.
  std::optional<ViewFormat> view = {};
  bool dry_run = false;  // nothing is written
  RewriteOptions rewrite = {};
};

// How small a trace is to become: so many rows at most, or bytes of all files.
struct Target {
  std::size_t rows = 0;     // 0: not given
  std::uint64_t bytes = 0;  // 0: not given
};

struct ReduceOptions {
  GroupOptions grouping = {};
  KeepMessages messages = KeepMessages::where_small;
  Selection selection = {};
  LocationList always = {};  // kept, too, for themselves, beside those that the selection names
  HaloOptions halo = {};
  std::optional<FoldOptions> folding = FoldOptions{};  // none: all iterations stay
  // Choose how many processes and iterations stay, and which, whatever the selection and folding
  // say of it.
  std::optional<Target> to = {};
  std::optional<Accuracy> accuracy = {};
  // A reduced trace or a plan of one, of another run: groups, representatives and iterations are
  // those of it, whatever the options above say of these; no folding folds no iterations. Empty:
  // there is none.
  std::string like = {};
  OutputOptions output = {};
};

struct WriteOptions {
  std::optional<HaloOptions> halo = {};     // none: as the plan says
  std::optional<FoldOptions> folding = {};  // none: as the plan says
  bool keeps_iterations = false;            // all of them, whatever the plan says
  // Else all processes and iterations stay, whatever the plan says: its groups only order them.
  bool folds = true;
  bool stores_messages = false;  // of all ranks, also where the plan does not yet
  bool drops_messages = false;   // the plan does not keep them
  OutputOptions output = {};
};

// What was made of a trace.
struct Reduction {
  Plan plan;                               // which processes and iterations stay, and why
  std::uint64_t locations = 0, bytes = 0;  // of that trace
  std::uint64_t events = 0;                // of it that filters leave
  // Messages of that trace; of the first original where it was reduced itself. None where it is not
  // known.
  std::optional<std::uint64_t> sends;
  bool draws_messages = true;             // else no record of a message was to stay
  RewriteSummary after;                   // of what was written, or would be
  std::vector<GroupReason> reasons = {};  // why its groups are apart; empty where it is not known
  std::size_t lost_calls =
      0;  // pairs of caller and callee that no row shows, where rows were asked for
  // What fewer rows would give, where more than half of the bytes are left and none were asked for.
  std::optional<FewerRows> fewer = {};
  std::filesystem::path folder;  // where it is; empty where nothing was written, or to a stream
};

// What folding records of every process, where the file for it may take so many bytes, and for
// metrics of members.
RecordProgram choose_record(const Archive& archive, std::uint64_t most_profiles,
                            bool member_metrics);

// Puts what every process does into the plan, where processes or iterations are left out and a file
// for it may take any bytes, and takes it out elsewhere. Throws Error(input).
void complete_program(PlanSession& session, std::uint64_t most_bytes, bool member_metrics);

// Asks for a halo of the processes that are kept, which is found when the trace is written.
void ask_for_halo(Plan& plan, const HaloOptions& options);

// Throws Error(usage or output) where nothing could be written by these options.
void check_output(const OutputOptions& options);

// Keeps one process of each kind, and representative iterations of its loops; of the processes and
// functions that the plan's filters leave, where a plan is given. Throws Error(no), and writes
// nothing, where it cannot be as small or as accurate as asked for.
Reduction reduce(PlanSession session, const ReduceOptions& options);
Reduction reduce(std::shared_ptr<const Archive> archive, const ReduceOptions& options,
                 const Context& context);

// Writes the trace that a plan describes; without representatives every process stays.
Reduction write(PlanSession session, const WriteOptions& options);

}  // namespace tracefold
