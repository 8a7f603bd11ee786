#include "cli/docs/completions.hpp"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>

namespace tracefold::cli {

namespace {

// Files that hold a trace.
constexpr const char* bash_traces = "_filedir '@(otf2|tar|gz|zst|xz|bz2)'";
constexpr const char* zsh_traces = "_files -g '*.(otf2|tar|tar.gz|tar.zst|tar.xz|tar.bz2)'";
constexpr const char* fish_traces =
    "(__fish_complete_suffix .otf2 .tar .tar.gz .tar.zst .tar.xz .tar.bz2)";

std::string quote(const std::string& text) {
  std::string out = "'";
  for (char c : text)
    out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

// With a backslash before each of these characters.
std::string escape(const std::string& text, std::string_view characters) {
  std::string out;
  for (char c : text) {
    if (characters.find(c) != characters.npos)
      out += '\\';
    out += c;
  }
  return out;
}

std::string join(const std::vector<std::string>& words, const char* between = " ") {
  return fmt::format("{}", fmt::join(words, between));
}

std::vector<std::string> list_names(const std::vector<DocumentedCommand>& commands) {
  std::vector<std::string> names;
  for (const auto& command : commands)
    names.push_back(command.name);
  return names;
}

// What bash does for the value of an option.
std::string act_in_bash(const DocumentedOption& option) {
  std::string words;
  if (!option.words.empty()) {
    words = "_tracefold_words";
    for (const auto& word : option.words)
      words += " " + quote(word);
  }

  std::string files;
  switch (option.kind) {
    case ValueKind::trace: files = bash_traces; break;
    case ValueKind::file: files = "_filedir"; break;
    case ValueKind::folder: files = "_filedir -d"; break;
    case ValueKind::none:
    case ValueKind::words:
    case ValueKind::other: return words;
  }
  return words.empty() ? files : files + "; " + words;
}

}  // namespace

std::string complete_in_bash(const std::vector<DocumentedCommand>& commands) {
  std::string options;
  std::map<std::string, std::vector<std::string>> cases;  // by what is done: COMMAND:--OPTION
  for (const auto& command : commands) {
    std::vector<std::string> names;
    for (const auto& option : command.options) {
      names.push_back(option.name);
      if (option.kind == ValueKind::none)
        continue;
      auto& patterns = cases[act_in_bash(option)];
      patterns.push_back(command.name + ":" + option.name);
      if (!option.short_name.empty())
        patterns.push_back(command.name + ":" + option.short_name);
    }
    options += fmt::format("    {}) options=\"{}\" ;;\n", command.name, join(names));
  }

  std::string values;
  for (const auto& [action, patterns] : cases)
    values +=
        fmt::format("    {}) {}{};;\n", join(patterns, " | "), action, action.empty() ? "" : " ");

  const auto names = list_names(commands);
  return fmt::format(R"(# bash completion of tracefold

# Offers those of the words that begin as the current one. Blanks in them are quoted where it does
# not begin with a quote.
_tracefold_words() {{
  local name word=${{cur#[\"\']}}
  word=${{word//\\/}}
  for name; do
    [[ $name == "$word"* ]] || continue
    [[ $cur == [\"\']* ]] || printf -v name %q "$name"
    COMPREPLY+=("$name")
  done
}}

declare -F _filedir > /dev/null || _filedir() {{
  local flag=-f
  [[ ${{1-}} == -d ]] && flag=-d
  mapfile -t COMPREPLY < <(compgen "$flag" -- "$cur")
}}

_tracefold() {{
  local cur prev words cword command="" options="" word
  if declare -F _init_completion > /dev/null; then
    _init_completion || return
  else  # without the package bash-completion
    words=("${{COMP_WORDS[@]}}") cword=$COMP_CWORD
    cur=${{words[cword]}} prev=${{words[cword - 1]}}
  fi
  local commands="{}"
  for word in "${{words[@]:1:cword-1}}"; do
    [[ " $commands help " == *" $word "* ]] && command=$word && break
  done
  COMPREPLY=()
  case $command in
    "") _tracefold_words $commands help --help --version; return ;;
    help) _tracefold_words $commands; return ;;
{}  esac
  case $command:$prev in
{}    *)
      if [[ $cur == -* ]]; then
        _tracefold_words $options
      else
        {}
      fi
      ;;
  esac
}}

complete -F _tracefold tracefold
)",
                     join(names), options, values, bash_traces);
}

namespace {

// What zsh does for a value, as the last part of an option's description.
std::string act_in_zsh(const DocumentedOption& option) {
  switch (option.kind) {
    case ValueKind::none: return "";
    case ValueKind::trace: return zsh_traces;
    case ValueKind::file: return "_files";
    case ValueKind::folder: return "_files -/";
    case ValueKind::words:
    case ValueKind::other: break;
  }
  std::vector<std::string> words;
  for (const auto& word : option.words)
    words.push_back(escape(word, " \\()|%"));
  return words.empty() ? "" : "(" + join(words) + ")";
}

std::string describe_in_zsh(const DocumentedOption& option) {
  auto excluded = option.excludes;
  if (!option.short_name.empty() && !option.can_repeat) {
    excluded.push_back(option.short_name);
    excluded.push_back(option.name);
  }
  if (option.name == "--help")
    excluded = {"-", "*"};

  std::string out;
  if (option.can_repeat)
    out += "'*'";
  else if (!excluded.empty())
    out += quote("(" + join(excluded) + ")");
  out += option.short_name.empty() ? option.name
                                   : fmt::format("{{{},{}}}", option.short_name, option.name);

  auto rest = "[" + escape(option.help, "[]\\") + "]";
  if (option.kind != ValueKind::none)
    rest += ":" + escape(option.value, ":\\") + ":" + act_in_zsh(option);
  return out + quote(rest);
}

}  // namespace

std::string complete_in_zsh(const std::vector<DocumentedCommand>& commands) {
  std::string names, cases;
  for (const auto& command : commands) {
    names += "    " + quote(command.name + ":" + command.help) + "\n";
    cases += fmt::format("    {})\n      _arguments -s \\\n", command.name);
    for (const auto& option : command.options)
      cases += "        " + describe_in_zsh(option) + " \\\n";
    cases += fmt::format(
        "        {} ;;\n",
        quote(fmt::format("{}:trace:{}", command.takes_several_traces ? "*" : "", zsh_traces)));
  }

  return fmt::format(R"(#compdef tracefold
# zsh completion of tracefold

_tracefold() {{
  local curcontext=$curcontext state line
  local -A opt_args
  local -a commands
  commands=(
{}  )
  _arguments -C '(- *)'{{-h,--help}}'[Print this help]' \
    '(- *)'{{-V,--version}}'[Print the version]' '1: :->command' '*:: :->argument' && return
  if [[ $state == command ]]; then
    commands+=('help:Tell of one command.')
    _describe command commands
    return
  fi
  case $words[1] in
    help) _describe command commands ;;
{}  esac
}}

_tracefold "$@"
)",
                     names, cases);
}

namespace {

std::string quote_for_fish(const std::string& text) {
  return "'" + escape(text, "'\\") + "'";
}

// The ends of a line that completes the option.
std::string describe_in_fish(const DocumentedOption& option) {
  std::string out;
  if (!option.short_name.empty())
    out += " -s " + option.short_name.substr(1);
  out += " -l " + option.name.substr(2);

  std::vector<std::string> words;
  for (const auto& word : option.words)
    words.push_back(quote_for_fish(word));
  switch (option.kind) {
    case ValueKind::none: break;
    case ValueKind::trace: out += fmt::format(" -x -k -a '{}'", fish_traces); break;
    case ValueKind::file: out += " -r -F"; break;
    case ValueKind::folder: out += " -x -a '(__fish_complete_directories)'"; break;
    case ValueKind::words:
    case ValueKind::other: out += " -x"; break;
  }
  if (!words.empty())
    out += " -a " + fmt::format("\"{}\"", join(words));
  return out + " -d " + quote_for_fish(option.help) + "\n";
}

}  // namespace

std::string complete_in_fish(const std::vector<DocumentedCommand>& commands) {
  std::string out = fmt::format(R"(# fish completion of tracefold

set -l commands {}
set -l before "not __fish_seen_subcommand_from help $commands"

complete -c tracefold -f
complete -c tracefold -n "$before" -a help -d 'Tell of one command.'
complete -c tracefold -n "__fish_seen_subcommand_from help" -a "$commands"
complete -c tracefold -n "not __fish_seen_subcommand_from $commands" -s h -l help \
  -d 'Print this help'
complete -c tracefold -n "not __fish_seen_subcommand_from $commands" -s V -l version \
  -d 'Print the version'
complete -c tracefold -n "__fish_seen_subcommand_from $commands" -k -a '{}'
)",
                                join(list_names(commands)), fish_traces);
  for (const auto& command : commands)
    out += fmt::format(
        "complete -c tracefold -n \"not __fish_seen_subcommand_from help $commands\" -a {} -d {}\n",
        command.name, quote_for_fish(command.help));

  // Commands that have an option in common share a line of it, in the order in which it is first
  // met.
  std::vector<std::pair<std::string, std::vector<std::string>>> lines;
  std::map<std::string, std::size_t> places;
  for (const auto& command : commands)
    for (const auto& option : command.options) {
      auto line = describe_in_fish(option);
      const auto [at, is_new] = places.emplace(line, lines.size());
      if (is_new)
        lines.emplace_back(std::move(line), std::vector<std::string>());
      lines[at->second].second.push_back(command.name);
    }
  for (const auto& [line, names] : lines)
    out += fmt::format("complete -c tracefold -n '__fish_seen_subcommand_from {}'{}", join(names),
                       line);
  return out;
}

}  // namespace tracefold::cli
