#include "cli/docs/list_options.hpp"

#include "cli/options.hpp"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace tracefold::cli {

namespace {

bool has_capitals(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return std::isupper(c); });
}

std::vector<std::string> split_choices(const std::string& text) {
  std::vector<std::string> parts{""};
  for (char c : text) {
    if (c == '|')
      parts.emplace_back();
    else
      parts.back() += c;
  }
  return parts;
}

// What help shows in capitals stands for something, and all else for itself.
void find_value(CLI::Option& option, DocumentedOption& out) {
  if (option.get_expected_max() == 0)
    return;
  out.value = option.get_option_text();
  out.kind = ValueKind::other;
  const auto offered = list_offered(option);
  out.words = offered.words;
  out.has_only_words = offered.are_all;

  bool are_all = true;
  for (const auto& part : split_choices(out.value)) {
    if (!has_capitals(part)) {
      if (offered.words.empty() && !part.empty())
        out.words.push_back(part);
      continue;
    }
    are_all = false;
    if (part.starts_with("TRACE") || part.ends_with(".otf2"))
      out.kind = ValueKind::trace;
    else if (part == "DIR")
      out.kind = ValueKind::folder;
    else if (part == "FILE" || part == "OUTPUT" || part == "PLAN" || part == "TABLE")
      out.kind = ValueKind::file;
  }
  out.has_only_words |= are_all;
  if (offered.are_all || (out.kind == ValueKind::other && !out.words.empty()))
    out.kind = ValueKind::words;
}

DocumentedOption describe(CLI::Option& option) {
  DocumentedOption out;
  out.name = "--" + option.get_lnames().front();
  if (!option.get_snames().empty())
    out.short_name = "-" + option.get_snames().front();
  out.help = option.get_description();
  out.can_repeat = option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  for (const auto* other : option.get_excludes())
    out.excludes.push_back("--" + other->get_lnames().front());
  std::sort(out.excludes.begin(), out.excludes.end());
  find_value(option, out);
  return out;
}

bool has_option(const DocumentedCommand& command, const std::string& name) {
  return std::any_of(command.options.begin(), command.options.end(),
                     [&](const DocumentedOption& option) { return option.name == name; });
}

void mark_general(std::vector<DocumentedCommand>& commands) {
  for (auto& command : commands)
    for (auto& option : command.options)
      option.is_general = std::all_of(
          commands.begin(), commands.end(),
          [&](const DocumentedCommand& other) { return has_option(other, option.name); });
}

}  // namespace

std::vector<DocumentedCommand> list_commands(CLI::App& app) {
  std::vector<DocumentedCommand> commands;
  for (auto* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    DocumentedCommand out{command->get_name(), command->get_description(), false, {}};
    std::size_t positionals = 0;
    for (auto* option : command->get_options()) {
      if (option->nonpositional())
        out.options.push_back(describe(*option));
      else
        positionals += option->get_items_expected_max() > 1 ? 2 : 1;
    }
    out.takes_several_traces = positionals > 1;
    commands.push_back(std::move(out));
  }
  mark_general(commands);
  return commands;
}

}  // namespace tracefold::cli
