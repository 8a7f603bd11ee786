#include "filters/iterations/match_loops.hpp"

#include "filters/comparison/function_names.hpp"
#include "model/iterations/iteration_section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace tracefold {

namespace {

struct LoopNames {
  std::vector<std::string> path;
  std::string function;

  auto operator<=>(const LoopNames&) const = default;
};

const std::string& find_function_name(const std::vector<Function>& functions,
                                      FunctionIndex function) {
  static const std::string none;
  return function < functions.size() ? functions[function].name : none;
}

std::vector<std::string> list_path_names(const Loop& loop, const std::vector<Function>& functions) {
  std::vector<std::string> names;
  for (auto function : loop.path)
    names.push_back(find_function_name(functions, function));
  return names;
}

LoopNames simplify_names(const std::vector<std::string>& path, const std::string& function) {
  LoopNames out;
  for (const auto& name : path)
    out.path.push_back(simplify_name(name));
  out.function = simplify_name(function);
  return out;
}

// Loops by their begin.
std::vector<std::size_t> sort_by_begin(const std::vector<Loop>& loops) {
  std::vector<std::size_t> order(loops.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) {
    return loops[a].iterations.front().begin < loops[b].iterations.front().begin;
  });
  return order;
}

}  // namespace

std::vector<std::optional<std::size_t>> match_loops(const std::vector<LoopRule>& rules,
                                                    const std::vector<Function>& functions,
                                                    const std::vector<Loop>& loops) {
  std::vector<std::optional<std::size_t>> found(loops.size());
  std::vector<bool> is_taken(rules.size());

  // By names the rules that are left, in the order in which their loops began.
  const auto match = [&](bool with_path) {
    const auto make_key = [&](LoopNames names) {
      if (!with_path)
        names.path.clear();
      return names;
    };
    std::map<LoopNames, std::vector<std::pair<std::size_t, std::size_t>>> left;
    for (std::size_t r = 0; r < rules.size(); ++r)
      if (!is_taken[r])
        left[make_key(simplify_names(rules[r].path, rules[r].function))].emplace_back(
            rules[r].place, r);
    for (auto& [names, list] : left)
      std::sort(list.begin(), list.end());

    std::map<LoopNames, std::size_t> seen;
    for (auto l : sort_by_begin(loops)) {
      if (found[l])
        continue;
      const auto path = list_path_names(loops[l], functions);
      const auto names =
          make_key(simplify_names(path, find_function_name(functions, loops[l].function)));
      const auto at = left.find(names);
      const auto place = seen[names]++;
      if (at == left.end() || place >= at->second.size())
        continue;
      found[l] = at->second[place].second;
      is_taken[*found[l]] = true;
    }
  };
  match(true);
  match(false);

  return found;
}

void keep_matching_loops(const std::vector<LoopRule>& rules, const std::vector<Function>& functions,
                         std::vector<ProcessLoops>& loops) {
  for (auto& process : loops) {
    const auto found = match_loops(rules, functions, process.loops);
    std::vector<Loop> kept;
    for (std::size_t l = 0; l < found.size(); ++l)
      if (found[l])
        kept.push_back(std::move(process.loops[l]));
    process.loops = std::move(kept);
  }
}

std::vector<LoopRule> list_loop_rules(const IterationSection& section,
                                      const std::vector<Function>& functions) {
  std::vector<LoopRule> rules;
  if (section.processes.empty())
    return rules;

  const auto& loops = section.processes.front().loops.loops;
  for (std::size_t l = 0; l < section.loops.size(); ++l) {
    const auto& choice = section.loops[l].choice;
    auto& rule = rules.emplace_back();
    rule.path = list_path_names(loops[l], functions);
    rule.function = find_function_name(functions, loops[l].function);
    rule.kept = choice.kept;
    rule.kept_of = choice.kept_of;
    rule.equivalence = choice.equivalence;
  }

  std::map<std::pair<std::vector<std::string>, std::string>, std::size_t> seen;
  for (auto l : sort_by_begin(loops))
    rules[l].place = seen[{rules[l].path, rules[l].function}]++;

  return rules;
}

std::string name_loop(const LoopRule& rule) {
  auto names = rule.path;
  names.push_back(rule.function);
  return fmt::format("{}", fmt::join(names, " > "));
}

std::string name_loop(const Loop& loop, const std::vector<Function>& functions) {
  LoopRule rule;
  rule.path = list_path_names(loop, functions);
  rule.function = find_function_name(functions, loop.function);
  return name_loop(rule);
}

}  // namespace tracefold
