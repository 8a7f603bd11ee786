#include "cli/command.hpp"
#include "cli/options.hpp"
#include "cli/part.hpp"
#include "cli/printing.hpp"

#include "base/spelling.hpp"
#include "base/text.hpp"
#include "emitters/comparison/alignment_drawing.hpp"
#include "emitters/comparison/alignment_formats.hpp"
#include "emitters/comparison/comparison_formats.hpp"
#include "emitters/comparison/growth_drawing.hpp"
#include "filters/comparison/align_calls.hpp"
#include "filters/comparison/find_cause.hpp"
#include "filters/comparison/find_difference.hpp"
#include "filters/comparison/find_side.hpp"
#include "filters/comparison/fit_growth.hpp"
#include "filters/comparison/picture_alignment.hpp"
#include "model/process_names.hpp"
#include "pipeline/answers/compare_iterations.hpp"
#include "pipeline/answers/read_call_tree.hpp"
#include "pipeline/answers/read_compared_run.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::cli {

namespace {

constexpr std::size_t rows_of_runs = 40;

struct CompareOptions {
  std::vector<std::string> traces;
  std::string between, align;
  Measure measure = Measure::time;
  std::optional<double> fail_over;  // percent
  std::optional<Scaling> scaling;   // none: as work tells
  DrawingOptions drawing;           // of how several runs grow
  std::optional<Format> format;
  GroupOptions grouping;
  PartOptions part;  // of each trace
};

double parse_percent(const std::string& text) {
  auto number = text;
  if (number.ends_with('%'))
    number.pop_back();
  char* end = nullptr;
  const auto percent = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0' || !(percent >= 0) || percent > 1e9)
    throw Error(ErrorKind::usage, fmt::format("--fail-over {}: no percentage", text))
        .hint("as in --fail-over 5%");
  return percent;
}

// The two lists in "group:3,rank:0-7"; a list may have commas, too. Errors name the option.
std::pair<std::string, std::string> split_lists(const char* option, const std::string& text) {
  std::vector<std::size_t> commas, before_words;
  for (auto at = text.find(','); at != std::string::npos; at = text.find(',', at + 1)) {
    commas.push_back(at);
    const auto rest = std::string_view(text).substr(at + 1);
    if (rest.starts_with("group:") || rest.starts_with("rank:") || rest.starts_with("location:"))
      before_words.push_back(at);
  }
  const auto& cuts = before_words.size() == 1 ? before_words : commas;
  if (cuts.size() != 1)
    throw Error(ErrorKind::usage, fmt::format("{} {}: not two lists", option, text))
        .hint(fmt::format("as in {} rank:0,rank:5", option));
  return {text.substr(0, cuts.front()), text.substr(cuts.front() + 1)};
}

ReadComparedRun read_part(PlanSession& opened, const CompareOptions& options, std::size_t trace) {
  return read_compared_run(opened, options.grouping, choose_run_part(options.part),
                           options.traces[trace]);
}

int run_pair(Session& session, const CompareOptions& options) {
  constexpr std::size_t parts = 3;  // the last one reads iterations of both
  session.begin_trace(0, parts);
  auto opened_a = open_part(session, options.traces[0], options.part);
  auto a = read_part(opened_a, options, 0);
  session.begin_trace(1, parts);
  auto opened_b = open_part(session, options.traces[1], options.part);
  auto b = read_part(opened_b, options, 1);

  session.begin_trace(2, parts);
  group_by_common_detail(a.run, b.run);
  const auto runs = join_runs(a.run, b.run, options.fail_over);
  auto out = compare_runs(runs, options.measure);
  const auto iterations_of = out.are_alike ? add_iterations(a, b, runs, out) : std::nullopt;
  find_cause(runs, iterations_of, out, options.scaling);

  const auto grown =
      options.fail_over ? list_grown(out, *options.fail_over) : std::vector<std::string>();
  print_as(
      session, options.format, [&] { return to_table(out, options.measure); },
      [&] { return to_csv(out); }, [&] { return to_json(out, grown); });
  constexpr std::size_t most_named = 8;
  if (!grown.empty())
    session.note(fmt::format("more than {:g} % more time in B: {}", *options.fail_over,
                             make_printable(list_some(grown, most_named))));
  return grown.empty() ? 0 : 1;
}

int run_between(Session& session, const CompareOptions& options) {
  const auto [first, second] = split_lists("--between", options.between);
  auto opened = open_part(session, options.traces[0], options.part);
  const auto run = read_part(opened, options, 0).run;
  const auto a = find_side(run.plan, first), b = find_side(run.plan, second);
  auto out = compare_processes(run, a.group, a.members, b.group, b.members, options.measure);
  find_difference(out);
  print_as(
      session, options.format, [&] { return to_table(out, options.measure); },
      [&] { return to_csv(out); }, [&] { return to_json(out, {}); });
  return 0;
}

// The same process twice where one trace is given.
int run_align(Session& session, const CompareOptions& options) {
  const auto [first, second] = split_lists("--align", options.align);
  auto opened_a = open_part(session, options.traces.front(), options.part);
  const auto a = find_aligned_process(opened_a, first);
  auto opened_b = open_part(session, options.traces.back(), options.part);
  const auto b = find_aligned_process(opened_b, second);

  const auto tree_a = read_call_tree(opened_a, a), tree_b = read_call_tree(opened_b, b);
  const auto& plan_a = opened_a.plan();
  const auto& plan_b = opened_b.plan();
  const AlignedSide side_a{tree_a, plan_a.functions, to_seconds(plan_a, 1.0)},
      side_b{tree_b, plan_b.functions, to_seconds(plan_b, 1.0)};
  CallPartners partners;
  const bool draws = !options.drawing.out.empty();
  auto out = align_calls(side_a, side_b, draws ? &partners : nullptr);
  out.process_a = name_process(plan_a.processes[a]);
  out.process_b = name_process(plan_b.processes[b]);
  if (draws) {
    put_drawing(session, options.drawing,
                to_svg(out, picture_alignment(side_a, side_b, out, partners)),
                "the drawing of both processes");
    return 0;
  }
  print_as(
      session, options.format, [&] { return to_table(out); }, [&] { return to_csv(out); },
      [&] { return to_json(out); });
  return 0;
}

void require_growth(bool is_known) {
  if (!is_known)
    throw Error(ErrorKind::usage, "-o draws how runs grow, of five numbers of ranks or more")
        .hint("give more traces, or two processes to --align");
}

int run_table(Session& session, const CompareOptions& options) {
  std::vector<ComparedRun> runs;
  for (std::size_t k = 0; k < options.traces.size(); ++k) {
    session.begin_trace(k, options.traces.size());
    auto opened = open_part(session, options.traces[k], options.part);
    runs.push_back(read_part(opened, options, k).run);
  }
  std::vector<const ComparedRun*> list;
  list.reserve(runs.size());
  for (const auto& run : runs)
    list.push_back(&run);
  const auto table = tabulate_runs(list, options.measure, options.scaling);
  if (!options.drawing.out.empty()) {
    require_growth(table.growth.has_value());
    put_drawing(session, options.drawing, to_svg(*table.growth), "the drawing of growth");
    return 0;
  }
  print_as(
      session, options.format, [&] { return to_table(table, rows_of_runs); },
      [&] { return to_csv(table); }, [&] { return to_json(table); });
  return 0;
}

void check(const CompareOptions& options) {
  const auto traces = options.traces.size();
  if (traces == 0)
    throw Error(ErrorKind::usage, "no trace is given").hint("give two traces, as A.otf2 B.otf2");
  if (!options.between.empty() && traces != 1)
    throw Error(ErrorKind::usage, "--between compares processes of one trace")
        .hint("give one trace");
  if (!options.align.empty() && traces > 2)
    throw Error(ErrorKind::usage, "--align compares two processes").hint("give one trace or two");
  if (!options.align.empty() && (!options.between.empty() || options.fail_over))
    throw Error(ErrorKind::usage, "--align goes with neither --between nor --fail-over")
        .hint("give one of them");
  if (options.between.empty() && options.align.empty() && traces == 1)
    throw Error(ErrorKind::usage, "one trace is given, and nothing to compare it with")
        .hint("give another trace, or two groups: --between group:0,group:1");
  if (options.fail_over && traces != 2)
    throw Error(ErrorKind::usage, "--fail-over compares two traces").hint("give two");
  if (!options.drawing.out.empty() && options.align.empty())
    require_growth(traces >= least_fitted_runs);
  check_drawing(options.drawing, options.format);
  check_grouping(options.grouping);
}

int run_compare(Session& session, const CompareOptions& options) {
  check(options);
  if (!options.align.empty())
    return run_align(session, options);
  return options.traces.size() == 1   ? run_between(session, options)
         : options.traces.size() == 2 ? run_pair(session, options)
                                      : run_table(session, options);
}

}  // namespace

