#include "emitters/profile/program_facts_formats.hpp"

#include "base/text.hpp"
#include "emitters/show_numbers.hpp"
#include "emitters/table.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <optional>

namespace tracefold {

namespace {

using Json = nlohmann::ordered_json;

struct KindEntry {
  const char* name;
  const char* key;
  PathSums ProgramFacts::*sums;
};
constexpr std::array path_kinds{
    KindEntry{"MPI", "mpi", &ProgramFacts::mpi},
    KindEntry{"that lead to MPI", "to_mpi", &ProgramFacts::to_mpi},
    KindEntry{"computation", "computation", &ProgramFacts::computation}};

std::uint64_t round_to_count(double value) {
  return static_cast<std::uint64_t>(std::llround(value));
}

std::optional<double> find_rate(const Plan& plan, const ProgramFacts& facts, double ticks) {
  const auto seconds = to_seconds(plan, ticks) * static_cast<double>(facts.processes);
  if (seconds <= 0)
    return std::nullopt;
  return facts.visits() / seconds;
}

// As a pattern of a filter file: what means something there is escaped.
std::string escape_pattern(const std::string& name) {
  std::string out;
  for (const char c : make_printable(name)) {
    if (c == ' ' || c == '*' || c == '?' || c == '[' || c == ']' || c == '#' || c == '\\')
      out += '\\';
    out += c;
  }
  return out;
}

// Names that are mangled are told as such.
std::string write_filter(const Plan& plan, const ProgramFacts& facts) {
  std::string out = "SCOREP_REGION_NAMES_BEGIN\n";
  for (const auto& one : facts.short_functions) {
    const auto& function = plan.functions[one.function];
    const bool is_mangled = function.canonical.starts_with("_Z");
    out += fmt::format("  # {} visits of {} each, {} of all\n  EXCLUDE {}{}\n",
                       show_count(round_to_count(one.visits)),
                       format_seconds(to_seconds(plan, one.time) / one.visits),
                       show_percent(one.share), is_mangled ? "MANGLED " : "",
                       escape_pattern(is_mangled ? function.canonical : function.name));
  }
  return out + "SCOREP_REGION_NAMES_END\n";
}

}  // namespace

std::string to_text(const Plan& plan, const ProgramFacts& facts, double ticks) {
  std::string out;
  const auto add = [&](const char* name, const std::string& words) {
    out += fmt::format("{:<22}{}\n", name, words);
  };
  add("call paths", fmt::format("{}, up to {} calls deep, {:.1f} for a visit on average",
                                show_count(facts.paths()), facts.deepest, facts.mean_depth));
  const auto rate = find_rate(plan, facts, ticks);
  add("visits",
      show_count(round_to_count(facts.visits())) +
          (rate ? fmt::format(", {} a second in each process", show_count(round_to_count(*rate)))
                : std::string()));
  for (const auto& [name, key, member] : path_kinds) {
    const auto& sums = facts.*member;
    const auto share = [](double part, double all) {
      return all > 0 ? show_percent(part / all) : std::string("-");
    };
    out += fmt::format("  {:<20}{} call paths, {} of the visits, {} of the time\n", name,
                       show_count(sums.paths), share(sums.visits, facts.visits()),
                       share(sums.time, facts.time()));
  }
  if (facts.short_functions.empty())
    return out +
           "no function need be left out of the next measurement: none has many, short calls\n";
  return out + "\nleave these out of the next measurement (SCOREP_FILTERING_FILE):\n" +
         write_filter(plan, facts);
}

std::string to_csv(const Plan& plan, const ProgramFacts& facts, double ticks) {
  std::string out;
  const auto add = [&](const std::string& what, const auto& value) {
    out += fmt::format("{},{}\r\n", quote_csv(what), value);
  };
  add("call paths", facts.paths());
  add("deepest call path", facts.deepest);
  add("mean depth of a visit", facts.mean_depth);
  add("visits", round_to_count(facts.visits()));
  const auto rate = find_rate(plan, facts, ticks);
  add("visits per second and process", rate ? fmt::format("{}", *rate) : "");
  for (const auto& [name, key, member] : path_kinds) {
    const auto& sums = facts.*member;
    add(fmt::format("call paths: {}", name), sums.paths);
    add(fmt::format("visits: {}", name), round_to_count(sums.visits));
    add(fmt::format("seconds: {}", name), to_seconds(plan, sums.time));
  }
  for (const auto& one : facts.short_functions)
    add("many short calls", quote_csv(plan.functions[one.function].name));
  return out;
}

nlohmann::ordered_json to_json(const Plan& plan, const ProgramFacts& facts, double ticks) {
  Json of_kinds, functions = Json::array();
  for (const auto& [name, key, member] : path_kinds) {
    const auto& sums = facts.*member;
    of_kinds[key] = {{"call_paths", sums.paths},
                     {"visits", round_to_count(sums.visits)},
                     {"seconds", to_seconds(plan, sums.time)}};
  }
  for (const auto& one : facts.short_functions)
    functions.push_back({{"name", plan.functions[one.function].name},
                         {"canonical", plan.functions[one.function].canonical},
                         {"visits", round_to_count(one.visits)},
                         {"seconds", to_seconds(plan, one.time)},
                         {"share", one.share}});
  return {{"call_paths", facts.paths()},
          {"deepest", facts.deepest},
          {"mean_depth", facts.mean_depth},
          {"visits", round_to_count(facts.visits())},
          {"visits_per_second_and_process", make_json_value(find_rate(plan, facts, ticks))},
          {"kinds", std::move(of_kinds)},
          {"short_functions", std::move(functions)}};
}

}  // namespace tracefold
