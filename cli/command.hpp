// The table of commands. Each command has a file of its own, with its options and the
// function that runs it; here it enters the table and gets the options that all have.
#pragma once

#include "cli/session.hpp"

#include <CLI/CLI.hpp>

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace tracefold::cli {

// Returns the exit status.
using Run = std::function<int(Session&)>;

struct Commands {
  CLI::App& app;
  GeneralOptions& general;
  std::vector<std::pair<CLI::App*, Run>> runs;

  // Adds a command that `run` runs with its own options, once they are parsed.
  template <class Options>
  CLI::App* add(const char* name, const char* what, const char* examples,
                std::shared_ptr<Options> options, int (*run)(Session&, const Options&)) {
    auto* command = add_with_general_options(name, what, examples);
    runs.emplace_back(command, [options, run](Session& session) { return run(session, *options); });
    return command;
  }

 private:
  CLI::App* add_with_general_options(const char* name, const char* what, const char* examples);
  void add_as_one(CLI::App* command);
};

void add_reduce(Commands& commands);
void add_filter(Commands& commands);
void add_group(Commands& commands);
void add_select(Commands& commands);
void add_write(Commands& commands);
void add_similarity(Commands& commands);
void add_lattice(Commands& commands);
void add_profile(Commands& commands);
void add_summary(Commands& commands);
void add_report(Commands& commands);
void add_iterations(Commands& commands);
void add_correlate(Commands& commands);
void add_matrix(Commands& commands);
void add_expand(Commands& commands);
void add_export(Commands& commands);
void add_info(Commands& commands);
void add_verify(Commands& commands);
void add_compare(Commands& commands);

}  // namespace tracefold::cli
