#include "filters/groups/group_like.hpp"

#include "base/sort_and_unite.hpp"
#include "filters/comparison/pair_groups.hpp"
#include "filters/groups/group.hpp"
#include "model/describe_group.hpp"
#include "model/groups/like_section.hpp"
#include "model/process_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace tracefold {

namespace {

// Empty where places do not tell processes apart.
std::map<ProcessPlace, std::size_t> list_places(const Plan& plan) {
  std::map<ProcessPlace, std::size_t> places;
  for (std::size_t p = 0; p < plan.processes.size(); ++p)
    places.emplace(find_process_place(plan.processes[p]), p);
  if (places.size() < plan.processes.size())
    places.clear();
  return places;
}

std::set<std::pair<bool, std::uint64_t>> list_owners(const Plan& plan) {
  std::set<std::pair<bool, std::uint64_t>> owners;
  for (const auto& process : plan.processes)
    owners.insert(process.owner());
  return owners;
}

// Processes are alike only where these are equal: their type, and what those record that call
// nothing.
std::string describe_kind(const PlanIntent& intent) {
  if (!intent.set.pairs.empty())
    return fmt::format("{} calls", intent.set.type);
  return fmt::format("{} {}", intent.set.type, fmt::join(intent.set.metrics, ","));
}

const std::string& find_kind(const Plan& plan, const std::vector<std::string>& kinds,
                             std::size_t process) {
  return kinds[plan.processes[process].intent];
}

std::vector<std::string> list_kinds(const Plan& plan) {
  std::vector<std::string> kinds;
  for (const auto& intent : plan.intents)
    kinds.push_back(describe_kind(intent));
  return kinds;
}

RunFunctions list_run_functions(const Plan& plan) {
  RunFunctions out{&plan.functions, std::vector<bool>(plan.functions.size())};
  for (const auto& intent : plan.intents)
    for (const auto& pair : intent.set.pairs)
      out.is_called[pair.callee] = true;
  return out;
}

// What groups of a plan are told by. `classes` are of its functions.
class GroupDescriber {
 public:
  GroupDescriber(const Plan& plan, const std::vector<ClassIndex>& classes)
      : plan_(plan), kinds_(list_kinds(plan)) {
    const auto is_ignored = [&](FunctionIndex function) {
      return std::binary_search(plan.ignored.begin(), plan.ignored.end(), function);
    };
    for (const auto& intent : plan.intents) {
      auto& pairs = pairs_.emplace_back();
      for (const auto& [caller, callee] : intent.set.pairs)
        if (!is_ignored(callee) && !is_ignored(caller))
          pairs.emplace_back(caller == virtual_root ? no_class : classes[caller], classes[callee]);
      sort_and_unite(pairs);
    }
    for (const auto& process : plan.processes)
      weight_ += static_cast<double>(process.weight);
  }

  const std::vector<std::string>& kinds() const { return kinds_; }

  GroupFacts describe(const std::vector<std::size_t>& members, std::string name) const {
    GroupFacts facts;
    std::set<std::uint32_t> intents;
    for (auto m : members) {
      const auto& process = plan_.processes[m];
      intents.insert(process.intent);
      facts.share += static_cast<double>(process.weight) / std::max(weight_, 1.0);
      if (process.rank)
        facts.ranks.push_back(*process.rank);
    }
    for (auto intent : intents)
      facts.pairs.insert(facts.pairs.end(), pairs_[intent].begin(), pairs_[intent].end());
    sort_and_unite(facts.pairs);
    sort_and_unite(facts.ranks);
    facts.kind = kinds_[plan_.processes[members.front()].intent];
    facts.name = std::move(name);
    return facts;
  }

 private:
  const Plan& plan_;
  std::vector<std::string> kinds_;  // by intent
  std::vector<ClassPairs> pairs_;   // by intent
  double weight_ = 0;
};

// "rank 3", "rank 3 thread 1-2", or of processes without a rank "location 7".
std::string name_processes(const Plan& plan, const std::vector<std::size_t>& members) {
  return fmt::format("{}", fmt::join(name_places(plan, members), ", "));
}

std::string show_share(double similarity) {
  return fmt::format("{:.0f} %", 100 * similarity);
}

void set_like(Plan& plan, LikeSection like) {
  plan.like = std::make_shared<const LikeSection>(std::move(like));
}

class LikeGrouper {
 public:
  LikeGrouper(const Plan& plan, const LikeRun& run)
      : plan_(plan),
        run_(run),
        names_(match_functions({list_run_functions(run.plan), list_run_functions(plan)})),
        there_(run.plan, names_.class_of[0]),
        here_(plan, names_.class_of[1]),
        target_(plan.processes.size()) {
    for (std::size_t g = 0; g < run_.plan.groups->size(); ++g)
      facts_.push_back(there_.describe((*run.plan.groups)[g].members, ""));
  }

