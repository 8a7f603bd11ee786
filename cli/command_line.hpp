// All commands and their options: what the program parses, and what its documents are made of.
#pragma once

#include "cli/command.hpp"
#include "cli/session.hpp"

#include <CLI/CLI.hpp>

namespace tracefold::cli {

struct CommandLine {
  CommandLine();
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  GeneralOptions general;
  CLI::App app;
  Commands commands;
};

}  // namespace tracefold::cli
