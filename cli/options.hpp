// The options that several commands have.
//
// Each is parsed once, while the command line is read, into the value that the library
// takes. A word that means nothing throws Error(usage).
#pragma once

#include "model/comparison/scaling.hpp"
#include "model/groups/row_choice.hpp"
#include "model/iterations/fold_options.hpp"
#include "model/plan_options.hpp"
#include "pipeline/reduce/reduce.hpp"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <type_traits>
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

// A number from 1. Throws Error(usage) that names the option, and what else it takes.
std::size_t parse_number(const char* option, const std::string& text, const char* otherwise = "");

// Makes bytes of a size like 512M. Returns what is wrong with it, or an empty text.
std::string make_bytes(std::string& size);

// The place of the word among these. Throws Error(usage) that names the option and all words.
std::size_t find_word(const char* option, const std::string& word,
                      const std::vector<std::string>& words);

// Checks of a value that also say which words it may be, for completions: the first refuses all
// other words, as find_word() does, and the second one nothing.
CLI::Validator one_of(const char* option, const std::vector<std::string>& words);
CLI::Validator offer(const std::vector<std::string>& words);

// What an option was given by these.
struct OfferedWords {
  std::vector<std::string> words;
  bool are_all = false;
};
OfferedWords list_offered(CLI::Option& option);

// An option whose value is one of those that words stand for. The help ends with the word of the
// value that there is, unless none stands for it.
template <class Value>
CLI::Option* add_choice(
    CLI::App* command, const char* name, Value& value,
    const std::vector<std::pair<std::string, std::type_identity_t<Value>>>& choices,
    std::string help) {
  std::vector<std::string> words;
  for (const auto& [word, meaning] : choices) {
    words.push_back(word);
    if (value == meaning)
      help += fmt::format(" ({})", word);
  }

  const auto parse = [=](const std::string& word) {
    return choices[find_word(name, word, words)].second;
  };
  return add_parsed(command, name, value, parse, help)->check(one_of(name, words));
}

// Refuses an empty value, and what is no whole number from least to most.
CLI::Validator not_empty();
CLI::Validator in_range(std::int64_t least, std::int64_t most);

inline constexpr const char* plan_or_trace = "Anchor file; without it, or -, a plan on stdin";

void add_trace(CLI::App* command, std::string& trace, const char* help);

// What a command that takes a trace or a plan reads.
struct TraceOptions {
  std::string trace;              // empty, or "-": a plan is read from stdin
  bool takes_tar = false;         // "-" may be a tar of a trace, too
  std::string moved_trace;        // where the trace of that plan is now; empty: where the plan says
  std::vector<std::string> more;  // other runs, to be compared with this one
};
void add_trace_or_plan(CLI::App* command, TraceOptions& options, const char* help = plan_or_trace);
// For commands that compare across several runs.
void add_more_runs(CLI::App* command, TraceOptions& options);

// In which form a result is printed. `--json` is short for `--format json`.
enum class Format { table, csv, json };
void add_format(CLI::App* command, std::optional<Format>& format,
                const char* help = "table (the default), csv or json");

// Which scaling it is where runs have other numbers of ranks or threads.
void add_scaling(CLI::App* command, std::optional<Scaling>& scaling);

// Where a drawing goes, in SVG.
struct DrawingOptions {
  std::string out;  // a file, or "-": stdout; empty: nothing is drawn
  bool force = false;
};
void add_drawing(CLI::App* command, DrawingOptions& options);
// Throws Error(usage) where the options contradict each other, Error(output) where the file may
// not be replaced.
void check_drawing(const DrawingOptions& options, const std::optional<Format>& format);

// The options of a stage. Its JSON is the plan, which it prints by default where stdout is no
// terminal.
struct PlanOptions : TraceOptions {
  std::optional<Format> format;
};
void add_plan(CLI::App* command, PlanOptions& options);

// What the rows of a matrix or a map are.
CLI::Option* add_rows(CLI::App* command, std::optional<RowChoice>& rows, const std::string& help);

// On which grid ranks are.
CLI::Option* add_grid(CLI::App* command, std::vector<std::size_t>& sizes);
// Throws Error(usage) where one is given, and rows are not in its order.
void check_grid(const std::vector<std::size_t>& sizes, const std::optional<RowChoice>& rows);

// How groups are made: in full, or in short for commands that only show them. It returns
// --threshold.
void add_grouping(CLI::App* command, GroupOptions& options);
CLI::Option* add_by_and_threshold(CLI::App* command, GroupOptions& options);
// How processes are compared, whichever measure compares them.
void add_shared_comparison(CLI::App* command, ComparisonOptions& options);
// And by which measure, which signatures are not.
void add_comparison(CLI::App* command, ComparisonOptions& options);

// What of messages stays: records in the trace, and what all ranks communicate in the plan.
enum class MessageChoice { drawn, stored, off };
void add_messages(CLI::App* command, std::optional<MessageChoice>& messages);
// Sets what is written, and which halo there is: messages that are not drawn need none. Throws
// Error(usage) where one is asked for all the same.
void choose_messages(const std::optional<MessageChoice>& messages, std::optional<HaloOptions>& halo,
                     OutputOptions& options);

// What folding may cost, in percent.
CLI::Option* add_accuracy(CLI::App* command, std::optional<Accuracy>& accuracy);

struct SelectionOptions {
  Selection selection;
  LocationList always = {};  // kept, too, for themselves
  std::optional<Target> to = {};
  std::optional<Accuracy> accuracy = {};
};
void add_selection(CLI::App* command, SelectionOptions& options);
// What --exact does where processes are chosen.
inline constexpr const char* one_for_each_kind =
    "One row for each kind of equal processes, odd or not";

// Throws Error(usage) where features of clusters are chosen, and there is one cluster per group.
void check_selection(const Selection& options);

// The halo where nothing was asked for: none where a number of rows or bytes is.
HaloOptions choose_halo_of(const std::optional<HaloOptions>& asked,
                           const std::optional<Target>& to);

// Which partners of kept processes stay as halo. `otherwise` is what holds without the option.
void add_halo(CLI::App* command, std::optional<HaloOptions>& options, const char* otherwise);

// What the iterations are: by a region, or by where they begin.
std::array<CLI::Option*, 2> add_asked_iterations(CLI::App* command, AskedIterations& asked);

// How iterations are folded, and by which options that was said.
struct FoldingOptions {
  FoldOptions fold;
  bool off = false;                       // they are not
  const CLI::Option* clusters = nullptr;  // the one that says how many there are
  // All others, each with how it contradicts that nothing is folded.
  std::vector<std::pair<const CLI::Option*, const char*>> details = {};
};
// All but how many clusters there are.
void add_fold_details(CLI::App* command, FoldingOptions& options);

// Adds the options of the commands that may fold iterations on their way.
void add_folding(CLI::App* command, FoldingOptions& options, const std::string& help);
// None where iterations are not to be folded; `otherwise` where nothing is asked for.
// Throws Error(usage) where the options contradict each other.
std::optional<FoldOptions> choose_folding(const FoldingOptions& options,
                                          const std::optional<FoldOptions>& otherwise);

// Adds the options of the commands that write a trace.
void add_output(CLI::App* command, OutputOptions& options);
// Throws Error(usage or output) where no trace could be written by these options, together with a
// summary on stdout where a format of it was asked for.
void check_output_options(const OutputOptions& options, bool prints_summary);

}  // namespace tracefold::cli
