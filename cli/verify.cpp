#include "cli/anonymize.hpp"
#include "cli/command.hpp"
#include "cli/printing.hpp"

#include "emitters/errors/fold_error_formats.hpp"
#include "pipeline/messages/stored_messages.hpp"
#include "pipeline/reduce/plan_session.hpp"
#include "pipeline/verify/verify.hpp"

#include "base/json_text.hpp"
#include "base/text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tracefold::cli {

namespace {

struct VerifyOptions {
  std::string reduced, original;
  std::string names;  // a table of codes by which the reduced trace was made; empty: names stayed
  std::optional<Format> format;
};

// "all 39 rules hold"
std::string count_rules(const Verification& found) {
  const auto rules = found.rules.size();
  const auto broken = static_cast<std::size_t>(
      std::count_if(found.rules.begin(), found.rules.end(),
                    [](const auto& one) { return !one.violations.empty(); }));
  if (broken == 0)
    return fmt::format("all {} rules hold\n", rules);
  return fmt::format("{} of {} rules {} not hold\n", broken, rules, broken == 1 ? "does" : "do");
}

// Where it was reduced at all, another trace is the original.
std::string tell_other_original(const VerifyOptions& options, bool is_reduced) {
  return fmt::format(
      "{}: not made from {}\n{}", make_printable(options.reduced), make_printable(options.original),
      is_reduced ? "give --against the original that it was made from, as it was then\n" : "");
}

std::string to_table(const Verification& found) {
  std::string out;
  for (const auto& r : found.rules) {
    out += fmt::format("{} {}", r.violations.empty() ? "ok  " : "FAIL", r.rule);
    if (!r.violations.empty())
      out += fmt::format(": {}", make_printable(r.violations[0]));
    if (r.violations.size() > 1)
      out += fmt::format(" (and {} more)", r.violations.size() - 1);
    out += "\n";
  }

  out += count_rules(found);
  if (!found.only_rules.empty())
    out += fmt::format("only the rules were checked: {}\n", found.only_rules);
  if (found.errors)
    out += "\n" + fold_errors_table(*found.errors);

  return out;
}

// A line for each violation; one for a rule that is kept, and one that neither holds nor does not,
// where the trace was not made again. Then one for each error of the fold that is known: a share.
std::string to_csv(const Verification& found) {
  std::string out = "rule,holds,violation,error\r\n";
  for (const auto& r : found.rules) {
    if (r.violations.empty())
      out += fmt::format("{},true,,\r\n", quote_csv(r.rule));
    for (const auto& violation : r.violations)
      out += fmt::format("{},false,{},\r\n", quote_csv(r.rule), quote_csv(violation));
  }
  if (!found.only_rules.empty())
    out += fmt::format("made again by its plan,,{},\r\n", quote_csv(found.only_rules));
  if (found.errors)
    out += fold_errors_csv(*found.errors);

  return out;
}

std::string to_json(const Verification& found) {
  auto rules = nlohmann::ordered_json::array();
  for (const auto& r : found.rules)
    rules.push_back(
        {{"rule", r.rule}, {"holds", r.violations.empty()}, {"violations", r.violations}});

  nlohmann::ordered_json out{{"tracefold_verify", 1}, {"holds", found.holds()}, {"rules", rules}};
  out["made_again"] = found.only_rules.empty();
  if (!found.only_rules.empty())
    out["only_rules_since"] = found.only_rules;
  if (found.errors)
    out["errors"] = to_json(*found.errors);

  return write_json_text(out);
}

int run_verify(Session& session, const VerifyOptions& options) {
  if (options.reduced.empty() || options.original.empty())
    throw Error(ErrorKind::usage, "two traces are needed")
        .hint("as in 'tracefold verify small/traces.otf2 --against app/traces.otf2'");

  Diagnostics quiet;
  auto original = open_trace(options.original, quiet);
  if (!options.names.empty()) {
    auto codes = read_name_codes(options.names);
    if (!codes)
      throw Error(ErrorKind::input, "no such file")
          .in(options.names)
          .hint("--anonymize names the table that 'reduce --anonymize' wrote");
    original = replace_names(std::move(original), *codes);
  }
  const auto reduced = open_trace(options.reduced, session.diagnostics);
  const auto found =
      verify(*reduced, *original, session.context().read_as("verify"), session.diagnostics);
  print_as(
      session, options.format,
      [&] {
        return found.is_related ? to_table(found)
                                : tell_other_original(options, was_reduced(*reduced));
      },
      [&] { return to_csv(found); }, [&] { return to_json(found); });
  if (!found.code.empty())
    session.note(fmt::format("names in {} are codes{}", make_printable(options.reduced),
                             options.names.empty()
                                 ? ": --anonymize TABLE checks them, with the table that 'reduce "
                                   "--anonymize' wrote"
                                 : " of another table than --anonymize names"));
  if (!found.is_related && !was_reduced(*reduced))
    session.note(
        fmt::format("{} was not reduced: give the reduced trace first, and its original "
                    "after --against",
                    make_printable(options.reduced)));

  return found.holds() ? 0 : static_cast<int>(ErrorKind::no);
}

}  // namespace

void add_verify(Commands& commands) {
  auto options = std::make_shared<VerifyOptions>();
  auto* command =
      commands.add("verify", "Check a reduced trace against its original.",
                   "  tracefold verify small/traces.otf2 --against app/traces.otf2\n  tracefold "
                   "verify small/traces.otf2 --against app/traces.otf2 --json",
                   options, run_verify);

  command->add_option("reduced", options->reduced, "Anchor file of the reduced trace")
      ->option_text("REDUCED.otf2");
  command->add_option("--against", options->original, "Anchor file of the original")
      ->option_text("ORIGINAL.otf2");
  command
      ->add_option("--anonymize", options->names,
                   "The table of names that reduce --anonymize wrote")
      ->option_text("TABLE")
      ->check(not_empty());
  add_format(command, options->format);
}

}  // namespace tracefold::cli
