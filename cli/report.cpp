#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/part.hpp"
#include "cli/printing.hpp"

#include "base/publish.hpp"
#include "base/text.hpp"
#include "emitters/report/report_page.hpp"
#include "emitters/summary/summary_formats.hpp"
#include "filters/comparison/compare_runs.hpp"
#include "filters/comparison/find_cause.hpp"
#include "filters/report/coarsen_maps.hpp"
#include "pipeline/answers/compare_iterations.hpp"
#include "pipeline/answers/read_compared_run.hpp"
#include "pipeline/answers/read_report.hpp"

#include <fmt/format.h>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tracefold::cli {

namespace {

struct ReportOptions {
  std::vector<std::string> traces;
  std::string against, out = "report.html";
  bool force = false, opens = false;
  PartOptions part;  // of each trace
};

void check(const ReportOptions& options) {
  if (options.traces.empty())
    throw Error(ErrorKind::usage, "no trace is given")
        .hint("as in 'tracefold report app/traces.otf2 -o report.html'");
  if (!options.against.empty() && options.traces.size() > 1)
    throw Error(ErrorKind::usage, "--against compares one trace with another one")
        .hint("give one trace, or leave --against out");
  if (options.out == "-" && options.opens)
    throw Error(ErrorKind::usage, "--open opens a file, and the page goes to stdout")
        .hint("name a file with -o");
  if (options.out == "-")
    return;

  const auto ending = to_lower(std::filesystem::path(options.out).extension().string());
  if (ending != ".html" && ending != ".htm")
    throw Error(ErrorKind::usage, fmt::format("-o {}: a report is a page of HTML", options.out))
        .hint("name a file that ends in .html");
  check_file_output(options.out, options.force);
}

// What has changed from another run to that of the page, as `compare OTHER TRACE` says it.
RunComparison compare_with(PlanSession opened_a, const RunPartOptions& part,
                           const std::string& other, PlanSession& opened_b, const ReadRun& run,
                           const std::string& trace) {
  auto a = read_compared_run(opened_a, {}, part, other);
  auto b = take_compared_run(opened_b, run, trace);

  group_by_common_detail(a.run, b.run);
  const auto runs = join_runs(a.run, b.run);
  auto out = compare_runs(runs, Measure::time);
  const auto iterations_of = out.are_alike ? add_iterations(a, b, runs, out) : std::nullopt;
  find_cause(runs, iterations_of, out);
  // A page is passed on, and tells no more of where traces lie.
  out.a.name = name_run(other);
  out.b.name = name_run(trace);
  return out;
}

// The end of a path that begins with the name of the run: a page does not tell where traces lie.
std::string shorten_path(const std::string& anchor) {
  const auto path = "/" + anchor;
  const auto at = path.rfind("/" + name_run(anchor) + "/");
  return at == path.npos ? std::filesystem::path(anchor).filename().string() : path.substr(at + 1);
}

// The command that makes a small trace, or a more accurate one; nothing where that is good.
std::string choose_remedy(const Report& report, const std::string& anchor, bool as_one) {
  if (!report.fold)
    return fmt::format("tracefold reduce {}{} -o small", quote_for_shell(shorten_path(anchor)),
                       as_one ? " --as-one" : "");
  const auto& errors = report.fold->errors;
  const bool is_good = errors && grade_rows(*errors) == ErrorGrade::good &&
                       grade_iterations(*errors) == ErrorGrade::good;
  if (is_good)
    return {};
  // Where most processes are kept, others would hardly make it more accurate.
  if (4 * report.fold->kept_processes <= 3 * report.fold->processes)
    return "tracefold reduce ORIGINAL/traces.otf2 --accuracy 5 -o better";
  return {};
}

// With maps that are coarser where the page would be very large.
std::string write_page(Report& report) {
  const TextLayoutScope no_terminal({});
  auto page = write_report_page(report);
  while (page.size() > most_page_bytes && coarsen_maps(report))
    page = write_report_page(report);
  return page;
}

// Of one that ends at once, as where there is no browser, the status is known; else it is 0.
int wait_shortly(pid_t child) {
  constexpr int tries = 20;
  int status = 0;
  for (int k = 0; k < tries && ::waitpid(child, &status, WNOHANG) == 0; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  return status;
}

// In the browser that BROWSER names, or that the desktop has.
void open_page(const std::string& page) {
  const auto* browser = std::getenv("BROWSER");
  std::string program = browser && *browser ? browser : "xdg-open";
  auto path = std::filesystem::absolute(page).string();
  const std::array<char*, 3> words{program.data(), path.data(), nullptr};
  pid_t child = 0;
  const int problem =
      ::posix_spawnp(&child, program.c_str(), nullptr, nullptr, words.data(), environ);
  if (problem != 0 || wait_shortly(child) != 0)
    throw Error(ErrorKind::output,
                fmt::format("{} cannot open {}{}", program, page,
                            problem != 0 ? std::string(": ") + std::strerror(problem) : ""))
        .hint("the page is written; BROWSER names another program");
}

int run_report(Session& session, const ReportOptions& options) {
  check(options);
  const auto parts = options.traces.size() + (options.against.empty() ? 0 : 1);
  session.begin_trace(0, parts);
  auto opened = open_part(session, options.traces.front(), options.part);
  auto part = choose_run_part(options.part);
  part.maps = RecordMaps::yes;
  part.needs_kinds = true;
  const auto run = read_run(opened, part);
  auto report = read_report(opened, run);
  report.name = name_run(options.traces.front());
  for (std::size_t k = 1; k < options.traces.size(); ++k) {
    session.begin_trace(k, parts);
    auto other = open_part(session, options.traces[k], options.part);
    report.runs.push_back(read_summary(other, choose_run_part(options.part)));
  }
  if (!options.against.empty()) {
    session.begin_trace(options.traces.size(), parts);
    report.changes = compare_with(open_part(session, options.against, options.part),
                                  choose_run_part(options.part), options.against, opened, run,
                                  options.traces.front());
  }
  report.remedy = choose_remedy(report, options.traces.front(), session.options().as_one);

  const auto page = write_page(report);

  session.clear_line();
  if (options.out == "-") {
    print(page);
    return 0;
  }
  publish_file(options.out, page, options.force);
  session.note(fmt::format("the report of {} ({}) is in {}", make_printable(report.name),
                           format_bytes(page.size()), make_printable(options.out)));
  if (options.opens)
    open_page(options.out);
  return 0;
}

}  // namespace

void add_report(Commands& commands) {
  auto options = std::make_shared<ReportOptions>();
  auto* command = commands.add(
      "report", "Write a page to look at: what costs a run most, and who.",
      "  tracefold report app/traces.otf2 --open\n"
      "  tracefold report today/traces.otf2 --against monday/traces.otf2 -o report.html\n"
      "  tracefold report run4/traces.otf2 run16/traces.otf2 -o scaling.html",
      options, run_report);

  command
      ->add_option("TRACE", options->traces, "Anchor files; of several, efficiencies side by side")
      ->option_text("...");
  command->add_option("--against", options->against, "Say what has changed since this trace")
      ->option_text("TRACE")
      ->check(not_empty());
  command->add_option("-o,--output", options->out, "The page to write (report.html); - is stdout")
      ->option_text("FILE.html");
  command->add_flag("--force", options->force, "Replace an existing output");
  command->add_flag("--open", options->opens, "Open the page in a browser");
  add_part(command, options->part);

  command->footer(
      "The page needs no network, and nothing besides itself. It begins with what\n"
      "summary says of the first trace. Efficiencies, groups and waiting are of the\n"
      "same part of the run; messages and structure are of all of it.\n\n" +
      command->get_footer());
}

}  // namespace tracefold::cli
