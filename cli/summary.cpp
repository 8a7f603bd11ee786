#include "cli/command.hpp"
#include "cli/open_plan.hpp"
#include "cli/printing.hpp"

#include "filters/summary/find_causes.hpp"
#include "filters/summary/find_loss.hpp"
#include "filters/summary/measure_run.hpp"
#include "pipeline/answers/read_run_facts.hpp"
#include "pipeline/reduce/plan_session.hpp"

#include "emitters/summary/summary_formats.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tracefold::cli {

namespace {

struct SummaryOptions {
  std::vector<std::string> traces;
  std::optional<Format> format;
  RunPartOptions part;
  SummaryView view;
};

RunPartOptions parse_scope(const std::string& words) {
  if (words == "loop")
    return {RunPart::loop};
  if (words == "mpi")
    return {RunPart::mpi};
  if (words == "run")
    return {RunPart::run};
  if (words.find('-') == std::string::npos)
    throw Error(ErrorKind::usage, "--scope " + words + ": no such part of the run")
        .hint("loop, mpi, run, or a part of the time, as in 2s-3.5s or 40%-60%");
  return {RunPart::window, parse_window(words), words};
}

int run_summary(Session& session, const SummaryOptions& options) {
  if (options.traces.empty())
    throw Error(ErrorKind::usage, "no trace is given")
        .hint("as in 'tracefold summary app/traces.otf2'");

  std::vector<Summary> runs;
  for (std::size_t k = 0; k < options.traces.size(); ++k) {
    session.begin_trace(k, options.traces.size());
    const auto facts = read_run_facts(open_given_trace(session, options.traces[k]), options.part,
                                      session.context());
    runs.push_back(measure_run(facts));
    find_loss(facts, runs.back());
    find_causes(facts, runs.back());
  }
  print_result(session, options.format, runs, options.view);
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
  add_parsed(command, "--scope", options->part, parse_scope,
             "loop, mpi, run, or a time as 2s-3.5s, 40%-60%")
      ->option_text("PART")
      ->check(offer({"loop", "mpi", "run"}));
  command->add_flag("--per-process", options->view.per_process, "Show each rank by itself");
  add_format(command, options->format);

  command->footer(
      "Without --scope it is the main loop where all ranks have one, else what is\n"
      "between the end of MPI_Init and the begin of MPI_Finalize. Parallel efficiency\n"
      "is load balance (average by maximum time of ranks) times communication, which is\n"
      "serialisation times transfer (what stays and what goes on an ideal network),\n"
      "times I/O. From 0.8 on they are good. With threads, these are of the master\n"
      "threads, and OpenMP's is of all threads.\n\n" +
      command->get_footer());
}

}  // namespace tracefold::cli
