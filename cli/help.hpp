// What `--help` prints: how a command is used, with what it needs, and then its options in
// sections. Options that few people need are left to `--help-all`.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace tracefold::cli {

// The sections of options that only few people need, and of those that all commands have.
inline constexpr const char* for_experts = "For experts";
inline constexpr const char* for_all_commands = "General";

class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter();  // help fits into 80 columns
  std::string make_usage(const CLI::App* command, std::string name) const override;
  // With the command's own options first, and then those that all commands have.
  std::string make_help(const CLI::App* command, std::string name,
                        CLI::AppFormatMode mode) const override;
  // What the option takes; and behind what it is for, which other options it cannot be used with.
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;

 private:
  std::string make_sections(const CLI::App* command, CLI::AppFormatMode mode) const;
};

}  // namespace tracefold::cli
