#include "filters/groups/select.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "filters/groups/connected_choice.hpp"
#include "filters/groups/odd_processes.hpp"
#include "filters/groups/process_times.hpp"
#include "lattice/medoid.hpp"
#include "model/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <utility>

namespace tracefold {

namespace {

using Members = std::vector<std::size_t>;  // indexes into Plan::processes, ascending

// How much each process computes. Total times do not tell it, as those that compute less wait for
// the others in MPI or in OpenMP's runtime.
class Computation {
 public:
  explicit Computation(const Plan& plan) {
    const auto computes = list_computing(plan);
    for (const auto& process : plan.processes) {
      const auto& functions = plan.intents[process.intent].functions;
      std::uint64_t ticks = process.rest, other = 0;
      for (std::size_t k = 0; k < functions.size(); ++k)
        (computes[functions[k]] ? ticks : other) += process.exclusive[k];
      ticks_.push_back(ticks);
      other_.push_back(other);
    }
  }

  // Where several members compute equally long, these functions give the first of them.
  std::size_t find_slowest(const Members& members) const {
    return *std::max_element(members.begin(), members.end(), compare(members));
  }

 private:
  // Where nothing else was recorded, those that spend less time in MPI compute more.
  std::function<bool(std::size_t, std::size_t)> compare(const Members& members) const {
    const bool is_recorded =
        std::any_of(members.begin(), members.end(), [&](auto m) { return ticks_[m] > 0; });
    if (is_recorded)
      return [this](auto a, auto b) { return ticks_[a] < ticks_[b]; };
    return [this](auto a, auto b) { return other_[a] > other_[b]; };
  }

  std::vector<std::uint64_t> ticks_, other_;  // by process
};

// The members whose records do not end early; all of them where these do in all.
Members list_whole(const Plan& plan, const Members& members) {
  Members whole;
  std::copy_if(members.begin(), members.end(), std::back_inserter(whole),
               [&](auto m) { return !plan.processes[m].ends_early; });
  return whole.empty() ? members : whole;
}

// Chooses one of the candidates, which are some of the members.
std::size_t choose(const Plan& plan, const Computation& computation, const Group& group,
                   const Members& members, const Members& candidates, Choice choice) {
  if (choice == Choice::first)
    return candidates.front();
  if (choice == Choice::slowest)
    return computation.find_slowest(candidates);

  std::vector<std::uint64_t> weights;
  for (auto m : members)
    weights.push_back(plan.processes[m].weight);

  std::vector<std::size_t> places;
  for (auto c : candidates)
    places.push_back(static_cast<std::size_t>(std::lower_bound(members.begin(), members.end(), c) -
                                              members.begin()));

  return members[lattice::find_medoid(make_time_points(plan, group, members), weights, places)];
}

// Says why a process represents cluster `c`, which has so many members, of so many clusters.
// `others_are_kept`: processes of its group are kept for themselves, too.
std::string explain_choice(Choice choice, std::size_t c, std::size_t clusters, std::size_t members,
                           bool others_are_kept) {
  if (clusters == 1 && members == 1)
    return others_are_kept ? "only other member" : "only member";

  const std::string words = members == 1                ? "only member"
                            : choice == Choice::first   ? "lowest id"
                            : choice == Choice::slowest ? "computes most"
                                                        : "medoid";

  if (clusters > 1)
    return fmt::format("{} of cluster {} of {}", words, c + 1, clusters);

  return choice == Choice::first || choice == Choice::slowest ? words
                                                              : words + " of exclusive times";
}

// Chooses the representatives of all groups of a plan. The order of the calls decides which of them
// can be taken from processes of which another location is kept already.
class Selector {
 public:
  Selector(const Plan& plan, const Selection& selection)
      : plan_(plan),
        selection_(selection),
        computation_(plan),
        always_(find_always(plan, selection.always)) {
    if (!selection.keep_odd)
      return;
    auto found = find_odd_processes(plan);
    for (auto& odd : found.alone)
      odd_.emplace(odd.process, std::move(odd.why));
    if (selection.per_group != 1)
      return;  // clusters by time part classes
    for (auto& odd : found.classes)
      classes_.emplace(odd.group, std::move(odd));
  }

  // Keeps the processes of group `g` that are odd or asked for, for themselves.
  void keep_alone(std::size_t g);

  // Divides the others of group `g` into clusters and keeps one process of each; with
  // `prefer_kept`, one whose location group, or the one that created it, has a kept location
  // already, where there is one.
  void keep_clusters(std::size_t g, bool prefer_kept);

