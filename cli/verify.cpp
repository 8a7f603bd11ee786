#include "cli/anonymize.hpp"
#include "cli/command.hpp"
#include "cli/printing.hpp"

#include "emitters/errors/fold_error_formats.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/plan_beside.hpp"
#include "pipeline/reduce/plan_session.hpp"
#include "pipeline/verify/rule_words.hpp"
#include "pipeline/verify/verify.hpp"

#include "base/json_fields.hpp"
#include "base/json_text.hpp"
#include "base/text.hpp"
#include "base/version.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

namespace tracefold::cli {

namespace {

struct VerifyOptions {
  std::string reduced, original;
  std::string names;  // a table of codes by which the reduced trace was made; empty: names stayed
  std::optional<Format> format;
};

std::string describe_unrelated(const VerifyOptions& options) {
  const auto name = make_printable(options.reduced);
  return options.original.empty()
             ? fmt::format("{}: not reduced\n", name)
             : fmt::format("{}: not made from {}\n", name, make_printable(options.original));
}

// A line for each violation, or one line that all rules hold. `shows_all` adds a line for each
// rule, and what folding costs.
std::string to_table(const Verification& found, bool shows_all) {
  constexpr std::size_t most_lines = 20;  // of a rule
  std::string out;
  for (const auto& r : found.rules) {
    if (shows_all)
      out += fmt::format("{} {}\n", r.violations.empty() ? "ok  " : "FAIL", r.rule);
    for (std::size_t k = 0; k < std::min(r.violations.size(), most_lines); ++k)
      out += make_printable(r.violations[k]) + "\n";
    if (r.violations.size() > most_lines)
      out +=
          fmt::format("… and {} more lines, which --json has\n", r.violations.size() - most_lines);
  }

  if (found.holds())
    out += "all rules hold\n";
  if (!found.other_version.empty())
    out += fmt::format(
        "version {} wrote it, and this is version {}: it was made again from the plan beside it, "
        "and that was not derived again\n",
        make_printable(found.other_version), version);
  if (found.accuracy)
    out += fmt::format("run time when it is played from what is kept: {:.2f} % accurate\n",
                       100 * *found.accuracy);
  if (shows_all && found.errors)
    out += "\n" + fold_errors_table(*found.errors);

  return out;
}

// A line for each violation, and one for each rule that holds. Where another version wrote the
// trace, the rule that compares its plan was not checked: its line has no answer. Then the errors
// of the fold that are known, each as a share.
std::string to_csv(const Verification& found) {
  std::string out = "rule,holds,violation,error\r\n";
  for (const auto& r : found.rules) {
    if (r.violations.empty())
      out += fmt::format("{},true,,\r\n", quote_csv(r.rule));
    for (const auto& violation : r.violations)
      out += fmt::format("{},false,{},\r\n", quote_csv(r.rule), quote_csv(violation));
  }
  if (!found.other_version.empty())
    out += fmt::format("{},,{},\r\n", rule_words::plan_fields,
                       quote_csv("version " + found.other_version + " wrote it"));
  if (found.errors)
    out += fold_errors_csv(*found.errors);
  if (found.accuracy)
    out += fmt::format("error of run time when it is played,,,{:.6g}\r\n", 1 - *found.accuracy);

  return out;
}

std::string to_json(const Verification& found) {
  auto rules = nlohmann::ordered_json::array();
  for (const auto& r : found.rules)
    rules.push_back(
        {{"rule", r.rule}, {"holds", r.violations.empty()}, {"violations", r.violations}});

  nlohmann::ordered_json out{{"tracefold_verify", 1}, {"holds", found.holds()}, {"rules", rules}};
  out["made_again"] = found.was_made_again;
  if (!found.other_version.empty())
    out["other_version"] = found.other_version;
  if (found.errors)
    out["errors"] = *found.errors;
  if (found.accuracy)
    out["accuracy"] = *found.accuracy;

  return write_json_text(out);
}

// The archives that the reduced trace was made of, put together as they were then; those below a
// folder where it does not tell.
std::shared_ptr<const Archive> open_folder(const Session& session, const VerifyOptions& options,
                                           const Archive& reduced, Diagnostics& diagnostics) {
  const auto& general = session.options();
  const bool is_asked =
      !general.of_archives.clocks.empty() || !general.of_archives.rank_from.empty();
  if (const auto beside = read_plan_beside(reduced);
      !is_asked && beside.plan && !beside.plan->trace.parts.empty())
    return open_as_one(options.original, beside.plan->trace.parts, diagnostics);
  return general.as_one
             ? open_as_one(options.original, general.of_archives, general.partial, diagnostics)
             : open_trace(options.original, diagnostics);
}

std::shared_ptr<const Archive> open_original(const Session& session, const VerifyOptions& options,
                                             const Archive& reduced) {
  Diagnostics quiet;  // the original's oddities were told when it was reduced
  std::error_code unknown;
  auto original = std::filesystem::is_directory(options.original, unknown)
                      ? open_folder(session, options, reduced, quiet)
                      : open_trace(options.original, quiet);
  if (options.names.empty())
    return original;

  auto codes = read_name_codes(options.names);
  if (!codes)
    throw Error(ErrorKind::input, "no such file")
        .in(options.names)
        .hint("--anonymize names the table that 'reduce --anonymize' wrote");

  return replace_names(std::move(original), *codes);
}

// Notes on stderr: which trace or table to give, and what was not checked.
void add_hints(const Session& session, const VerifyOptions& options, const Archive& reduced,
               const Verification& found) {
  const auto name = make_printable(options.reduced);
  if (!found.code.empty())
    session.note(fmt::format("names in {} are codes{}", name,
                             options.names.empty()
                                 ? ": --anonymize TABLE checks them, with the table that 'reduce "
                                   "--anonymize' wrote"
                                 : " of another table than --anonymize names"));
  if (!found.was_reduced)
    session.note(
        fmt::format("{} was not reduced: give the reduced trace first, and its original "
                    "after --against",
                    name));
  else if (!found.is_related && count_reductions(reduced.facts()) > 1)
    session.note(
        fmt::format("{} was reduced more than once: give --against the trace that it was "
                    "made from last",
                    name));
  else if (!found.is_related)
    session.note(
        fmt::format("give --against the original that {} was made from, as it was then", name));
  else if (options.original.empty())
    session.note("only its structure was checked: --against ORIGINAL makes it again and compares");
}

std::string list_what_is_checked() {
  std::string out = "What is checked of the trace alone:\n";
  for (const auto* rule : rule_words::structure)
    out += fmt::format("  * {}\n", rule);
  return out +
         "With --against the trace is made again from the plan beside it and compared with\n"
         "what is there. The plan is derived from the original again only to compare it.\n"
         "-v lists what was checked.\n\n";
}

int run_verify(Session& session, const VerifyOptions& options) {
  if (options.reduced.empty())
    throw Error(ErrorKind::usage, "no trace is given")
        .hint("as in 'tracefold verify small/traces.otf2 --against app/traces.otf2'");
  if (options.original.empty() && session.options().as_one)
    throw Error(ErrorKind::usage, "--as-one is for a comparison with the archives")
        .hint("give their folder after --against");
  if (options.original.empty() && !options.names.empty())
    throw Error(ErrorKind::usage, "--anonymize is for a comparison with the original")
        .hint("give it after --against");

  session.name_trace(options.reduced);
  const auto reduced = open_trace(options.reduced, session.diagnostics);
  const auto original =
      options.original.empty() ? nullptr : open_original(session, options, *reduced);
  const auto reading = session.context().read_as(original ? "verify" : "structure");
  const auto found = original ? verify(*reduced, *original, reading, session.diagnostics)
                              : verify_structure(*reduced, reading, session.diagnostics);
  print_as(
      session, options.format,
      [&] {
        return found.is_related ? to_table(found, session.options().verbose)
                                : describe_unrelated(options);
      },
      [&] { return to_csv(found); }, [&] { return to_json(found); });
  add_hints(session, options, *reduced, found);

  return found.holds() ? 0 : static_cast<int>(ErrorKind::no);
}

}  // namespace

void add_verify(Commands& commands) {
  auto options = std::make_shared<VerifyOptions>();
  auto* command =
      commands.add("verify", "Check a reduced trace, alone and against its original.",
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
  command->footer(list_what_is_checked() + command->get_footer());
}

}  // namespace tracefold::cli
