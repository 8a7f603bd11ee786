#include "cli/command.hpp"
#include "cli/did_you_mean.hpp"

#include "filters/group.hpp"
#include "filters/process_loops.hpp"
#include "pipeline/iteration_pass.hpp"

#include "emitters/iteration_files.hpp"
#include "emitters/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tracefold::cli {

namespace {

struct IterationsOptions {
  std::string trace, region, format;
};

// Names what is called, which is what a region may be asked for.
Error no_match(const Plan& plan, const std::string& glob) {
  std::set<std::string> called;
  for (const auto& intent : plan.intents)
    for (const auto& pair : intent.set.pairs) called.insert(plan.functions[pair.callee].name);
  return Error(ErrorKind::usage, fmt::format("--region '{}': no region that is entered matches", glob))
      .hint(did_you_mean(glob, {called.begin(), called.end()}, "use * for any text, as in --region '*" + glob + "*'"));
}

int iterations(Session& session, const IterationsOptions& options) {
  const auto format = format_of(options.format);
  auto opened = open(session, options.trace, true);
  need_profiles(session, opened);
  auto& plan = opened.plan;
  if (!plan.groups) group(plan, default_threshold);
  IterationReport report;
  report.processes = find_iterations(*opened.archive, plan, options.region, session.read_options("iterations"), session.diagnostics);
  session.verbose(fmt::format("iterations: {} processes, {:.3f} s", with_spaces(report.processes.size()), session.seconds()));
  const bool any = std::any_of(report.processes.begin(), report.processes.end(), [](const auto& p) { return !p.loops.empty(); });
  if (!options.region.empty() && !any) throw no_match(plan, options.region);
  report.groups = agree(plan, report.processes);
  session.clear_line();
  switch (format) {
    case Format::table: print(to_table(plan, report)); break;
    case Format::csv: print(to_csv(plan, report)); break;
    case Format::json: print(to_json(plan, report)); break;
  }
  return 0;
}

}  // namespace

void add_iterations(Commands& commands) {
  auto options = std::make_shared<IterationsOptions>();
  auto* command = commands.add("iterations", "Find the iterations of the main loops.",
      "  tracefold iterations app/traces.otf2\n  tracefold group app/traces.otf2 | tracefold iterations --region 'time_step*'", options, iterations);
  add_trace(command, options->trace, plan_or_trace);
  command->add_option("--region", options->region, "Take the instances of these regions")->option_text("GLOB");
  add_format(command, options->format);
}

}  // namespace tracefold::cli
