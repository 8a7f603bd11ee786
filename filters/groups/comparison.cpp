#include "filters/groups/comparison.hpp"

#include "base/ranges.hpp"
#include "base/sort_and_unite.hpp"
#include "model/plan.hpp"
#include "model/profile/function_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

using Intents = std::vector<std::uint32_t>;  // ascending, without duplicates

// For each process the intents that it is compared by: its own, or those of all processes that it
// is combined with.
std::vector<Intents> find_intents(const Plan& plan, const Comparison& comparison) {
  using Place = std::pair<std::pair<bool, std::uint64_t>, std::uint64_t>;  // owner, type
  std::vector<std::optional<Place>> places;
  std::map<Place, Intents> combined;

  for (std::size_t i = 0; i < plan.processes.size(); ++i) {
    const auto& process = plan.processes[i];
    const auto& intent = plan.intents[process.intent].set;
    auto& place = places.emplace_back();
    if (intent.pairs.empty() || !is_combined(process, comparison.combine))
      continue;

    place = {process.owner(), intent.type};
    combined[*place].push_back(process.intent);
  }

  for (auto& [place, intents] : combined)
    sort_and_unite(intents);

  std::vector<Intents> found;
  found.reserve(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    found.push_back(places[i] ? combined.at(*places[i]) : Intents{plan.processes[i].intent});

  return found;
}

// Numbers the distinct sets of processes in the order in which they come.
class SetCollector {
 public:
  SetCollector(const Plan& plan, const CallMeasure& measure) : plan_(plan), measure_(measure) {}

  // The number of the set of a process with these intents.
  std::size_t add(std::size_t process, const Intents& intents) {
    auto at = known_intents_.find(intents);
    if (at == known_intents_.end())
      at = known_intents_.emplace(intents, add_set(process, intents)).first;

    sets_[at->second].members.push_back(process);

    return at->second;
  }

  std::vector<ComparedSet> take() { return std::move(sets_); }

 private:
  enum class Content { attributes, only_ignored_calls, no_calls };

  std::size_t add_set(std::size_t process, const Intents& intents) {
    auto attributes = measure_.attributes(intents);
    const auto kind = find_kind(process, attributes);
    const auto [at, is_new] = known_sets_.try_emplace({kind, attributes}, sets_.size());
    if (is_new)
      sets_.push_back({std::move(attributes), kind, {}});

    return at->second;
  }

  std::size_t find_kind(std::size_t process, const lattice::Set& attributes) {
    const auto intent = plan_.processes[process].intent;
    const auto& set = plan_.intents[intent].set;
    const auto content = !attributes.empty() ? Content::attributes
                         : set.pairs.empty() ? Content::no_calls
                                             : Content::only_ignored_calls;
    const auto own_intent = content == Content::no_calls ? intent : 0;

    return kinds_.try_emplace({set.type, content, own_intent}, kinds_.size()).first->second;
  }

  const Plan& plan_;
  const CallMeasure& measure_;
  std::vector<ComparedSet> sets_;
  std::map<Intents, std::size_t> known_intents_;
  std::map<std::tuple<std::uint64_t, Content, std::uint32_t>, std::size_t> kinds_;
  std::map<std::pair<std::size_t, lattice::Set>, std::size_t> known_sets_;  // by kind, attributes
};

}  // namespace

bool is_combined(const Process& process, const std::vector<std::string>& patterns) {
  if (patterns.empty())
    return false;

  const std::string name(strip_count(process.name));
  const auto full_name = std::string(strip_count(process.location_group_name)) + "/" + name;

  return matches_any(patterns, name) || matches_any(patterns, full_name);
}

ComparedProcesses compare_processes(const Plan& plan, const Comparison& comparison) {
  ComparedProcesses compared{
      CallMeasure(plan, comparison.by, find_ignored_functions(plan, comparison)), {}, {}};

  const auto intents = find_intents(plan, comparison);
  SetCollector collector(plan, compared.measure);
  compared.set_of.reserve(intents.size());
  for (std::size_t i = 0; i < intents.size(); ++i)
    compared.set_of.push_back(collector.add(i, intents[i]));

  compared.sets = collector.take();

  return compared;
}

std::vector<std::string> find_idle_patterns(const Plan& plan, const Comparison& comparison) {
  auto idle = describe_idle_patterns(comparison.ignore, plan.functions, "ignored");
  for (const auto& glob : comparison.combine)
    if (std::none_of(plan.processes.begin(), plan.processes.end(),
                     [&](const auto& process) { return is_combined(process, {glob}); }))
      idle.push_back(fmt::format("no process matches '{}', which is to be combined", glob));

  return idle;
}

}  // namespace tracefold
