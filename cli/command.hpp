// What every command is made of: its entry in the command line with the options
// that several have, and the way from a trace or a plan to what it works on.
#pragma once

#include "cli/session.hpp"
#include "pipeline/iterations/fold_pass.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tracefold::cli {

using Run = std::function<int(Session&)>;

// The table of commands; each adds itself.
struct Commands {
  CLI::App& app;
  GeneralOptions& general;
  std::vector<std::pair<CLI::App*, Run>> runs;

  // A command with the options that all have, and how it is run with its own.
  template <class Options>
  CLI::App* add(const char* name, const char* what, const char* examples,
                std::shared_ptr<Options> options, int (*run)(Session&, const Options&)) {
    auto* command = add_with_general_options(name, what, examples);
    runs.emplace_back(command, [options, run](Session& session) { return run(session, *options); });
    return command;
  }

 private:
  CLI::App* add_with_general_options(const char* name, const char* what, const char* examples);
};

inline constexpr const char* plan_or_trace = "Anchor file of the trace (default: a plan on stdin)";

void add_trace(CLI::App* command, std::string& trace, const char* what);

// Options of the commands that print a plan.
struct PlanOptions {
  std::string trace;
  bool json = false;
};
void add_plan(CLI::App* command, PlanOptions& options);

struct GroupingOptions {
  std::optional<double> threshold;
  std::optional<std::string> by;
  bool exact = false, ignore_root = false;
  std::vector<std::string> ignore, combine;

  bool compares() const {
    return by || ignore_root || !ignore.empty() || !combine.empty();
  }  // any of add_comparison's was given
  bool groups() const { return threshold || exact || compares(); }
};
void add_grouping(CLI::App* command, GroupingOptions& options);
// Only those that say what is compared.
void add_comparison(CLI::App* command, GroupingOptions& options);
// Throws Error(usage).
void check(const GroupingOptions& options);
// What the options say of how to compare, and of what they leave open what the
// plan says. Warns of patterns that match nothing in it.
Comparison comparison_of(Session& session, const Plan& plan, const GroupingOptions& options);
// Groups the processes of a plan that has profiles as the options say alone.
void group_plan(Session& session, Plan& plan, const GroupingOptions& options);

struct SelectionOptions {
  std::string representative = "medoid", per_group = "1", always;
  bool keep_extremes = false;
};
// `representative` is what the option that chooses one is called.
void add_selection(CLI::App* command, SelectionOptions& options, const char* representative);
// Throws Error(usage).
Selection selection_of(const SelectionOptions& options);

enum class Format { table, csv, json };
void add_format(CLI::App* command, std::string& format);
// Throws Error(usage) on another word than these; "" is table.
Format format_of(const std::string& word);

// Throws Error(output) where the output exists and may not be replaced.
void refuse_existing(const std::string& out, bool force);

struct OutputOptions {
  std::string out, verify = "auto";
  bool force = false, keep_ids = false, plain_names = false;
};
void add_output(CLI::App* command, OutputOptions& options);
// Refuses early what the rewrite pass would refuse after minutes of reading. Throws Error(usage or
// output).
void check(const OutputOptions& options);
RewriteSummary write_plan(Session& session, const Archive& archive, const Plan& plan,
                          const OutputOptions& options);
std::string summary_of(const Session& session, const Archive& archive, const Plan& plan,
                       const RewriteSummary& done);

// Of options that mean something where they are given.
CLI::Validator not_empty();
// A number from 1. Throws Error(usage) that names the option.
std::size_t number_of(const char* option, const std::string& word);

struct FoldingOptions {
  std::string iterations, region;  // clusters or "off"
};
void add_folding(CLI::App* command, FoldingOptions& options, const char* otherwise);
// How to fold; none where that is off. Throws Error(usage).
std::optional<FoldOptions> folding_of(const FoldingOptions& options,
                                      std::optional<FoldOptions> otherwise);
// Their loops, by process of the plan. Throws Error(usage) where a region is asked for and none is
// entered.
std::vector<ProcessLoops> loops_of(Session& session, const Archive& archive, const Plan& plan,
                                   const std::vector<std::size_t>& members,
                                   const std::string& region);
// Finds the iterations of the kept processes, and which of them stay.
void fold_plan(Session& session, const Archive& archive, Plan& plan, const FoldOptions& options);

// A plan and the archive that it is about.
struct Opened {
  std::optional<Archive> archive;
  Plan plan;
};

// From the trace's name, or the plan on stdin. A plan's trace is opened, and
// its identity checked, where the stage reads it. Throws Error.
Opened open(Session& session, const std::string& trace, bool reads_trace);
// Reads the trace where the plan holds no profiles yet.
void need_profiles(Session& session, Opened& opened);
// With profiles: a plan that has them is taken without opening its trace.
Opened open_profiles(Session& session, const std::string& trace);
// With groups: those of the plan, or made by the options where it has none or where `anew` says so.
Opened open_groups(Session& session, const std::string& trace, const GroupingOptions& grouping,
                   bool anew = false);
// The plan, or on a terminal the table.
void print_plan(const Session& session, const Plan& plan, bool json, const std::string& table);

void add_reduce(Commands& commands);
void add_filter(Commands& commands);
void add_group(Commands& commands);
void add_select(Commands& commands);
void add_write(Commands& commands);
void add_similarity(Commands& commands);
void add_lattice(Commands& commands);
void add_pairs(Commands& commands);
void add_profile(Commands& commands);
void add_iterations(Commands& commands);
void add_info(Commands& commands);
void add_verify(Commands& commands);

}  // namespace tracefold::cli