  // Gives processes the groups of those at their places; false where the runs have other places.
  bool match_places() {
    const auto here = list_places(plan_), there = list_places(run_.plan);
    if (!run_.knows_all || here.empty() || there.empty() ||
        list_owners(plan_) != list_owners(run_.plan))
      return false;

    std::vector<std::size_t> group_of(run_.plan.processes.size());
    for (std::size_t g = 0; g < run_.plan.groups->size(); ++g)
      for (auto m : (*run_.plan.groups)[g].members)
        group_of[m] = g;
    for (const auto& [place, p] : here)
      if (const auto at = there.find(place);
          at != there.end() &&
          find_kind(plan_, here_.kinds(), p) == find_kind(run_.plan, there_.kinds(), at->second))
        target_[p] = group_of[at->second];
    return true;
  }

  // Gives the others the groups whose calls are most similar.
  void match_calls(bool is_by_place) {
    std::vector<std::vector<std::size_t>> units;
    for (const auto& group : *plan_.groups) {
      std::vector<std::size_t> left;
      for (auto m : group.members)
        if (!target_[m])
          left.push_back(m);
      if (!left.empty())
        units.push_back(std::move(left));
    }

    std::vector<std::optional<std::size_t>> found(units.size());
    if (!is_by_place)
      pair_units(units, found);
    for (std::size_t u = 0; u < units.size(); ++u) {
      if (!found[u])
        found[u] = find_nearest(here_.describe(units[u], ""));
      for (auto m : units[u])
        target_[m] = found[u];
    }
  }

  // The groups, and which ones they are of the other run.
  GroupsOfRun make_groups(std::vector<Group>& groups, std::vector<std::string>& misfits) const {
    std::map<std::size_t, std::vector<std::vector<std::size_t>>> sets;  // by group there
    std::vector<std::vector<std::size_t>> own;
    std::vector<const Group*> whole(run_.plan.groups->size());
    for (const auto& group : *plan_.groups) {
      std::map<std::optional<std::size_t>, std::vector<std::size_t>> parts;
      for (auto m : group.members)
        parts[target_[m]].push_back(m);
      for (auto& [target, members] : parts) {
        if (!target) {
          own.push_back(std::move(members));
          continue;
        }
        whole[*target] = members.size() == group.members.size() ? &group : nullptr;
        sets[*target].push_back(std::move(members));
      }
    }

    GroupsOfRun out;
    for (auto& [g, parts] : sets) {
      auto& group = groups.emplace_back(make_group(parts));
      if (parts.size() == 1 && whole[g])
        group.clusters = whole[g]->clusters;
      out.push_back(g);
      note_group_misfits(g, group, parts.size(), misfits);
    }
    for (std::size_t g = 0; g < run_.plan.groups->size(); ++g)
      if (!sets.contains(g))
        misfits.push_back(
            fmt::format("no process is like group {} there ({})", g, label_group(run_.plan, g)));
    for (auto& members : own) {
      misfits.push_back(fmt::format("{} like no group there", say(members)));
      groups.push_back(make_group({std::move(members)}));
      out.push_back(std::nullopt);
    }
    return out;
  }

 private:
  std::string say(const std::vector<std::size_t>& members) const {
    return fmt::format("{} {}", name_processes(plan_, members), members.size() == 1 ? "is" : "are");
  }

  void pair_units(const std::vector<std::vector<std::size_t>>& units,
                  std::vector<std::optional<std::size_t>>& found) const {
    auto there = facts_;
    for (std::size_t g = 0; g < there.size(); ++g)
      there[g].name = describe_group(run_.plan, g);
    std::vector<GroupFacts> here;
    for (std::size_t u = 0; u < units.size(); ++u)  // nothing has left them: they are the groups
      here.push_back(here_.describe(units[u], describe_group(plan_, u)));
    for (const auto& pair : pair_groups(std::move(there), std::move(here)))
      if (pair.a && pair.b)
        found[*pair.b] = pair.a;
  }

  std::optional<std::size_t> find_nearest(const GroupFacts& facts) const {
    std::optional<std::size_t> nearest;
    std::pair<double, double> best{default_threshold, -1};
    for (std::size_t g = 0; g < facts_.size(); ++g) {
      if (facts_[g].kind != facts.kind)
        continue;
      const std::pair value{measure_similarity(facts_[g], facts).similarity,
                            measure_place(facts_[g], facts)};
      if (value > best) {
        best = value;
        nearest = g;
      }
    }
    return nearest;
  }

  Group make_group(const std::vector<std::vector<std::size_t>>& parts) const {
    Group made;
    for (const auto& part : parts)
      made.members.insert(made.members.end(), part.begin(), part.end());
    std::sort(made.members.begin(), made.members.end());
    for (auto m : made.members)
      made.intents.push_back(plan_.processes[m].intent);
    sort_and_unite(made.intents);
    if (parts.size() > 1) {
      made.merged = parts;
      std::sort(made.merged.begin(), made.merged.end());
    }
    return made;
  }

