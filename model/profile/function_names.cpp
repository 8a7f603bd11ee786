#include "model/profile/function_names.hpp"

#include "base/ranges.hpp"
#include "base/spelling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <unordered_map>

namespace tracefold {

namespace {

constexpr std::string_view file_mark = "file:";

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

// As many parts of the path of a file as no other one of these files ends with.
std::string shorten_file(const std::string& file, const std::set<std::string>& files) {
  for (std::size_t parts = 1;; ++parts) {
    auto end = take_last_parts(file, parts);
    const auto has_it = [&](const std::string& other) {
      return take_last_parts(other, parts) == end;
    };
    if (end == file || std::count_if(files.begin(), files.end(), has_it) == 1)
      return end;
  }
}

// Functions of one name.
void tell_apart(const std::vector<Function*>& namesakes) {
  std::set<std::string> files;
  for (const auto* function : namesakes)
    files.insert(function->file);

  for (auto* function : namesakes) {
    const auto count = [&](const auto& is_like) {
      return std::count_if(namesakes.begin(), namesakes.end(), [&](const auto* other) {
        return other->file == function->file && is_like(*other);
      });
    };
    const auto in_file = count([](const auto&) { return true; });
    const auto at_line = count([&](const auto& other) { return other.line == function->line; });

    auto place = function->file.empty() ? "" : shorten_file(function->file, files);
    if (in_file > at_line && function->line != 0)
      place += fmt::format(":{}", function->line);
    if (at_line > 1 && !function->canonical.empty())
      place += (place.empty() ? "" : ", ") + function->canonical;
    if (!place.empty())
      function->distinct_name = fmt::format("{} ({})", function->name, place);
  }
}

}  // namespace

void tell_apart(std::vector<Function>& functions) {
  std::unordered_map<std::string_view, std::vector<Function*>> by_name;
  for (auto& function : functions) {
    function.distinct_name.clear();
    by_name[function.name].push_back(&function);
  }

  for (const auto& [name, namesakes] : by_name)
    if (namesakes.size() > 1)
      tell_apart(namesakes);
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

}  // namespace tracefold
