#include "filters/profile/group_functions.hpp"

#include "model/profile/function_names.hpp"

#include <algorithm>
#include <cctype>
#include <map>

namespace tracefold {

namespace {

constexpr const char* unknown = "unknown";

constexpr bool opens(char c) {
  return c == '<' || c == '(' || c == '[' || c == '{';
}
constexpr bool closes(char c) {
  return c == '>' || c == ')' || c == ']' || c == '}';
}

// Without what is in angle brackets, and what follows the arguments' bracket.
std::string leave_out_brackets(std::string_view name) {
  constexpr std::string_view nameless = "(anonymous namespace)";
  std::string out;
  std::size_t depth = 0;

  for (std::size_t k = 0; k < name.size(); ++k) {
    if (depth == 0 && name.substr(k).starts_with(nameless)) {
      out += "anonymous";
      k += nameless.size() - 1;
      continue;
    }
    if (depth == 0 && name[k] == '(' && !out.empty())
      break;
    if (opens(name[k]))
      ++depth;
    else if (closes(name[k]))
      depth -= depth > 0;
    else if (depth == 0)
      out += name[k];
  }

  return out;
}

// Where the last part of a name in Python begins, "module:function"; npos: it is none.
std::size_t find_python_colon(std::string_view name) {
  if (name.find_first_of(" @") != name.npos)
    return name.npos;
  const auto at = name.rfind(':');
  const bool is_inside = at != name.npos && at > 0 && at + 1 < name.size();
  if (!is_inside || name[at - 1] == ':' ||
      std::isdigit(static_cast<unsigned char>(name[at + 1])) != 0)
    return name.npos;
  return at;
}

std::string find_library(const Function& function, const FunctionKind& kind) {
  if (!kind.is_of_program && !kind.paradigm.empty())
    return kind.paradigm;

  const auto name = find_class_name(function.name);
  if (!name.empty())
    return name.substr(0, name.find_first_of(".:"));
  if (!function.file.empty() && function.file.find_first_of("/\\.") == std::string::npos)
    return function.file;
  return "program";
}

std::string find_group_name(const Function& function, const FunctionKind& kind,
                            FunctionGrouping by) {
  switch (by) {
    case FunctionGrouping::paradigm: return kind.paradigm.empty() ? unknown : kind.paradigm;
    case FunctionGrouping::role: return kind.role.empty() ? unknown : kind.role;
    case FunctionGrouping::library: return find_library(function, kind);
    case FunctionGrouping::class_name: {
      auto name = find_class_name(function.name);
      return name.empty() ? "no class" : name;
    }
    case FunctionGrouping::listed: break;
  }

  return "others";
}

std::string find_listed_name(const Function& function, const std::vector<ListedFunctions>& listed) {
  for (const auto& group : listed)
    if (matches_any(group.patterns, function))
      return group.name;
  return "others";
}

}  // namespace

std::string find_class_name(std::string_view function) {
  if (const auto colon = find_python_colon(function); colon != function.npos)
    return std::string(function.substr(0, colon));

  const auto name = leave_out_brackets(function);
  const auto last = name.rfind("::");
  if (last == name.npos)
    return "";
  const auto blank = name.find_last_of(" *&", last);
  const auto first = blank == name.npos ? 0 : blank + 1;
  return name.substr(first, last - first);
}

FunctionGroups group_functions(const std::vector<Function>& functions,
                               const std::vector<FunctionKind>& kinds, FunctionGrouping by,
                               const std::vector<ListedFunctions>& listed) {
  FunctionGroups out;
  std::map<std::string, std::uint32_t> known;

  for (std::size_t f = 0; f < functions.size(); ++f) {
    const auto name = by == FunctionGrouping::listed ? find_listed_name(functions[f], listed)
                                                     : find_group_name(functions[f], kinds[f], by);
    const auto next = static_cast<std::uint32_t>(out.names.size());
    const auto [at, is_new] = known.try_emplace(name, next);
    if (is_new)
      out.names.push_back(name);
    out.group_of.push_back(at->second);
  }

  return out;
}

std::vector<std::string> find_idle_patterns(const std::vector<Function>& functions,
                                            const std::vector<ListedFunctions>& listed) {
  std::vector<std::string> idle;
  for (const auto& group : listed)
    for (const auto& pattern : group.patterns)
      if (std::none_of(functions.begin(), functions.end(), [&](const Function& function) {
            return matches_function(pattern, function);
          }))
        idle.push_back(pattern);
  return idle;
}

}  // namespace tracefold
