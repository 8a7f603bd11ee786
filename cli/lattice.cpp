#include "cli/command.hpp"
#include "cli/help.hpp"
#include "cli/open_plan.hpp"
#include "cli/printing.hpp"

#include "base/publish.hpp"
#include "base/text.hpp"
#include "emitters/groups/lattice_formats.hpp"
#include "filters/groups/draw_lattice.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace tracefold::cli {

namespace {

struct LatticeCommandOptions : TraceOptions {
  std::string out;
  ComparisonOptions comparison;
  LatticeOptions lattice;
  bool force = false;
  std::optional<Format> format;
};

using Drawer = std::string (*)(const LatticeDrawing&);

std::string to_printed_table(const LatticeDrawing& drawing) {
  return to_table(drawing);
}

Drawer choose_printer(Format format) {
  switch (format) {
    case Format::csv: return to_csv;
    case Format::json: return to_json;
    case Format::table: break;
  }

  return to_printed_table;
}

// By the ending of the file's name; null for .cxt, which is no drawing.
Drawer choose_drawer(const LatticeCommandOptions& options) {
  const auto& out = options.out;
  if (out.empty())
    return choose_printer(options.format.value_or(Format::table));

  const auto ending = std::filesystem::path(out).extension();
  if (ending == ".dot" || out == "-")
    return to_dot;
  if (ending == ".svg")
    return to_svg;
  if (ending == ".json")
    return to_json;
  if (ending == ".graphml")
    return to_graphml;
  if (ending == ".cxt")
    return nullptr;

  throw Error(ErrorKind::usage, fmt::format("-o {}: the ending tells no format", out))
      .hint(".dot, .svg, .json, .graphml or .cxt");
}

// A text, and what it is of.
struct Drawn {
  std::string text, summary;
};

// `processes` is a plan, or runs.
template <class Processes>
Drawn draw(Session& session, const Plan& plan, const Processes& processes,
           const LatticeCommandOptions& options, Drawer drawer) {
  const auto comparison = choose_comparison(plan, options.comparison, session.diagnostics);
  if (!drawer)
    return {to_cxt(make_named_context(processes, comparison)),
            "context of the processes with equal sets"};
  const auto drawing = draw_lattice(processes, comparison, options.lattice, session.diagnostics);
  return {drawer(drawing), fmt::format("{}: {} nodes", describe(drawing), drawing.nodes.size())};
}

Drawn draw(Session& session, const LatticeCommandOptions& options, Drawer drawer) {
  if (compares_runs(session, options)) {
    const auto runs = open_runs(session, options);
    return draw(session, runs.all, runs, options, drawer);
  }
  auto opened = open_plan(session, options, false);
  opened.profile();
  return draw(session, opened.plan(), opened.plan(), options, drawer);
}

int run_lattice(Session& session, const LatticeCommandOptions& options) {
  if (!options.out.empty() && options.format)
    throw Error(ErrorKind::usage, "-o draws, and --format says how to print").hint("give one");

  const auto drawer = choose_drawer(options);
  if (!options.out.empty() && options.out != "-")
    check_file_output(options.out, options.force);
  const auto [text, summary] = draw(session, options, drawer);

  session.clear_line();
  if (options.out.empty() || options.out == "-") {
    print(text);
    return 0;
  }

  publish_file(options.out, text, options.force);
  session.note(fmt::format("{}, in {}", summary, make_printable(options.out)));

  return 0;
}

}  // namespace

void add_lattice(Commands& commands) {
  auto options = std::make_shared<LatticeCommandOptions>();
  auto* command =
      commands.add("lattice", "Print or draw the lattice of who does the work of whom.",
                   "  tracefold lattice app/traces.otf2 -o app.svg\n"
                   "  tracefold lattice 16/traces.otf2 64/traces.otf2 -o scale.svg\n"
                   "  tracefold lattice app/traces.otf2 --full -o - | dot -Tpdf > app.pdf",
                   options, run_lattice);

  add_trace_or_plan(command, *options);
  add_more_runs(command, *options);
  command
      ->add_option("-o,--output", options->out,
                   "Draw: .svg, .dot, .json, .graphml or .cxt; - is DOT")
      ->option_text("FILE");

  command->add_flag("--force", options->force, "Replace an existing output");
  add_format(command, options->format);
  add_comparison(command, options->comparison);
  auto* full = command->add_flag("--full", options->lattice.full,
                                 "The whole concept lattice, with its empty nodes");
  command->add_flag("--closed", options->lattice.closed,
                    "Count calls through others, too: who includes whose work");
  command->add_option("--max-nodes", options->lattice.max_nodes, "Of the whole lattice (100000)")
      ->option_text("N")
      ->check(in_range(1, 100'000'000))
      ->needs(full);

  add_choice(
      command, "--on-limit", options->lattice.on_limit,
      {{"poset", OnLimit::poset}, {"functions", OnLimit::functions}, {"fail", OnLimit::fail}},
      "Then: poset, functions or fail")
      ->option_text("WAY")
      ->group(for_experts)
      ->needs(full);
}

}  // namespace tracefold::cli
