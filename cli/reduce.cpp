#include "cli/command.hpp"
#include "cli/stages.hpp"

#include "base/json_text.hpp"
#include "emitters/groups/group_formats.hpp"
#include "filters/groups/select.hpp"
#include "pipeline/profile/stored_aggregates.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <utility>

namespace tracefold::cli {

namespace {

struct ReduceOptions {
  std::string trace;
  GroupOptions grouping;
  std::optional<bool> messages;
  Selection selection;
  FoldingOptions folding;
  OutputOptions output;
  std::optional<Format> format;
};

std::string to_json(const Session& session, const Archive& archive, const Plan& plan,
                    const RewriteSummary& done, const std::string& folder) {
  using Json = nlohmann::ordered_json;
  auto cut = Json::object();
  for (std::size_t k = 0; k < event_kinds; ++k)
    if (done.cut[k])
      cut[std::string(event_table[k].name)] = done.cut[k];

  auto representatives = Json::array();
  for (const auto& r : *plan.representatives) {
    const auto& process = plan.processes[r.process];
    Json one{{"group", r.group}, {"location", std::to_string(process.id)}};
    if (process.rank)
      one["rank"] = *process.rank;
    one["name"] = process.name;
    one["stands_for"] = count_processes(plan, r.members);
    one["members"] = format_ids(plan, r.members);
    representatives.push_back(std::move(one));
  }

  Json output;
  if (!done.is_estimate)
    output = (std::filesystem::absolute(folder) / "traces.otf2").string();

  const auto change = [](std::uint64_t before, std::uint64_t after) {
    return Json{{"before", before}, {"after", after}};
  };
  const Json out{{"tracefold_reduce", 1},
                 {"anchor", plan.trace.anchor},
                 {"output", std::move(output)},
                 {"locations", change(archive.definitions().locations().size(), done.locations)},
                 {"events", change(plan.trace.events, done.events)},
                 {"bytes", change(archive.bytes(), done.bytes)},
                 {"seconds", session.seconds()},
                 {"groups", plan.groups->size()},
                 {"representatives", std::move(representatives)},
                 {"left_out", std::move(cut)}};

  return write_json_text(out);
}

// The trace is complete by now, so a summary that cannot be printed is no failure, unless
// a program has asked for it.
void print_summary(Session& session, const Archive& archive, const Plan& plan,
                   const RewriteSummary& done, const ReduceOptions& options) try {
  if (session.options().quiet && !options.format)
    return;

  session.clear_line();
  switch (options.format.value_or(Format::table)) {
    case Format::table:
      print(to_group_table(plan, choose_long_cells()) + "\n" +
            summarize_rewrite(session, archive, plan, done));
      break;
    case Format::csv: print(to_group_csv(plan)); break;
    case Format::json: print(to_json(session, archive, plan, done, options.output.folder)); break;
  }
} catch (Error& problem) {
  if (done.is_estimate)
    throw;
  const auto complete = fmt::format("the trace in {} is complete", options.output.folder);
  if (options.format)
    throw problem.hint(complete);
  session.diagnostics.warn(fmt::format("the summary is lost: {}; {}", problem.what(), complete));
}

int run_reduce(Session& session, const ReduceOptions& options) {
  if (options.trace.empty())
    throw Error(ErrorKind::usage, "no trace is given")
        .hint("as in 'tracefold reduce app/traces.otf2 -o small', or - for a plan on stdin");

  check_output(options.output);
  const auto fold = choose_folding(options.folding, FoldOptions{});
  check_grouping(options.grouping);
  auto opened = open(session, options.trace, true);
  const bool keeps_messages = options.messages.value_or(true);
  profile_plan(session, opened, choose_operations(options.grouping, keeps_messages));
  group_plan(session, opened, options.grouping);
  note_effect_of_merging(session, opened.plan);
  if (keeps_messages)
    keep_messages(session, opened, options.messages.has_value());
  select(opened.plan, options.selection);
  if (fold)
    fold_plan(session, *opened.archive, opened.plan, *fold);
  carry_aggregates(*opened.archive, opened.plan);

  const auto done = write_plan(session, *opened.archive, opened.plan, options.output);
  print_summary(session, *opened.archive, opened.plan, done, options);

  return 0;
}

}  // namespace

void add_reduce(Commands& commands) {
  auto options = std::make_shared<ReduceOptions>();
  auto* command = commands.add("reduce", "Keep one process of each kind, and write a small trace.",
                               "  tracefold reduce app/traces.otf2 -o small\n  tracefold reduce "
                               "app/traces.otf2 -o small --representative slowest",
                               options, run_reduce);

  add_trace(command, options->trace, "Anchor file of the trace");
  add_output(command, options->output);
  add_format(command, options->format, "The summary: table (the default), csv or json");
  add_grouping(command, options->grouping);
  add_messages(command, options->messages, "on");
  add_selection(command, options->selection, "--representative");
  add_folding(command, options->folding, "Keep C clusters of iterations, or all (64)");
}

}  // namespace tracefold::cli
