#include "cli/command.hpp"

#include "pipeline/verify/verify.hpp"

#include "emitters/tables.hpp"

#include <fmt/format.h>

namespace tracefold::cli {

namespace {

struct VerifyOptions {
  std::string reduced, original;
};

int run_verify(Session& session, const VerifyOptions& options) {
  if (options.reduced.empty() || options.original.empty())
    throw Error(ErrorKind::usage, "two traces are needed")
        .hint("as in 'tracefold verify small/traces.otf2 --against app/traces.otf2'");

  Diagnostics quiet;
  const Archive original(options.original, quiet);
  const Archive reduced(options.reduced, session.diagnostics);
  const auto found = verify(reduced, original, session.read_options("verify"), session.diagnostics);
  std::string out;

  for (const auto& r : found.rules) {
    out += fmt::format("{} {}", r.violations.empty() ? "ok  " : "FAIL", r.rule);
    if (!r.violations.empty())
      out += fmt::format(": {}", printable(r.violations[0]));
    if (r.violations.size() > 1)
      out += fmt::format(" (and {} more)", r.violations.size() - 1);
    out += "\n";
  }

  session.clear_line();
  if (found.folded > 0)
    out += fmt::format("time in folded iterations: {:.2f} %\n", 100 * found.folded);

  print(out + fmt::format("time that the weighted profile puts into the wrong function: {:.2f} %\n",
                          100 * found.profile_error));

  return found.holds() ? 0 : static_cast<int>(ErrorKind::no);
}

}  // namespace

void add_verify(Commands& commands) {
  auto options = std::make_shared<VerifyOptions>();
  auto* command =
      commands.add("verify", "Check a reduced trace against its original.",
                   "  tracefold verify small/traces.otf2 --against app/traces.otf2\n  tracefold "
                   "verify small/traces.otf2 --against app/traces.otf2 && rm -r app",
                   options, run_verify);

  command->add_option("reduced", options->reduced, "Anchor file of the reduced trace")
      ->option_text("REDUCED.otf2");
  command->add_option("--against", options->original, "Anchor file of the original")
      ->option_text("ORIGINAL.otf2");
}

}  // namespace tracefold::cli
