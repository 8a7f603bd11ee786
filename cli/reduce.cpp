#include "cli/anonymize.hpp"
#include "cli/command.hpp"
#include "cli/ending.hpp"
#include "cli/epilogue.hpp"
#include "cli/open_plan.hpp"
#include "cli/output_name.hpp"
#include "cli/part.hpp"
#include "cli/report_made.hpp"

#include "base/publish.hpp"
#include "base/team.hpp"
#include "base/text.hpp"
#include "emitters/groups/group_formats.hpp"
#include "emitters/summary/summary_formats.hpp"
#include "filters/groups/group.hpp"
#include "model/iterations/fold_options.hpp"
#include "otf2/anchors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace tracefold::cli {

namespace {

struct ReduceCommandOptions : TraceOptions {
  std::vector<std::string> more;  // traces beside the first one
  PartOptions part;
  ReduceOptions reduce;
  SelectionOptions selection;
  CLI::Option* exact = nullptr;
  FoldingOptions folding;
  std::optional<HaloOptions> halo;
  std::optional<MessageChoice> messages;
  std::string names;  // a table of codes that replace names; empty: names stay
  std::optional<Format> format;
  EpilogueCommandOptions epilogue;
  // What another run decides where one is given (--like), which none of these may do then.
  std::vector<const CLI::Option*> decided_by_run;
};

std::string format_summary(const Session& session, const Reduction& made,
                           const ReduceCommandOptions& options) {
  return format_as(
      options.format, [&] { return write_ending(session, made); },
      [&] { return to_group_csv(made.plan); },
      [&] { return summarize_as_json(session, "tracefold_reduce", made); });
}

void check_like(const ReduceCommandOptions& options) {
  for (const auto* option : options.decided_by_run)
    if (option->count() > 0)
      throw Error(ErrorKind::usage,
                  fmt::format("--like takes from another run what {} says", option->get_name()))
          .hint("give one of them");
  if (!options.folding.off && options.folding.clusters->count() > 0)
    throw Error(ErrorKind::usage, "--like and --iterations both say how many iterations stay")
        .hint("give one of them, or --iterations off");
  if (!options.names.empty())
    throw Error(
        ErrorKind::usage,
        "--like writes names of another run, and --anonymize only replaces those of the trace")
        .hint("give one of them");
}

// What the options say together. Throws Error(usage) where they contradict each other.
ReduceOptions choose_reduction(const ReduceCommandOptions& options) {
  auto reduction = options.reduce;
  reduction.folding = choose_folding(options.folding, reduction.folding);
  auto halo = options.halo;
  choose_messages(options.messages, halo, reduction.output);
  reduction.selection = options.selection.selection;
  reduction.selection.keep_odd = options.exact->count() == 0;
  reduction.always = options.selection.always;
  reduction.to = options.selection.to;
  reduction.accuracy = options.selection.accuracy;
  reduction.halo = choose_halo_of(halo, reduction.to);
  if (options.messages)
    reduction.messages =
        *options.messages == MessageChoice::off ? KeepMessages::no : KeepMessages::yes;
  check_grouping(reduction.grouping);
  check_selection(reduction.selection);
  if (reduction.accuracy && !options.folding.off && options.folding.clusters->count() > 0)
    throw Error(ErrorKind::usage, "--accuracy and --iterations both say how many iterations stay")
        .hint("give one of them, or --iterations off");

  if (!reduction.like.empty())
    check_like(options);
  return reduction;
}

// No pattern with a name of the trace gets into a plan that has codes in place of names.
Reduction reduce_one(Session& session, PlanSession opened, const ReduceOptions& reduction,
                     const ReduceCommandOptions& options) {
  if (!options.names.empty())
    opened.require_matches();
  apply_part(opened, options.part);
  auto made = reduce(std::move(opened), reduction);
  report_rewrite(session, made);
  const auto& tar = reduction.output.rewrite.tar;
  if (session.options().quiet && !options.format && reduction.output.dry_run)
    print(describe_result(session, made));  // nothing else was asked for
  else if (tar && tar->stream && made.after.is_tar)
    report_summary(session, format_summary(session, made, options), std::nullopt, {});
  else if (!session.options().quiet || options.format)
    print_summary(session, format_summary(session, made, options), options.format, made.folder);
  return made;
}

// Replaces names in traces by codes of the table that the options name; without one they stay.
class NameReplacer {
 public:
  explicit NameReplacer(const ReduceCommandOptions& options) : options_(options) {
    if (options.names.empty())
      return;
    check_table(options.names, options.reduce.output.folder);
    if (!options.reduce.output.dry_run)
      decide_once(membership().team, [&] { check_file_output(options.names, true); });
    codes_ = read_name_codes(options.names).value_or(NameCodes());
    // Nobody replaces it before all have read it.
    if (auto* team = membership().team)
      team->barrier();
  }