  // Replaces representatives by others of their members, so that as many as possible of these
  // messages between ranks are between representatives.
  void connect(const std::vector<RankMessages>& messages);

  // All that were kept, ordered by group, then by id.
  std::vector<Representative> take() {
    std::sort(chosen_.begin(), chosen_.end(), [](const auto& a, const auto& b) {
      return std::pair(a.group, a.process) < std::pair(b.group, b.process);
    });
    return std::move(chosen_);
  }

 private:
  void keep(std::size_t g, std::size_t process, Members members, std::string why) {
    kept_groups_.insert(plan_.processes[process].location_group);
    chosen_.push_back({static_cast<std::uint32_t>(g), process, std::move(members), std::move(why)});
  }

  // `why_odd`: why these are a class of their own; empty where they are not.
  void keep_clusters_of(std::size_t g, const Members& members, bool prefer_kept,
                        const std::string& why_odd);

  const Plan& plan_;
  const Selection& selection_;
  Computation computation_;
  std::vector<std::size_t> always_;          // processes that the selection names, ascending
  std::map<std::size_t, std::string> odd_;   // why these processes are odd
  std::map<std::size_t, OddClass> classes_;  // by group
  std::set<std::size_t> alone_;              // processes that are kept for themselves
  std::set<std::uint64_t> kept_groups_;      // location groups with a kept location
  std::vector<Representative> chosen_;
};

void Selector::keep_alone(std::size_t g) {
  for (auto m : (*plan_.groups)[g].members) {
    const auto odd = odd_.find(m);
    const bool is_asked_for = std::binary_search(always_.begin(), always_.end(), m);
    if (!is_asked_for && odd == odd_.end())
      continue;
    alone_.insert(m);
    keep(g, m, {m}, is_asked_for ? "kept on request" : odd->second);
  }
}

void Selector::keep_clusters(std::size_t g, bool prefer_kept) {
  const auto& group = (*plan_.groups)[g];
  Members others;
  std::copy_if(group.members.begin(), group.members.end(), std::back_inserter(others),
               [&](auto m) { return !alone_.contains(m); });
  Members odd, usual;
  if (const auto found = classes_.find(g); found != classes_.end()) {
    const auto& members = found->second.members;
    std::set_intersection(others.begin(), others.end(), members.begin(), members.end(),
                          std::back_inserter(odd));
    std::set_difference(others.begin(), others.end(), odd.begin(), odd.end(),
                        std::back_inserter(usual));
    if (!odd.empty())
      keep_clusters_of(g, odd, prefer_kept, found->second.why);
  } else {
    usual = others;
  }
  if (!usual.empty())
    keep_clusters_of(g, usual, prefer_kept, {});
}

void Selector::keep_clusters_of(std::size_t g, const Members& others, bool prefer_kept,
                                const std::string& why_odd) {
  const auto& group = (*plan_.groups)[g];
  auto clusters =
      find_time_clusters(plan_, group, others, selection_.per_group, selection_.features);

  for (std::size_t c = 0; c < clusters.size(); ++c) {
    auto& members = clusters[c];
    const auto whole = list_whole(plan_, members);
    Members candidates;
    if (prefer_kept)
      std::copy_if(whole.begin(), whole.end(), std::back_inserter(candidates), [&](auto m) {
        const auto& process = plan_.processes[m];
        return kept_groups_.contains(process.location_group) ||
               (process.creator && kept_groups_.contains(*process.creator));
      });

    const bool from_kept = !candidates.empty() && candidates.size() < members.size();
    const auto process = choose(plan_, computation_, group, whole,
                                candidates.empty() ? whole : candidates, selection_.choice);
    const auto why = !why_odd.empty()
                         ? why_odd
                         : explain_choice(selection_.choice, c, clusters.size(), members.size(),
                                          others.size() < group.members.size());
    keep(g, process, std::move(members),
         from_kept ? why + " among members of kept processes" : why);
  }
}

// The ranks of processes that MPI's ranks mean, by process.
std::map<std::size_t, std::uint32_t> list_ranks(const Plan& plan) {
  std::map<std::size_t, std::uint32_t> ranks;
  for (std::size_t p = 0; p < plan.processes.size(); ++p)
    if (const auto& process = plan.processes[p]; process.is_mpi_endpoint && process.rank)
      ranks.emplace(p, static_cast<std::uint32_t>(*process.rank));
  return ranks;
}

void Selector::connect(const std::vector<RankMessages>& messages) {
  const auto ranks = list_ranks(plan_);
  ConnectedSets found;
  std::vector<std::size_t> start;
  std::vector<std::pair<Representative*, Members>> replaceable;

  for (auto& representative : chosen_) {
    const auto own = ranks.find(representative.process);
    if (own == ranks.end())
      continue;
    if (alone_.contains(representative.process) || representative.members.size() == 1) {
      found.fixed.push_back(own->second);
      continue;
    }

    Members members;
    auto& set = found.sets.emplace_back();
    for (const auto member : list_whole(plan_, representative.members))
      if (const auto at = ranks.find(member); at != ranks.end()) {
        if (member == representative.process)
          start.push_back(set.size());
        set.push_back(at->second);
        members.push_back(member);
      }
    replaceable.emplace_back(&representative, std::move(members));
  }

  const auto places = choose_connected(found, messages, start);
  for (std::size_t k = 0; k < places.size(); ++k) {
    auto& [representative, members] = replaceable[k];
    if (places[k] == start[k])
      continue;
    representative->process = members[places[k]];
    if (!representative->why.starts_with(odd_sign))
      representative->why = "most messages with other representatives";
  }

  kept_groups_.clear();
  for (const auto& representative : chosen_)
    kept_groups_.insert(plan_.processes[representative.process].location_group);
}

// How many messages stay between representatives: those of ranks that are kept with all of their
// locations that send or receive.
std::uint64_t count_staying_messages(const Plan& plan,
                                     const std::vector<Representative>& representatives,
                                     const std::vector<RankMessages>& messages) {
  std::set<std::size_t> kept;
  for (const auto& representative : representatives)
    kept.insert(representative.process);
  std::set<std::pair<bool, std::uint64_t>> incomplete;
  for (std::size_t p = 0; p < plan.processes.size(); ++p)
    if (plan.processes[p].has_messages && !kept.contains(p))
      incomplete.insert(plan.processes[p].owner());

  std::vector<std::uint32_t> whole;
  for (const auto& [process, rank] : list_ranks(plan))
    if (kept.contains(process) && !incomplete.contains(plan.processes[process].owner()))
      whole.push_back(rank);

  return count_staying(whole, messages);
}

// `messages`: between which as many as possible stay; null: that does not matter.
std::vector<Representative> choose_representatives(const Plan& plan, const Selection& selection,
                                                   const std::vector<RankMessages>* messages) {
  const auto& groups = *plan.groups;
  Selector selector(plan, selection);
  std::vector<bool> has_rank;  // for each group: a member is the location that a rank means

  for (std::size_t g = 0; g < groups.size(); ++g) {
    selector.keep_alone(g);
    has_rank.push_back(std::any_of(groups[g].members.begin(), groups[g].members.end(),
                                   [&](auto m) { return plan.processes[m].is_mpi_endpoint; }));
  }

  // Groups with ranks come first, so that threads and streams can follow them.
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (has_rank[g])
      selector.keep_clusters(g, false);
  if (messages)
    selector.connect(*messages);

  for (std::size_t g = 0; g < groups.size(); ++g)
    if (!has_rank[g])
      selector.keep_clusters(g, true);

  return selector.take();
}

}  // namespace

std::vector<std::size_t> find_always(const Plan& plan, const std::vector<std::uint64_t>& ids) {
  std::vector<std::size_t> found;
  std::vector<std::uint64_t> unknown;

  for (auto id : ids) {
    const auto at = std::lower_bound(plan.processes.begin(), plan.processes.end(), id,
                                     [](const auto& p, auto wanted) { return p.id < wanted; });
    if (at != plan.processes.end() && at->id == id)
      found.push_back(static_cast<std::size_t>(at - plan.processes.begin()));
    else
      unknown.push_back(id);
  }

  if (!unknown.empty())
    throw Error(ErrorKind::usage,
                fmt::format("there is no location {} to keep always", to_ranges(unknown)))
        .hint("'tracefold group' lists the members of each group by id");

  return found;
}

void select(Plan& plan, const Selection& selection, const std::vector<RankMessages>& messages) {
  if (!plan.groups)
    throw Error(ErrorKind::usage, "the plan has no groups")
        .hint("run 'tracefold group' before 'tracefold select'");

  auto chosen = choose_representatives(plan, selection, nullptr);
  if (selection.choice == Choice::connected) {
    // Which threads are kept depends on which ranks are, and decides whether messages stay.
    auto connected = choose_representatives(plan, selection, &messages);
    if (count_staying_messages(plan, connected, messages) >
        count_staying_messages(plan, chosen, messages))
      chosen = std::move(connected);
  }

  plan.representatives = std::move(chosen);
  plan.halo.reset();
  plan.iterations.reset();
  plan.errors.reset();
  plan.selection = selection;
}

}  // namespace tracefold
