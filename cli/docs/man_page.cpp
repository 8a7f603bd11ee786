#include "cli/docs/man_page.hpp"

#include "base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <utility>

namespace tracefold::cli {

namespace {

std::string escape_hyphens(std::string_view text) {
  std::string out;
  for (char c : text)
    out += c == '-' ? "\\-" : std::string(1, c);
  return out;
}

// A word that is typed is bold; in others, what stands for something is italic.
std::string mark_up(std::string_view part) {
  const auto is_capital = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  std::size_t at = 0;
  while (at < part.size() && !is_capital(part[at]))
    ++at;
  if (at == part.size())
    return "\\fB" + escape_hyphens(part) + "\\fR";

  std::string out = escape_hyphens(part.substr(0, at));
  while (at < part.size()) {
    auto end = at;
    while (end < part.size() && is_capital(part[end]))
      ++end;
    if (part.substr(end).starts_with(".otf2"))
      end += 5;
    out += fmt::format("\\fI{}\\fR", part.substr(at, end - at));
    at = end;
    while (at < part.size() && !is_capital(part[at]))
      ++at;
    out += escape_hyphens(part.substr(end, at - end));
  }
  return out;
}

constexpr std::size_t most_shown_words = 6;

std::string write_value(const DocumentedOption& option) {
  auto value = option.value;
  if (option.has_only_words && option.words.size() <= most_shown_words)
    value = fmt::format("{}", fmt::join(option.words, "|"));

  std::string out;
  for (std::size_t begin = 0; begin <= value.size();) {
    const auto end = std::min(value.find('|', begin), value.size());
    out += (begin > 0 ? "|" : "") + mark_up(std::string_view(value).substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::string write_head(const DocumentedOption& option) {
  std::string out = ".TP\n";
  if (!option.short_name.empty())
    out += fmt::format("\\fB{}\\fR, ", escape_hyphens(option.short_name));
  out += fmt::format("\\fB{}\\fR", escape_hyphens(option.name));
  if (option.kind != ValueKind::none)
    out += " " + write_value(option);
  return out + "\n";
}

class ManPage {
 public:
  explicit ManPage(const std::vector<DocumentedCommand>& commands) : commands_(commands) {}

  std::string fill(const std::string& page) {
    std::string out;
    for (std::size_t begin = 0; begin < page.size();) {
      const auto end = std::min(page.find('\n', begin), page.size());
      const auto line = page.substr(begin, end - begin);
      begin = end + 1;
      if (line.starts_with("@TAKES ") && line.ends_with("@"))
        out += list_taken(line.substr(7, line.size() - 8));
      else if (line.starts_with("@OPTION ") && line.ends_with("@"))
        out += explain(line.substr(8, line.size() - 9));
      else
        out += line + "\n";
    }
    check();
    return out;
  }

 private:
  std::string list_taken(const std::string& name) {
    for (const auto& command : commands_) {
      if (command.name != name)
        continue;
      listed_.insert(name);
      std::string out;
      for (const auto& option : command.options)
        if (!option.is_general)
          out += fmt::format(".BR {} ,\n", escape_hyphens(option.name));
      return out.empty() ? "Takes what all commands take.\n"
                         : "Takes\n" + out + "and what all commands take.\n";
    }
    throw Error(ErrorKind::input, fmt::format("@TAKES {}@: no such command", name));
  }

  // `words`: an option, behind the command whose option it is where it means another thing there.
  std::string explain(const std::string& words) {
    const auto blank = words.find(' ');
    const auto name = blank == words.npos ? words : words.substr(blank + 1);
    const auto owner = blank == words.npos ? "" : words.substr(0, blank);
    const DocumentedOption* found = nullptr;
    for (const auto& command : commands_)
      for (const auto& option : command.options)
        if (option.name == name && (owner.empty() || owner == command.name)) {
          explained_.emplace(command.name, name);
          if (!found)
            found = &option;
        }
    if (name == "--version")
      return ".TP\n\\fB\\-V\\fR, \\fB\\-\\-version\\fR\n";
    if (!found)
      throw Error(ErrorKind::input, fmt::format("@OPTION {}@: no such option", words));
    return write_head(*found);
  }

  void check() const {
    for (const auto& command : commands_) {
      if (!listed_.contains(command.name))
        throw Error(ErrorKind::input, fmt::format("there is no @TAKES {}@", command.name));
      for (const auto& option : command.options)
        if (!explained_.contains({command.name, option.name}))
          throw Error(ErrorKind::input,
                      fmt::format("nothing explains {} {}: there is no @OPTION {}@", command.name,
                                  option.name, option.name));
    }
  }

  const std::vector<DocumentedCommand>& commands_;
  std::set<std::string> listed_;
  std::set<std::pair<std::string, std::string>> explained_;  // command and option
};

}  // namespace

std::string fill_man_page(const std::string& page, const std::vector<DocumentedCommand>& commands) {
  return ManPage(commands).fill(page);
}

}  // namespace tracefold::cli
