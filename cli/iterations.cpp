#include "cli/command.hpp"
#include "cli/did_you_mean.hpp"

#include "filters/group.hpp"
#include "filters/process_loops.hpp"
#include "filters/select.hpp"
#include "pipeline/iteration_pass.hpp"

#include "emitters/folded_loops.hpp"
#include "emitters/iteration_files.hpp"
#include "emitters/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tracefold::cli {

namespace {

struct IterationsOptions : PlanOptions {
  std::string region, clusters, sweep, format;
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

std::string in_format(Format format, const Plan& plan, const std::vector<IterationSection>& sweep) {
  switch (format) {
    case Format::csv: return sweep_csv(sweep);
    case Format::json: return sweep_json(plan, sweep);
    default: return sweep_table(sweep);
  }
}

void check(const IterationsOptions& options) {
  if (options.json && (!options.format.empty() || !options.sweep.empty()))
    throw Error(ErrorKind::usage, "--json prints the plan, and --format and --sweep something else").hint("give one of them");
  if (!options.sweep.empty() && !options.clusters.empty()) throw Error(ErrorKind::usage, "--clusters and --sweep both say how many clusters").hint("give one of them");
}

// "8,16,32", ascending or not.
std::vector<std::size_t> numbers_of_clusters(const std::string& words) {
  std::vector<std::size_t> out;
  for (std::size_t begin = 0; begin <= words.size();) {
    const auto end = std::min(words.find(',', begin), words.size());
    out.push_back(clusters_of("--sweep", words.substr(begin, end - begin)));
    begin = end + 1;
  }
  return out;
}

// The loops of the kept processes, or of all where none were chosen yet.
IterationReport report_of(Session& session, Opened& opened, const std::string& region) {
  auto& plan = opened.plan;
  IterationReport report;
  const auto members = processes_to_fold(plan, opened.archive->definitions());
  report.processes = find_iterations(*opened.archive, plan, members, region, session.read_options("iterations"), session.diagnostics);
  session.verbose(fmt::format("iterations: {} processes, {:.3f} s", with_spaces(members.size()), session.seconds()));
  const bool any = std::any_of(report.processes.begin(), report.processes.end(), [](const auto& p) { return !p.loops.empty(); });
  if (!region.empty() && !any) throw no_match(plan, region);
  report.groups = agree(plan, members, report.processes);
  return report;
}

int iterations(Session& session, const IterationsOptions& options) {
  check(options);
  const auto format = format_of(options.format);
  const auto sweep = options.sweep.empty() ? std::vector<std::size_t>{} : numbers_of_clusters(options.sweep);
  FoldOptions fold{options.region};
  if (!options.clusters.empty()) fold.max_clusters = clusters_of("--clusters", options.clusters);
  auto opened = open(session, options.trace, true);
  need_profiles(session, opened);
  auto& plan = opened.plan;
  if (!plan.groups) group(plan, default_threshold);
  const auto report = report_of(session, opened, options.region);
  if (sweep.empty() && !options.format.empty()) {
    session.clear_line();
    print(in_format(format, plan, report));
    return 0;
  }
  if (!plan.representatives) select(plan, {});
  const auto reading = session.read_options("cluster");
  if (!sweep.empty()) {
    const auto sections = sweep_iterations(*opened.archive, plan, report.processes, options.region, sweep, reading, session.diagnostics);
    session.clear_line();
    print(in_format(format, plan, sections));
    return 0;
  }
  fold_iterations(*opened.archive, plan, report.processes, fold, reading, session.diagnostics);
  const auto folded = folded_table(plan);
  print_plan(session, plan, options.json, to_table(plan, report) + (folded.empty() ? "" : "\n" + folded));
  return 0;
}

}  // namespace

void add_iterations(Commands& commands) {
  auto options = std::make_shared<IterationsOptions>();
  auto* command = commands.add("iterations", "Find the iterations of loops, and those to keep.",
      "  tracefold iterations app/traces.otf2\n  tracefold iterations app/traces.otf2 --clusters 16 | tracefold write -o small", options, iterations);
  add_plan(command, *options);
  command->add_option("--region", options->region, "Take the instances of these regions as iterations")->option_text("GLOB");
  command->add_option("--clusters", options->clusters, "Clusters of iterations to make, one kept of each (64)")->option_text("C");
  command->add_option("--sweep", options->sweep, "Compare numbers of clusters, as in 8,16,32,64")->option_text("C,...");
  command->add_option("--format", options->format, "What was found or compared: table, csv or json")->option_text("FORMAT");
}

}  // namespace tracefold::cli
