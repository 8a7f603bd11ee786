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
};
constexpr NamedCommand all_commands[] = {
    {"reduce", add_reduce},   {"filter", add_filter},         {"group", add_group},
    {"select", add_select},   {"write", add_write},           {"similarity", add_similarity},
    {"lattice", add_lattice}, {"profile", add_profile},       {"summary", add_summary},
    {"report", add_report},   {"iterations", add_iterations}, {"correlate", add_correlate},
    {"matrix", add_matrix},   {"expand", add_expand},         {"compare", add_compare},
    {"info", add_info},       {"verify", add_verify},
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
      assert(commands.runs.back().first->get_name() == command.name);
    }
}

bool is_command(std::string_view word) {
  return std::any_of(std::begin(all_commands), std::end(all_commands),
                     [&](const auto& command) { return command.name == word; });
}

}  // namespace tracefold::cli
