#include "filters/groups/select.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "filters/groups/profile_vectors.hpp"
#include "filters/groups/time_clusters.hpp"
#include "lattice/medoid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace tracefold {

namespace {

using Members = std::vector<std::size_t>;  // indexes into Plan::processes, ascending

std::uint64_t time_of(const Process& p) {
  return std::accumulate(p.exclusive.begin(), p.exclusive.end(), p.rest);
}

// The first of several that take equally long.
std::size_t slowest(const Plan& plan, const Members& members) {
  return *std::max_element(members.begin(), members.end(), [&](auto a, auto b) {
    return time_of(plan.processes[a]) < time_of(plan.processes[b]);
  });
}

std::size_t fastest(const Plan& plan, const Members& members) {
  return *std::min_element(members.begin(), members.end(), [&](auto a, auto b) {
    return time_of(plan.processes[a]) < time_of(plan.processes[b]);
  });
}

// One of the candidates, which are some of the members.
std::size_t choose(const Plan& plan, const Group& group, const Members& members,
                   const Members& candidates, Choice choice) {
  if (choice == Choice::first)
    return candidates.front();
  if (choice == Choice::slowest)
    return slowest(plan, candidates);

  std::vector<std::uint64_t> weights;
  for (auto m : members)
    weights.push_back(plan.processes[m].weight);

  std::vector<std::size_t> places;
  for (auto c : candidates)
    places.push_back(static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), c) -
                                              members.begin()));

  return members[lattice::medoid(profile_vectors(plan, group, members), weights, places)];
}

// Why a process stands for cluster `c` of so many, with so many members.
std::string reason(Choice choice, std::size_t c, std::size_t clusters, std::size_t members,
                   bool alone_are_kept) {
  if (clusters == 1 && members == 1)
    return alone_are_kept ? "only other member" : "only member";

  const std::string words = members == 1               ? "only member"
                            : choice == Choice::first  ? "lowest id"
                            : choice == Choice::medoid ? "medoid"
                                                       : "most time";

  if (clusters > 1)
    return fmt::format("{} of cluster {} of {}", words, c + 1, clusters);

  return choice == Choice::medoid ? words + " of exclusive times" : words;
}

// Processes by id; Error(usage) names those that are not there.
std::set<std::size_t> processes_with(const Plan& plan, const std::vector<std::uint64_t>& ids) {
  std::set<std::size_t> found;
  std::vector<std::uint64_t> unknown;

  for (auto id : ids) {
    const auto at = std::lower_bound(plan.processes.begin(), plan.processes.end(), id,
                                     [](const auto& p, auto wanted) { return p.id < wanted; });
    if (at != plan.processes.end() && at->id == id)
      found.insert(static_cast<std::size_t>(at - plan.processes.begin()));
    else
      unknown.push_back(id);
  }

  if (!unknown.empty())
    throw Error(ErrorKind::usage,
                fmt::format("there is no location {} to keep always", to_ranges(unknown)))
        .hint("'tracefold group' lists the members of each group by id");

  return found;
}

// Chooses for all groups of a plan; the order of calls decides who comes from
// processes that are kept anyway.
class Selector {
 public:
  Selector(const Plan& plan, const Selection& selection)
      : plan_(plan), selection_(selection), always_(processes_with(plan, selection.always)) {}

  // The processes of group `g` that are kept for themselves.
  void keep_alone(std::size_t g);
  // Those that stand for the others of group `g`.
  void divide(std::size_t g, bool prefer_kept);
  // By group, then by id.
  std::vector<Representative> take() {
    std::sort(chosen_.begin(), chosen_.end(), [](const auto& a, const auto& b) {
      return std::pair(a.group, a.process) < std::pair(b.group, b.process);
    });
    return std::move(chosen_);
  }

 private:
  void keep(std::size_t g, std::size_t process, Members members, std::string why) {
    kept_.insert(plan_.processes[process].location_group);
    chosen_.push_back({static_cast<std::uint32_t>(g), process, std::move(members), std::move(why)});
  }

  const Plan& plan_;
  const Selection& selection_;
  std::set<std::size_t> always_;  // processes
  std::set<std::size_t> alone_;   // processes that are kept for themselves
  std::set<std::uint64_t> kept_;  // location groups
  std::vector<Representative> chosen_;
};

void Selector::keep_alone(std::size_t g) {
  const auto& members = (*plan_.groups)[g].members;
  std::map<std::size_t, std::string> why;
  const auto add = [&](std::size_t process, const char* words) {
    why[process] += (why[process].empty() ? "" : ", ") + std::string(words);
  };
  for (auto m : members)
    if (always_.contains(m))
      add(m, "kept on request");

  const auto least = fastest(plan_, members), most = slowest(plan_, members);
  if (selection_.keep_extremes && least != most) {
    add(least, "fastest member");
    add(most, "slowest member");
  }

  for (auto& [process, words] : why) {
    alone_.insert(process);
    keep(g, process, {process}, std::move(words));
  }
}

void Selector::divide(std::size_t g, bool prefer_kept) {
  const auto& group = (*plan_.groups)[g];
  Members others;
  std::copy_if(group.members.begin(), group.members.end(), std::back_inserter(others),
               [&](auto m) { return !alone_.contains(m); });
  auto clusters = time_clusters(plan_, group, others, selection_.per_group);

  for (std::size_t c = 0; c < clusters.size(); ++c) {
    auto& members = clusters[c];
    Members candidates;
    if (prefer_kept)
      std::copy_if(members.begin(), members.end(), std::back_inserter(candidates),
                   [&](auto m) { return kept_.contains(plan_.processes[m].location_group); });

    const bool from_kept = !candidates.empty() && candidates.size() < members.size();
    const auto process =
        choose(plan_, group, members, candidates.empty() ? members : candidates, selection_.choice);
    const auto why = reason(selection_.choice, c, clusters.size(), members.size(),
                            others.size() < group.members.size());
    keep(g, process, std::move(members),
         from_kept ? why + " among members of kept processes" : why);
  }
}

}  // namespace

void select(Plan& plan, const Selection& selection) {
  if (!plan.groups)
    throw Error(ErrorKind::usage, "the plan has no groups")
        .hint("run 'tracefold group' before 'tracefold select'");

  const auto& groups = *plan.groups;
  Selector selector(plan, selection);
  std::vector<bool> listed;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    selector.keep_alone(g);
    listed.push_back(std::any_of(groups[g].members.begin(), groups[g].members.end(),
                                 [&](auto m) { return plan.processes[m].listed; }));
  }

  for (bool turn : {true, false})
    for (std::size_t g = 0; g < groups.size(); ++g)
      if (listed[g] == turn)
        selector.divide(g, !turn);

  plan.representatives = selector.take();
  plan.iterations.reset();
  plan.selection = selection;
}

}  // namespace tracefold
