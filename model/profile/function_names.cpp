#include "model/profile/function_names.hpp"

#include "base/ranges.hpp"
#include "base/spelling.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

constexpr std::string_view file_mark = "file:";
constexpr std::size_t most_parts = 16;  // of a path

// The last parts of a path: "b/c.cpp" of "a/b/c.cpp" are two.
std::string take_last_parts(const std::string& path, std::size_t parts) {
  auto begin = path.size();
  for (std::size_t k = 0; k < parts; ++k) {
    const auto slash = begin == 0 ? std::string::npos : path.rfind('/', begin - 1);
    if (slash == std::string::npos)
      return path;
    begin = slash;
  }
  return path.substr(begin + 1);
}

// By file: as many parts of its path as no other one of these files ends with; the whole path where
// these would be very many.
std::map<std::string, std::string> shorten_files(std::set<std::string> files) {
  std::map<std::string, std::string> shortened;
  for (std::size_t parts = 1; parts < most_parts; ++parts) {
    std::map<std::string, std::size_t> ends;
    for (const auto& file : files)
      ++ends[take_last_parts(file, parts)];

    // Whole paths that others end with stay as they are.
    std::erase_if(files, [&](const auto& file) {
      auto end = take_last_parts(file, parts);
      const bool is_told = end == file || ends.at(end) == 1;
      if (is_told)
        shortened.emplace(file, std::move(end));
      return is_told;
    });
  }

  for (const auto& file : files)
    shortened.emplace(file, file);
  return shortened;
}

// Functions of one name.
void make_names_unique(const std::vector<Function*>& namesakes) {
  std::set<std::string> files;
  std::map<std::string_view, std::size_t> in_file;
  std::map<std::pair<std::string_view, std::uint64_t>, std::size_t> at_line;
  for (const auto* function : namesakes) {
    files.insert(function->file);
    ++in_file[function->file];
    ++at_line[{function->file, function->line}];
  }
  const auto shortened = shorten_files(std::move(files));

  for (auto* function : namesakes) {
    const auto here = at_line.at({function->file, function->line});
    auto place = shortened.at(function->file);
    if (in_file.at(function->file) > here && function->line != 0)
      place += fmt::format(":{}", function->line);
    if (here > 1 && !function->canonical.empty())
      place += (place.empty() ? "" : ", ") + function->canonical;
    if (!place.empty())
      function->distinct_name = fmt::format("{} ({})", function->name, place);
  }
}

}  // namespace

void make_names_unique(std::vector<Function>& functions) {
  std::unordered_map<std::string_view, std::vector<Function*>> by_name;
  for (auto& function : functions) {
    function.distinct_name.clear();
    by_name[function.name].push_back(&function);
  }

  for (const auto& [name, namesakes] : by_name)
    if (namesakes.size() > 1)
      make_names_unique(namesakes);
}

bool matches_function(std::string_view pattern, const Function& function) {
  if (!pattern.starts_with(file_mark))
    return matches_glob(pattern, function.name);
  if (function.file.empty())
    return false;

  pattern.remove_prefix(file_mark.size());
  const bool is_of_last_part = pattern.find('/') == std::string_view::npos;
  return matches_glob(pattern, function.file) ||
         (is_of_last_part && matches_glob(pattern, take_last_parts(function.file, 1)));
}

bool matches_any(const std::vector<std::string>& patterns, const Function& function) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const auto& pattern) { return matches_function(pattern, function); });
}

std::string suggest_function(const std::string& pattern, const std::vector<Function>& functions) {
  const bool is_of_files = pattern.starts_with(file_mark);
  std::set<std::string> names;
  for (const auto& function : functions)
    if (!is_of_files)
      names.insert(function.name);
    else if (!function.file.empty())
      names.insert(std::string(file_mark) + take_last_parts(function.file, 1));

  return suggest_pattern(pattern, {names.begin(), names.end()});
}

std::vector<std::string> describe_idle_patterns(const std::vector<std::string>& patterns,
                                                const std::vector<Function>& functions,
                                                const std::string& purpose) {
  constexpr std::size_t most_described = 8;
  std::vector<std::string> idle;
  for (const auto& pattern : patterns)
    if (std::none_of(functions.begin(), functions.end(),
                     [&](const auto& function) { return matches_function(pattern, function); }))
      idle.push_back(pattern);
  if (idle.size() > most_described)
    return {fmt::format("no function matches '{}' and {} more, which are to be {}", idle.front(),
                        idle.size() - 1, purpose)};

  for (auto& pattern : idle) {
    const auto hint = suggest_function(pattern, functions);
    pattern = fmt::format("no function matches '{}', which is to be {}{}", pattern, purpose,
                          hint.empty() ? hint : " (" + hint + ")");
  }
  return idle;
}

namespace {

// Where the list of parameters begins: at the first bracket that is in no template's arguments and
// begins no part of the name, as that of "(anonymous namespace)::run" does. The end where there is
// none.
std::size_t find_parameters(std::string_view name) {
  int depth = 0;
  for (std::size_t at = 0; at < name.size(); ++at) {
    const char c = name[at];
    if (c == '<')
      ++depth;
    else if (c == '>' && depth > 0)
      --depth;
    else if (c == '(' && depth == 0 && at > 0 && name[at - 1] != ':' && name[at - 1] != ' ' &&
             !name.substr(0, at).ends_with("operator"))
      return at;
  }
  return name.size();
}

std::string leave_out_arguments(std::string_view name) {
  std::string out;
  int depth = 0;
  for (const char c : name) {
    if (c == '<' && depth++ == 0)
      out += "<…";
    if (c == '>' && depth > 0)
      --depth;
    if (depth == 0)
      out += c;
  }
  return depth == 0 ? out : std::string(name);  // "operator<" has no brackets
}

}  // namespace

std::string shorten_function_name(const std::string& name) {
  auto out = make_printable(name);
  if (measure_width(out) <= longest_short_name)
    return out;

  out.resize(find_parameters(out));
  if (out.find("operator") == std::string::npos)
    out = leave_out_arguments(out);
  if (const auto space = out.rfind(' ');  // what it returns
      space != std::string::npos && out.find('(') == std::string::npos)
    out = out.substr(space + 1);

  constexpr std::string_view mark = "…";
  while (measure_width(out) > longest_short_name) {
    const auto scope = out.find("::", out.starts_with(mark) ? mark.size() + 2 : 0);
    if (scope == std::string::npos)
      break;
    out = std::string(mark) + out.substr(scope);
  }
  return shorten(out, longest_short_name);
}

}  // namespace tracefold
