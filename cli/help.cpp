#include "cli/help.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold::cli {

namespace {

// What stands behind a command, without brackets where it cannot be left out; a line for each way
// to use it.
constexpr auto synopses = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"reduce", "TRACE.otf2... -o OUTPUT [OPTIONS]\n--epilogue DIR [OPTIONS]"},
    {"filter", "[TRACE.otf2] [OPTIONS]"},
    {"group", "[TRACE.otf2] [OPTIONS]"},
    {"select", "[TRACE.otf2] [OPTIONS]"},
    {"write", "[TRACE.otf2] -o OUTPUT [OPTIONS]"},
    {"similarity", "[TRACE.otf2...] [OPTIONS]"},
    {"lattice", "[TRACE.otf2...] [-o FILE] [OPTIONS]"},
    {"profile", "[TRACE.otf2] [OPTIONS]"},
    {"report", "TRACE.otf2... -o FILE.html [OPTIONS]"},
    {"summary", "TRACE.otf2... [OPTIONS]"},
    {"iterations", "[TRACE.otf2] [OPTIONS]"},
    {"compare",
     "A.otf2 B.otf2... [OPTIONS]\nTRACE.otf2 --between A,B [OPTIONS]\n"
     "A.otf2 [B.otf2] --align R,S [OPTIONS]"},
    {"info", "TRACE.otf2 [OPTIONS]"},
    {"correlate", "[TRACE.otf2] [OPTIONS]"},
    {"matrix", "[TRACE.otf2] [OPTIONS]"},
    {"expand", "REDUCED.otf2 -o OUTPUT [OPTIONS]"},
    {"verify", "REDUCED.otf2 [--against ORIGINAL.otf2] [OPTIONS]"},
});

// The options of commands with very many that `--help` shows.
constexpr auto first_options = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"reduce",
     " --output --force --dry-run --to --iterations --always --messages --drop --keep --inside "
     "--time --iterations-only --locations --anonymize --format --as-one --quiet --help "
     "--help-all "},
});

bool is_shown(const CLI::App* command, const CLI::Option* option, CLI::AppFormatMode mode) {
  if (mode == CLI::AppFormatMode::All)
    return true;
  for (const auto& [of, options] : first_options)
    if (command->get_name() == of)
      return options.find(" --" + option->get_lnames().front() + " ") != options.npos;
  return option->get_group() != for_experts;
}

std::string list_usages(const std::string& name, std::string_view ways) {
  std::string out;
  while (!ways.empty()) {
    const auto end = std::min(ways.find('\n'), ways.size());
    out += (out.empty() ? "Usage: " : "       ") + name + " " + std::string(ways.substr(0, end)) +
           "\n";
    ways.remove_prefix(std::min(end + 1, ways.size()));
  }
  return out;
}

}  // namespace

HelpFormatter::HelpFormatter() {
  column_width(24);
}

std::string HelpFormatter::make_usage(const CLI::App* command, std::string name) const {
  if (!command->get_parent())
    return "Usage: " + name + " COMMAND [OPTIONS]\n";
  for (const auto& [of, words] : synopses)
    if (command->get_name() == of)
      return list_usages(name, words);
  return Formatter::make_usage(command, std::move(name));
}

std::string HelpFormatter::make_help(const CLI::App* command, std::string name,
                                     CLI::AppFormatMode mode) const {
  if (mode == CLI::AppFormatMode::Sub)
    return make_expanded(command);
  return make_description(command) + make_usage(command, std::move(name)) +
         make_positionals(command) + make_sections(command, mode) +
         make_subcommands(command, mode) + "\n" + make_footer(command);
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  return option->get_option_text().empty() ? std::string() : " " + option->get_option_text();
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const {
  auto words = option->get_description();
  // Flags say it of both; an option that takes a value says only what it takes. What the words name
  // already is not said again.
  if (!option->get_option_text().empty())
    return words;
  std::vector<std::string> others;
  for (const auto* other : option->get_excludes())
    if (const auto name = "--" + other->get_lnames().front(); words.find(name) == std::string::npos)
      others.push_back(name);
  std::sort(others.begin(), others.end());
  for (std::size_t k = 0; k < others.size(); ++k)
    words += (k == 0 ? "\nNot with " : k + 1 < others.size() ? ", " : " or ") + others[k];
  return words;
}

std::string HelpFormatter::make_sections(const CLI::App* command, CLI::AppFormatMode mode) const {
  auto sections = command->get_groups();
  const auto rank = [](const std::string& section) {
    return (section == for_experts) + 2 * (section == for_all_commands);
  };
  std::stable_sort(sections.begin(), sections.end(),
                   [&](const auto& a, const auto& b) { return rank(a) < rank(b); });

  std::string out;
  for (const auto& section : sections) {
    const auto options = command->get_options([&](const CLI::Option* option) {
      return option->get_group() == section && option->nonpositional() &&
             is_shown(command, option, mode);
    });
    if (!section.empty() && !options.empty())
      out += make_group(section, false, options);
  }
  return out;
}

}  // namespace tracefold::cli