void add_compare(Commands& commands) {
  auto options = std::make_shared<CompareOptions>();
  auto* command =
      commands.add("compare", "Say what differs between runs, or between groups of one.",
                   "  tracefold compare monday/traces.otf2 today/traces.otf2 --fail-over 5%\n"
                   "  tracefold compare app/traces.otf2 --between group:0,group:1\n"
                   "  tracefold compare a/traces.otf2 b/traces.otf2 --align rank:3,rank:3 -o a.svg",
                   options, run_compare);

  command->add_option("TRACES", options->traces, "Anchor files, of traces or reduced traces")
      ->option_text("TRACE...");
  command
      ->add_option("--between", options->between, "Compare processes of one trace: group:0,rank:5")
      ->option_text("A,B");
  command
      ->add_option("--align", options->align, "Compare two processes call by call: rank:3,rank:3")
      ->option_text("R,S")
      ->check(not_empty());
  add_choice(command, "--metric", options->measure,
             {{"time", Measure::time},
              {"visits", Measure::visits},
              {"messages", Measure::messages},
              {"bytes", Measure::bytes}},
             "Sort by time, visits, messages or bytes")
      ->option_text("METRIC");
  add_parsed(command, "--fail-over", options->fail_over, parse_percent,
             "Exit with 1 where a function takes so much more time")
      ->option_text("P%");
  add_scaling(command, options->scaling);
  add_drawing(command, options->drawing);
  add_format(command, options->format);
  add_part(command, options->part);
  add_grouping(command, options->grouping);

  command->footer(
      "A is the first trace, and B the second one. The first lines say how long both\n"
      "take, and what costs or saves most of the difference. Where they have other\n"
      "numbers of ranks or threads, it is the difference to what would be ideal.\n"
      "Values are means over processes that call a function, of it alone, without what\n"
      "it calls. The spread is that inside of groups, of the differences between\n"
      "processes of the same rank and thread, or else of the processes of both runs;\n"
      "* marks what is beyond it. Of several traces, the table has totals by function;\n"
      "of five numbers of ranks or more, it begins with the call paths that grow worst.\n"
      "--fail-over looks at the run, and at functions that take 1 % of the time of a\n"
      "group at least.\n\n" +
      command->get_footer());
}

}  // namespace tracefold::cli
