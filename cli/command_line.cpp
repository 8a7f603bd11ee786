#include "cli/command_line.hpp"

#include "base/version.hpp"
#include "cli/help.hpp"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <memory>
#include <string>

namespace tracefold::cli {

namespace {

struct NamedCommand {
  std::string_view name;
  void (*add)(Commands&);
  bool is_first = false;  // of those that most people need
};
constexpr NamedCommand all_commands[] = {
    {"reduce", add_reduce, true},   {"report", add_report, true},   {"summary", add_summary, true},
    {"compare", add_compare, true}, {"info", add_info, true},       {"verify", add_verify, true},
    {"profile", add_profile},       {"iterations", add_iterations}, {"matrix", add_matrix},
    {"correlate", add_correlate},   {"similarity", add_similarity}, {"lattice", add_lattice},
    {"export", add_export},         {"expand", add_expand},         {"filter", add_filter},
    {"group", add_group},           {"select", add_select},         {"write", add_write},
};

}  // namespace

CommandLine::CommandLine(std::string_view only)
    : app("Makes large OTF2 traces small: finds processes that do the same work, keeps\none of "
          "each, and writes a valid OTF2 trace that says what was folded.",
          "tracefold"),
      commands{app, general, {}} {
  app.set_version_flag("-V,--version", std::string("tracefold ") + version);
  app.footer(
      "Examples:\n  tracefold reduce app/traces.otf2 -o small\n  tracefold group app/traces.otf2 | "
      "tracefold select | tracefold write -o small\n\n'tracefold help COMMAND' tells of one "
      "command.");
  app.formatter(std::make_shared<HelpFormatter>());

  for (const auto& command : all_commands)
    if (only.empty() || command.name == only) {
      command.add(commands);
      auto* added = commands.runs.back().first;
      assert(added->get_name() == command.name);
      added->group(command.is_first ? "Commands" : "More commands");
      // With --as-one, what takes one trace takes several archives.
      if (added->get_option_no_throw("anchor") && added->get_option_no_throw("--as-one") &&
          !added->get_option_no_throw("more"))
        added->add_option("others", general.of_archives.others)->group("");
    }
}

bool is_command(std::string_view word) {
  return std::any_of(std::begin(all_commands), std::end(all_commands),
                     [&](const auto& command) { return command.name == word; });
}

}  // namespace tracefold::cli
