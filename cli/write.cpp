#include "cli/command.hpp"
#include "cli/ending.hpp"
#include "cli/open_plan.hpp"
#include "cli/part.hpp"
#include "cli/report_made.hpp"

#include <utility>

namespace tracefold::cli {

namespace {

struct WriteCommandOptions : TraceOptions {
  PartOptions part;
  WriteOptions write;
  FoldingOptions folding;
  std::optional<MessageChoice> messages;
  std::optional<Format> format;
};

// Where nothing is folded, all processes and iterations are there.
void check_fold(const WriteOptions& options) {
  if (options.folds)
    return;
  if (options.folding)
    throw Error(ErrorKind::usage, "--fold off keeps all iterations, and another option folds them")
        .hint("leave out --iterations and what says how");
  if (options.halo && options.halo->most_per_process > 0)
    throw Error(ErrorKind::usage,
                fmt::format("--fold off keeps all processes, and --halo {} partners of some",
                            to_text(*options.halo)))
        .hint("leave out --halo");
}

int run_write(Session& session, const WriteCommandOptions& options) {
  auto writing = options.write;
  check_output_options(writing.output, options.format.has_value());
  writing.folding = choose_folding(options.folding, writing.folding);
  writing.keeps_iterations = options.folding.off;
  check_fold(writing);
  choose_messages(options.messages, writing.halo, writing.output);
  writing.drops_messages = options.messages == MessageChoice::off;
  writing.stores_messages = options.messages && !writing.drops_messages;

  const auto use = writing.folding ? PlanUse::any : PlanUse::write;
  auto opened = open_plan(session, options, true, use);
  apply_part(opened, options.part);
  const auto made = write(std::move(opened), writing);
  report_rewrite(session, made);
  const auto summary = format_as(
      options.format, [&] { return write_ending(session, made); },
      [&] { return summarize_as_csv(made); },
      [&] { return summarize_as_json(session, "tracefold_write", made); });
  report_summary(session, summary, options.format, made.folder);

  return 0;
}

}  // namespace

void add_write(Commands& commands) {
  auto options = std::make_shared<WriteCommandOptions>();
  auto* command = commands.add("write", "Write the trace that a plan describes.",
                               "  tracefold group app/traces.otf2 | tracefold select | tracefold "
                               "write -o small\n  tracefold write -o small < plan.json",
                               options, run_write);

  add_trace_or_plan(command, *options);
  add_choice(command, "--fold", options->write.folds, {{"on", true}, {"off", false}},
             "Leave out what the plan says, or nothing")
      ->option_text("on|off");
  add_folding(command, options->folding,
              "Keep C clusters of iterations, or all (as the plan says)");
  add_messages(command, options->messages);
  add_halo(command, options->write.halo, "as the plan says");
  add_output(command, options->write.output);
  add_format(command, options->format, "The summary on stdout: table, csv or json");
  add_part(command, options->part);
}

}  // namespace tracefold::cli
