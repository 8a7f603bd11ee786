#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/part.hpp"
#include "cli/printing.hpp"

#include "filters/summary/find_causes.hpp"
#include "filters/summary/find_loss.hpp"
#include "filters/summary/measure_run.hpp"
#include "pipeline/answers/read_run_facts.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include "emitters/summary/summary_formats.hpp"
#include "model/profile/function_names.hpp"
#include "model/what_if.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold::cli {

namespace {

struct SummaryOptions {
  std::vector<std::string> traces;
  std::optional<Format> format;
  std::optional<RunPart> scope;
  PartOptions part;
  std::vector<std::string> what_if;
  SummaryView view;
};

// The command that shows more of what is lost, and what it shows.
std::string suggest_command(Loss loss) {
  switch (loss) {
    case Loss::none: return {};
    case Loss::serialisation:
    case Loss::communication: return "tracefold matrix TRACE --metric waiting (who waits for whom)";
    case Loss::transfer: return "tracefold matrix TRACE (who sends how much to whom)";
    case Loss::iterations: return "tracefold iterations TRACE (how long iterations take)";
    default: return "tracefold profile TRACE (how long processes are in each function)";
  }
}

void warn_of_unknown_functions(const std::vector<WhatIf>& asked,
                               const std::vector<Function>& functions, Diagnostics& diagnostics) {
  std::vector<std::string> patterns;
  for (const auto& one : asked)
    if (one.kind != WhatIf::Kind::network)
      patterns.push_back(one.pattern);
  for (const auto& words : describe_idle_patterns(patterns, functions, "changed"))
    diagnostics.warn(words);
}

int run_summary(Session& session, const SummaryOptions& options) {
  if (options.traces.empty())
    throw Error(ErrorKind::usage, "no trace is given")
        .hint("as in 'tracefold summary app/traces.otf2'");

  std::vector<Summary> runs;
  for (std::size_t k = 0; k < options.traces.size(); ++k) {
    session.begin_trace(k, options.traces.size());
    auto opened = open_part(session, options.traces[k], options.part);
    auto asked = choose_run_part(options.part, options.scope);
    asked.what_if = parse_what_if(options.what_if);
    const auto facts = read_run(opened, asked).facts;
    warn_of_unknown_functions(asked.what_if, facts.calls.functions, session.diagnostics);
    runs.push_back(measure_run(facts));
    find_loss(facts, runs.back());
    find_causes(facts, runs.back());
  }
  auto view = options.view;
  view.suggest = suggest_command;
  view.what_if = options.what_if;
  print_result(session, options.format, runs, view);
  return 0;
}

}  // namespace

void add_summary(Commands& commands) {
  auto options = std::make_shared<SummaryOptions>();
  auto* command =
      commands.add("summary", "Show how efficient a run is, and what costs it most.",
                   "  tracefold summary app/traces.otf2\n"
                   "  tracefold summary run4/traces.otf2 run16/traces.otf2 run64/traces.otf2",
                   options, run_summary);

  command
      ->add_option("TRACE", options->traces, "Anchor files; of several, a table beside each other")
      ->option_text("...");
  add_scope(command, options->scope);
  command->add_flag("--per-process", options->view.per_process, "Show each rank by itself");
  command
      ->add_option("--what-if", options->what_if,
                   "Play it with solve=0.5, balance:solve or network:ideal")
      ->option_text("CHANGE")
      ->allow_extra_args(false);
  add_scaling(command, options->view.scaling);
  add_format(command, options->format);
  add_part(command, options->part);

  command->footer(
      "Without --scope it is the main loop where all ranks have one, else what is\n"
      "between the end of MPI_Init and the begin of MPI_Finalize; with --time or\n"
      "--inside it is all of that part. Parallel efficiency is load balance (average\n"
      "by maximum time of ranks) times communication, which is serialisation times\n"
      "transfer (what stays and what goes on an ideal network), times I/O. From 0.8 on\n"
      "they are good. With threads, these are of the master threads, and OpenMP's is of\n"
      "all threads.\n\n" +
      command->get_footer());
}

}  // namespace tracefold::cli
