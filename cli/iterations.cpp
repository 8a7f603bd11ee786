#include "cli/command.hpp"
#include "cli/did_you_mean.hpp"

#include "filters/group.hpp"
#include "filters/process_loops.hpp"
#include "filters/select.hpp"
#include "pipeline/iteration_pass.hpp"

#include "emitters/iteration_files.hpp"
#include "emitters/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tracefold::cli {

namespace {

struct IterationsOptions : PlanOptions {
  std::string region, clusters, format;
};

// Names what is called, which is what a region may be asked for.
Error no_match(const Plan& plan, const std::string& glob) {
  std::set<std::string> called;
  for (const auto& intent : plan.intents)
    for (const auto& pair : intent.set.pairs) called.insert(plan.functions[pair.callee].name);
  return Error(ErrorKind::usage, fmt::format("--region '{}': no region that is entered matches", glob))
      .hint(did_you_mean(glob, {called.begin(), called.end()}, "use * for any text, as in --region '*" + glob + "*'"));
}

std::string in_format(Format format, const Plan& plan, const IterationReport& report) {
  switch (format) {
    case Format::csv: return to_csv(plan, report);
    case Format::json: return to_json(plan, report);
    default: return to_table(plan, report);
  }
}

int iterations(Session& session, const IterationsOptions& options) {
  if (options.json && !options.format.empty()) throw Error(ErrorKind::usage, "--json prints the plan, --format what was found").hint("give one of them");
  const auto format = format_of(options.format);
  FoldOptions fold{options.region};
  if (!options.clusters.empty()) fold.max_clusters = clusters_of("--clusters", options.clusters);
  auto opened = open(session, options.trace, true);
  need_profiles(session, opened);
  auto& plan = opened.plan;
  if (!plan.groups) group(plan, default_threshold);
  IterationReport report;
  const auto members = processes_to_fold(plan);
  report.processes = find_iterations(*opened.archive, plan, members, options.region, session.read_options("iterations"), session.diagnostics);
  session.verbose(fmt::format("iterations: {} processes, {:.3f} s", with_spaces(members.size()), session.seconds()));
  const bool any = std::any_of(report.processes.begin(), report.processes.end(), [](const auto& p) { return !p.loops.empty(); });
  if (!options.region.empty() && !any) throw no_match(plan, options.region);
  report.groups = agree(plan, members, report.processes);
  if (!options.format.empty()) {
    session.clear_line();
    print(in_format(format, plan, report));
    return 0;
  }
  if (!plan.representatives) select(plan, {});
  fold_iterations(*opened.archive, plan, report.processes, fold, session.read_options("cluster"), session.diagnostics);
  print_plan(session, plan, options.json, to_table(plan, report));
  return 0;
}

}  // namespace

void add_iterations(Commands& commands) {
  auto options = std::make_shared<IterationsOptions>();
  auto* command = commands.add("iterations", "Find the iterations of the main loops, and those to keep.",
      "  tracefold iterations app/traces.otf2\n  tracefold group app/traces.otf2 | tracefold select | tracefold iterations --clusters 16 | tracefold write -o small", options, iterations);
  add_plan(command, *options);
  command->add_option("--region", options->region, "Take the instances of these regions as iterations")->option_text("GLOB");
  command->add_option("--clusters", options->clusters, "Clusters of iterations to make, one kept of each (64)")->option_text("C");
  command->add_option("--format", options->format, "Only what was found: table, csv or json")->option_text("FORMAT");
}

}  // namespace tracefold::cli