  // What of the group's calls does not fit.
  void note_group_misfits(std::size_t g, const Group& group, std::size_t parts,
                          std::vector<std::string>& misfits) const {
    const auto alike = measure_similarity(facts_[g], here_.describe(group.members, "")).similarity;
    const auto before = (*run_.plan.groups)[g].merged.size();
    if (alike < default_threshold)
      misfits.push_back(fmt::format("group {} there ({}) is alike to {} only", g,
                                    label_group(run_.plan, g), show_share(alike)));
    else if (parts > std::max<std::size_t>(before, 1))
      misfits.push_back(fmt::format("group {} there ({}) has {} kinds of processes here", g,
                                    label_group(run_.plan, g), parts));
  }

  const Plan& plan_;
  const LikeRun& run_;
  FunctionClasses names_;
  GroupDescriber there_, here_;
  std::vector<GroupFacts> facts_;                   // by group of the other run
  std::vector<std::optional<std::size_t>> target_;  // by process: the group there
};

// By place of the other run's representatives: the process of this one, none where it has none.
std::optional<std::size_t> find_partner(const Plan& there, std::size_t process,
                                        const std::map<ProcessPlace, std::size_t>& here) {
  const auto at = here.find(find_process_place(there.processes[process]));
  return at == here.end() ? std::nullopt : std::optional(at->second);
}

bool has_member(const Group& group, const std::optional<std::size_t>& process) {
  return process && std::binary_search(group.members.begin(), group.members.end(), *process);
}

constexpr const char* as_there = "as in the other run";

// The representatives of a group whose members are those of the other run, place by place; nothing
// where one of its representatives is not there.
std::vector<Representative> take_by_place(const Plan& plan, std::size_t g,
                                          const std::vector<const Representative*>& there,
                                          const Plan& run,
                                          const std::map<ProcessPlace, std::size_t>& here) {
  const auto& group = (*plan.groups)[g];
  std::vector<Representative> made;
  std::map<std::size_t, std::size_t> of;  // by member: place in `made`
  for (const auto* one : there) {
    const auto process = find_partner(run, one->process, here);
    if (!has_member(group, process))
      return {};
    for (auto m : one->members)
      if (const auto member = find_partner(run, m, here); has_member(group, member))
        of.emplace(*member, made.size());
    made.push_back({static_cast<std::uint32_t>(g), *process, {}, as_there});
  }
  for (auto m : group.members) {
    const auto at = of.find(m);
    made[at == of.end() ? 0 : at->second].members.push_back(m);
  }
  return made;
}

// Puts the first of the other run's representatives that is a member of the group in place of its
// own one, which stands for all; false where none is.
bool take_one(Representative& own, const Group& group,
              const std::vector<const Representative*>& there, const Plan& run,
              const std::map<ProcessPlace, std::size_t>& here) {
  for (const auto* one : there)
    if (const auto process = find_partner(run, one->process, here); has_member(group, process)) {
      own.process = *process;
      own.why = as_there;
      return true;
    }
  return false;
}

}  // namespace

GroupsOfRun group_like(Plan& plan, const LikeRun& run) {
  LikeGrouper grouper(plan, run);
  LikeSection like{run.name, run.processes, run.plan.groups->size(), grouper.match_places(), {}};
  grouper.match_calls(like.is_by_place);
  if (run.plan.filters != plan.filters)
    like.misfits.emplace_back("filters had left out a part of that run");

  std::vector<Group> groups;
  auto out = grouper.make_groups(groups, like.misfits);
  plan.groups = std::move(groups);
  set_like(plan, std::move(like));
  return out;
}

void select_like(Plan& plan, const LikeRun& run, const GroupsOfRun& groups) {
  const auto here = list_places(plan);
  if (!run.plan.representatives || here.empty())
    return;

  auto like = *plan.like;
  std::vector<std::vector<const Representative*>> there(run.plan.groups->size());
  for (const auto& one : *run.plan.representatives)
    there[one.group].push_back(&one);

  std::vector<std::vector<Representative>> chosen(plan.groups->size());
  for (auto& one : *plan.representatives)
    chosen[one.group].push_back(std::move(one));

  std::vector<Representative> all;
  for (std::size_t g = 0; g < chosen.size(); ++g) {
    auto& own = chosen[g];
    const auto& wanted = groups[g] ? there[*groups[g]] : std::vector<const Representative*>();
    bool is_same = false;
    if (like.is_by_place && !wanted.empty())
      if (auto made = take_by_place(plan, g, wanted, run.plan, here); !made.empty()) {
        own = std::move(made);
        is_same = true;
      }
    if (!is_same && own.size() == 1)
      is_same = take_one(own.front(), (*plan.groups)[g], wanted, run.plan, here);

    if (!is_same && !wanted.empty())
      like.misfits.push_back(fmt::format("{} stands for group {} there, and {} here",
                                         name_processes(run.plan, {wanted.front()->process}),
                                         *groups[g], name_processes(plan, {own.front().process})));
    std::move(own.begin(), own.end(), std::back_inserter(all));
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return std::pair(a.group, a.process) < std::pair(b.group, b.process);
  });
  plan.representatives = std::move(all);
  set_like(plan, std::move(like));
}

}  // namespace tracefold