  // The table is written before there is a trace that needs it.
  std::shared_ptr<const Archive> replace(std::shared_ptr<const Archive> archive) {
    if (options_.names.empty())
      return archive;
    archive = replace_names(std::move(archive), codes_);
    if (!options_.reduce.output.dry_run && is_first_member())
      write_name_codes(options_.names, codes_);
    return archive;
  }

 private:
  const ReduceCommandOptions& options_;
  NameCodes codes_;
};

void check_several(const ReduceCommandOptions& options) {
  const auto& output = options.reduce.output;
  if (output.folder.empty())
    check_output_options(output, false);
  if (reads_plan(options) || !options.moved_trace.empty() ||
      std::find(options.more.begin(), options.more.end(), "-") != options.more.end())
    throw Error(ErrorKind::usage, "several traces are reduced, and none of them by a plan")
        .hint("give their files only");
  if (output.view || output.rewrite.tar)
    throw Error(ErrorKind::usage, fmt::format("-o {}: several traces do not fit into one file",
                                              output.folder.string()))
        .hint("name a folder, in which each gets one of its own");
  if (options.format == Format::csv)
    throw Error(ErrorKind::usage, "--format csv is of one trace").hint("--format json is of each");
}

// One name that is mistyped is told before hours were spent on the others.
void check_are_there(const std::vector<std::string>& traces) {
  decide_once(membership().team, [&] {
    for (const auto& trace : traces) {
      std::error_code unknown;
      const auto status = std::filesystem::status(trace, unknown);
      if (status.type() == std::filesystem::file_type::not_found)
        throw Error(ErrorKind::input, "no such file").in(trace).hint("nothing was reduced");
    }
  });
}

// A folder that holds a trace is none for folders of other traces: neither is replaced then.
void check_is_no_trace(const std::filesystem::path& folder) {
  decide_once(membership().team, [&] {
    std::error_code not_there;
    if (!list_anchors(folder, not_there).empty())
      throw Error(ErrorKind::output, "is a trace; several traces go into a folder of their own")
          .in(folder.string())
          .hint("name another folder");
  });
}

// Each to a folder of its own. All names are looked at before the first trace is read.
int reduce_several(Session& session, const ReduceCommandOptions& options) {
  check_several(options);
  auto reduction = choose_reduction(options);
  auto traces = options.more;
  traces.insert(traces.begin(), options.trace);
  const auto outputs = name_outputs(traces, options.reduce.output.folder.string());
  check_are_there(traces);
  check_is_no_trace(options.reduce.output.folder);
  for (const auto& output : outputs) {
    reduction.output.folder = output;
    check_output_options(reduction.output, options.format.has_value());
  }

  NameReplacer names(options);
  const bool is_for_people = !session.options().quiet && !options.format;
  std::vector<ResultRow> results;
  for (std::size_t k = 0; k < traces.size(); ++k) {
    reduction.output.folder = outputs[k];
    if (is_for_people)
      print(fmt::format("{}{}\n\n", k == 0 ? "" : "\n", make_printable(traces[k])));
    session.begin_trace(k, traces.size());
    auto archive = names.replace(open_given_trace(session, traces[k]));
    const auto made =
        reduce_one(session, {std::move(archive), session.context()}, reduction, options);
    results.push_back(describe_in_row(name_run(traces[k]), made));
  }
  if (is_for_people)
    print("\n" + write_results(results));
  return 0;
}

int reduce_one_with_codes(Session& session, const ReduceCommandOptions& options) {
  if (reads_plan(options))
    throw Error(ErrorKind::usage, "--anonymize takes a trace, not a plan, whose names would stay")
        .hint("name the trace's file");
  const auto reduction = choose_reduction(options);

  NameReplacer names(options);
  auto archive = names.replace(open_given_trace(session, options.trace));
  reduce_one(session, {std::move(archive), session.context()}, reduction, options);
  return 0;
}

int run_reduce(Session& session, const ReduceCommandOptions& options) {
  check_epilogue(options.epilogue);
  if (membership().team && options.epilogue.is_asked_for())
    throw Error(ErrorKind::usage, "an epilogue runs on one node")
        .hint("call 'tracefold' there, or tracefold-mpi without the options of epilogues");
  if (options.epilogue.is_asked_for())
    return run_epilogue(session, options.epilogue, choose_reduction(options));
  if (options.trace.empty())
    throw Error(ErrorKind::usage, "no trace is given")
        .hint(
            "as in 'tracefold reduce app/traces.otf2 -o small', or - for a tar or a plan on stdin");
  if (!options.more.empty() && !session.options().as_one)
    return reduce_several(session, options);

  check_output_options(options.reduce.output, options.format.has_value());
  if (!options.names.empty())
    return reduce_one_with_codes(session, options);

  const auto reduction = choose_reduction(options);
  reduce_one(session, open_plan(session, options), reduction, options);
  return 0;
}

}  // namespace

