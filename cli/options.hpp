// The options that several commands have.
//
// Each is parsed once, while the command line is read, into the value that the library
// takes. A word that means nothing throws Error(usage).
#pragma once

#include "model/plan_options.hpp"
#include "pipeline/rewrite/rewrite_pass.hpp"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::cli {

// An option with one value, which `parse` makes of its text.
template <class Value, class Parse>
CLI::Option* add_parsed(CLI::App* command, const std::string& names, Value& value, Parse parse,
                        const std::string& help) {
  return command->add_option_function<std::string>(
      names, [&value, parse](const std::string& text) { value = parse(text); }, help);
}

// An option that may be given several times, with one value each time.
inline CLI::Option* add_repeatable(CLI::App* command, const std::string& names,
                                   std::vector<std::string>& values, const std::string& help) {
  return command->add_option(names, values, help)->allow_extra_args(false)->take_all();
}

// "a, b or c".
std::string list_choices(const std::vector<std::string>& words);

// A number from 1. Throws Error(usage) that names the option.
std::size_t parse_number(const char* option, const std::string& text);

// What `word` means: the value beside it. Throws Error(usage) that names the option and all words.
template <class Value, std::size_t count>
Value parse_word(const char* option, const std::string& word,
                 const std::array<std::pair<const char*, Value>, count>& meanings) {
  std::vector<std::string> words;
  for (const auto& [known, value] : meanings) {
    if (word == known)
      return value;
    words.push_back(known);
  }

  throw Error(ErrorKind::usage, fmt::format("{} {}: no such choice", option, word))
      .hint(list_choices(words));
}

// Refuses an empty value.
CLI::Validator not_empty();

inline constexpr const char* plan_or_trace =
    "Anchor file; only without it a plan is read from stdin";

void add_trace(CLI::App* command, std::string& trace, const char* help);

// In which form a result is printed. `--json` is short for `--format json`.
enum class Format { table, csv, json };
Format parse_format(const std::string& word);
void add_format(CLI::App* command, std::optional<Format>& format,
                const char* help = "table (the default), csv or json");

// Where a drawing goes, in SVG.
struct DrawingOptions {
  std::string out;  // a file, or "-": stdout; empty: nothing is drawn
  bool force = false;
};
void add_drawing(CLI::App* command, DrawingOptions& options);
// Throws Error(usage) where the options contradict each other, Error(output) where the file may
// not be replaced.
void check_drawing(const DrawingOptions& options, const std::optional<Format>& format);

// Of the stages, whose JSON is the plan; it is what they print by default where stdout is
// no terminal.
struct PlanOptions {
  std::string trace;
  std::optional<Format> format;
};
void add_plan(CLI::App* command, PlanOptions& options);

// How groups are made, and only how processes are compared, which signatures are not.
void add_grouping(CLI::App* command, GroupOptions& options);
void add_comparison(CLI::App* command, ComparisonOptions& options);
// Throws Error(usage) where the options contradict each other.
void check_grouping(const GroupOptions& options);

// Whether the plan keeps messages; nothing where that was left open.
void add_messages(CLI::App* command, std::optional<bool>& keeps, const char* otherwise);

// `representative` is the name of the option that chooses one.
void add_selection(CLI::App* command, Selection& options, const char* representative);

// What the iterations are.
void add_asked_iterations(CLI::App* command, AskedIterations& asked);

// How they are folded, besides how many clusters there are.
struct FoldDetails {
  std::vector<std::uint64_t> keep;
  std::optional<MeasuredProcesses> errors;
  bool folds_unsure = false;
};
void add_fold_details(CLI::App* command, FoldDetails& details);

// Of the commands that may fold iterations on their way.
struct FoldingOptions {
  bool off = false;
  std::optional<std::size_t> max_clusters;
  AskedIterations asked;
  FoldDetails details;
};
void add_folding(CLI::App* command, FoldingOptions& options, const char* help);
// None where iterations are not to be folded; `otherwise` where nothing is asked for.
// Throws Error(usage) where the options contradict each other.
std::optional<FoldOptions> choose_folding(const FoldingOptions& options,
                                          const std::optional<FoldOptions>& otherwise);

// Of the commands that write a trace.
struct OutputOptions {
  std::string folder;
  bool dry_run = false;  // nothing is written
  RewriteOptions rewrite;
};
void add_output(CLI::App* command, OutputOptions& options);

}  // namespace tracefold::cli
