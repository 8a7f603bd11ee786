// All commands and their options: what the program parses, and what its documents are made of.
#pragma once

#include "cli/command.hpp"
#include "cli/session.hpp"

#include <CLI/CLI.hpp>

#include <string_view>

namespace tracefold::cli {

struct CommandLine {
  // With the options of one command, since making those of all takes longer than many a command;
  // with all commands where none is named.
  explicit CommandLine(std::string_view only = {});
  CommandLine(const CommandLine&) = delete;
  CommandLine& operator=(const CommandLine&) = delete;

  GeneralOptions general;
  CLI::App app;
  Commands commands;
};

bool is_command(std::string_view word);

}  // namespace tracefold::cli