void add_reduce(Commands& commands) {
  auto options = std::make_shared<ReduceCommandOptions>();
  auto* command = commands.add("reduce", "Keep one process of each kind, and write a small trace.",
                               "  tracefold reduce app/traces.otf2 -o small\n  tracefold reduce "
                               "app/traces.otf2 -o small --to 8",
                               options, run_reduce);

  auto& reduction = options->reduce;
  options->takes_tar = true;
  add_trace_or_plan(command, *options, "Anchor or tar of the trace; -: tar or plan on stdin");
  command->add_option("more", options->more, "More traces, each to OUTPUT/<its folder>")
      ->option_text("...");
  add_output(command, reduction.output);
  add_format(command, options->format, "The summary: table (the default), csv or json");
  command
      ->add_option("--anonymize", options->names, "Replace names by codes, and write TABLE of them")
      ->option_text("TABLE")
      ->check(not_empty());
  add_part(command, options->part);
  add_grouping(command, reduction.grouping);
  add_messages(command, options->messages);
  add_selection(command, options->selection);
  options->exact = command->get_option("--exact")->description(one_for_each_kind);
  add_halo(command, options->halo, "auto");
  add_folding(
      command, options->folding,
      fmt::format("Keep C clusters of iterations, or all ({})", reduction.folding->max_clusters));
  add_epilogue(command, options->epilogue);
  command->add_option("--like", reduction.like, "Groups and iterations as in another run")
      ->option_text("SMALL|PLAN")
      ->check(not_empty());
  for (const auto* name :
       {"--accuracy",       "--always",      "--begin-at",        "--by",
        "--bytes",          "--combine",     "--exact",           "--fold-unsure",
        "--ignore",         "--ignore-root", "--keep-iterations", "--level",
        "--order",          "--peers",       "--per-group",       "--region",
        "--representative", "--threshold",   "--time-features",   "--to"})
    options->decided_by_run.push_back(command->get_option(name));
}

}  // namespace tracefold::cli
