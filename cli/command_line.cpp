#include "cli/command_line.hpp"

#include "base/version.hpp"
#include "cli/help.hpp"

#include <memory>
#include <string>

namespace tracefold::cli {

CommandLine::CommandLine()
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

  add_reduce(commands);
  add_filter(commands);
  add_group(commands);
  add_select(commands);
  add_write(commands);
  add_similarity(commands);
  add_lattice(commands);
  add_profile(commands);
  add_summary(commands);
  add_report(commands);
  add_iterations(commands);
  add_correlate(commands);
  add_matrix(commands);
  add_expand(commands);
  add_compare(commands);
  add_info(commands);
  add_verify(commands);
}

}  // namespace tracefold::cli
