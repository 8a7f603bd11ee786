// The options that several commands have.
//
// Each is parsed once, while the command line is read, into the value that the library
// takes. A word that means nothing throws Error(usage).
#pragma once

#include "model/plan_options.hpp"
#include "pipeline/rewrite/rewrite_pass.hpp"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace tracefold::cli {

// An option with one value, which `parse` makes of its text.
template <class Value, class Parse>
CLI::Option* add_parsed(CLI::App* command, const std::string& names, Value& value, Parse parse,
                        const std::string& help) {
  return command->add_option_function<std::string>(
      names, [&value, parse](const std::string& text) { value = parse(text); }, help);
}

// A number from 1. Throws Error(usage) that names the option.
std::size_t parse_number(const char* option, const std::string& text);

// Refuses an empty value.
CLI::Validator not_empty();

inline constexpr const char* plan_or_trace = "Anchor file of the trace (default: a plan on stdin)";

void add_trace(CLI::App* command, std::string& trace, const char* help);

// Of the commands that print a plan.
struct PlanOptions {
  std::string trace;
  bool json = false;
};
void add_plan(CLI::App* command, PlanOptions& options);

// How groups are made, and only how processes are compared.
void add_grouping(CLI::App* command, GroupOptions& options);
void add_comparison(CLI::App* command, ComparisonOptions& options);

// `representative` is the name of the option that chooses one.
void add_selection(CLI::App* command, Selection& options, const char* representative);

// Of the commands that may fold iterations on their way.
struct FoldingOptions {
  bool off = false;
  std::optional<std::size_t> max_clusters;
  std::string region;
};
void add_folding(CLI::App* command, FoldingOptions& options, const char* help);
// None where iterations are not to be folded; `otherwise` where nothing is asked for.
// Throws Error(usage) where the options contradict each other.
std::optional<FoldOptions> choose_folding(const FoldingOptions& options,
                                          const std::optional<FoldOptions>& otherwise);

enum class Format { table, csv, json };
void add_format(CLI::App* command, Format& format);
Format parse_format(const std::string& word);

// Of the commands that write a trace.
struct OutputOptions {
  std::string folder;
  RewriteOptions rewrite;
};
void add_output(CLI::App* command, OutputOptions& options);

// Throws Error(output) where the output exists and may not be replaced: early, not after
// minutes of reading.
void refuse_existing(const std::string& output, bool force);

}  // namespace tracefold::cli
