// The commands and options of the program, as its documents tell of them. Plain data.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

namespace tracefold::cli {

// What an option has as its value.
enum class ValueKind { none, words, trace, file, folder, other };

struct DocumentedOption {
  std::string name;        // "--output"
  std::string short_name;  // "-o", or empty
  std::string value;       // as help shows it, as "FILE"
  std::string help;
  ValueKind kind = ValueKind::none;
  std::vector<std::string> words;  // that the value may be
  bool has_only_words = false;     // nothing else is right
  bool can_repeat = false;
  bool is_general = false;            // all commands have it
  std::vector<std::string> excludes;  // names of other options
};

struct DocumentedCommand {
  std::string name, help;
  bool takes_several_traces = false;
  std::vector<DocumentedOption> options;
};

std::vector<DocumentedCommand> list_commands(CLI::App& app);

}  // namespace tracefold::cli
