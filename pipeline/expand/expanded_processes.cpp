#include "pipeline/expand/expanded_processes.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "model/messages/messages.hpp"
#include "model/plan.hpp"
#include "pipeline/events/earlier_reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>

namespace tracefold {

namespace {

// The name of what is made up: once marked, also where it was made up before.
std::string mark_name(std::string_view name) {
  name = strip_count(name);
  while (name.starts_with(expanded_mark))
    name.remove_prefix(std::string_view(expanded_mark).size());
  return expanded_mark + std::string(name);
}

// A location of the first original.
struct Original {
  std::uint64_t id = 0;
  std::uint64_t kept = 0;             // that stands for it
  const Process* process = nullptr;   // in the plan, where it is about the first original
  std::uint64_t process_id = 0;       // location group, or the own id where that is not known
  std::optional<std::uint32_t> rank;  // where MPI's ranks mean it
};

class Chooser {
  using K = DefinitionKind;

 public:
  Chooser(const Definitions& reduced, const Plan& plan, bool was_reduced_once)
      : reduced_(reduced), messages_(*plan.messages) {
    std::unordered_map<std::uint64_t, const Process*> processes;
    if (was_reduced_once)
      for (const auto& process : plan.processes)
        processes.emplace(process.id, &process);
    std::unordered_map<std::uint64_t, std::uint32_t> ranks;
    for (std::uint32_t rank = 0; rank < messages_.endpoints.size(); ++rank)
      ranks.emplace(messages_.endpoints[rank], rank);

    const auto earlier = find_earlier_reductions(reduced);
    for (auto kept : list_process_locations(reduced)) {
      const auto at = earlier.find(kept);
      sources_[kept] = find_first_original(earlier, kept);
      if (at == earlier.end())
        add(kept, kept, processes, ranks);
      else
        for (auto member : at->second.members)
          add(member, kept, processes, ranks);
    }
    std::sort(originals_.begin(), originals_.end(),
              [](const auto& a, const auto& b) { return a.id < b.id; });
    place_threads();
    for (const auto& original : originals_)
      if (original.rank) {
        auto& rank = rank_of_process_.emplace(original.process_id, *original.rank).first->second;
        rank = std::min(rank, *original.rank);
      }
    find_communicating_processes();
    find_clusters();
  }

  ExpandedProcesses choose(const std::optional<LocationList>& chosen) {
    const auto ids = chosen ? find_chosen(*chosen) : std::vector<std::uint64_t>();
    std::vector<const Original*> picked;
    for (const auto& original : originals_)
      if (!chosen || std::binary_search(ids.begin(), ids.end(), original.id))
        picked.push_back(&original);

    std::sort(picked.begin(), picked.end(),
              [&](const auto* a, const auto* b) { return make_order(*a) < make_order(*b); });

    ExpandedProcesses out;
    out.in_original = originals_.size();
    out.endpoints.assign(messages_.size, ExpandedProcesses::no_endpoint);
    std::uint64_t last = 0;
    for (const auto* original : picked) {
      if (out.processes.empty() || original->process_id != last)
        out.processes.push_back(name_process(*original));
      last = original->process_id;

      if (original->rank)
        out.endpoints[*original->rank] = out.locations.size();
      out.locations.push_back(name_location(*original, out.processes.size() - 1));
    }
    drop_cut_ranks(picked, out);
    return out;
  }

 private:
  void add(std::uint64_t id, std::uint64_t kept,
           const std::unordered_map<std::uint64_t, const Process*>& processes,
           const std::unordered_map<std::uint64_t, std::uint32_t>& ranks) {
    Original original{id, kept, nullptr, id, std::nullopt};
    if (const auto at = processes.find(id); at != processes.end()) {
      original.process = at->second;
      original.process_id = at->second->location_group;
    }
    if (const auto at = ranks.find(id); at != ranks.end())
      original.rank = at->second;
    originals_.push_back(original);
  }

  Original* find_original(std::uint64_t id) {
    const auto at = std::lower_bound(originals_.begin(), originals_.end(), id,
                                     [](const auto& a, std::uint64_t b) { return a.id < b; });
    return at != originals_.end() && at->id == id ? &*at : nullptr;
  }

  // The locations that have operations, of ranks where that is told.
  void place_threads() {
    for (std::size_t k = 0; k < messages_.threads.size(); ++k) {
      const auto& [ranks, locations] = messages_.threads[k];
      for (std::size_t m = 0; m < ranks.size(); ++m) {
        has_told_threads_.insert(ranks[m]);
        const auto* endpoint = find_original(messages_.endpoints[ranks[m]]);
        auto* original = find_original(locations[m]);
        if (!endpoint || !original) {
          is_cut_.insert(ranks[m]);
          continue;
        }
        if (!original->process && !original->rank)
          original->process_id = endpoint->process_id;
        if (original->process_id != endpoint->process_id)
          refuse_thread(*original);
        thread_of_.emplace(original->id, static_cast<std::uint8_t>(k));
      }
    }
  }

  [[noreturn]] static void refuse_thread(const Original& original) {
    throw Error(ErrorKind::input, fmt::format("the messages of the plan are wrong: location {} is "
                                              "told to be a thread of another process",
                                              original.id));
  }

  // The locations of other ranks that have operations: those that send or receive where there are
  // any, then the others.
  void find_communicating_processes() {
    std::map<std::uint32_t, std::vector<const Original*>> members;  // by rank
    for (const auto& original : originals_)
      if (const auto rank = find_rank(original))
        members[*rank].push_back(&original);

    std::vector<std::uint8_t> threads(messages_.size, 0);  // by rank: the last with operations
    std::vector<bool> communicates(messages_.size);
    for (const auto& cluster : messages_.clusters) {
      const auto last = find_last_thread(messages_, cluster);
      for (auto rank : cluster.ranks) {
        threads[rank] = last;
        communicates[rank] = true;
      }
    }

    for (auto& [rank, locations] : members) {
      if (!communicates[rank] || has_told_threads_.contains(rank))
        continue;
      std::stable_sort(locations.begin(), locations.end(), [](const auto* a, const auto* b) {
        return rate_process(*a) < rate_process(*b);
      });
      // Those that have operations are numbered by their ids.
      const auto count = std::min<std::size_t>(locations.size(), threads[rank] + std::size_t{1});
      locations.resize(count);
      std::sort(locations.begin(), locations.end(),
                [](const auto* a, const auto* b) { return a->id < b->id; });
      for (std::size_t k = 0; k < count; ++k)
        thread_of_.emplace(locations[k]->id, static_cast<std::uint8_t>(k));
    }
  }

  static int rate_process(const Original& original) {
    if (original.process && original.process->has_messages)
      return 0;
    return original.rank ? 1 : 2;
  }

  void find_clusters() {
    cluster_of_.assign(messages_.size, messages_.clusters.size());
    for (std::size_t c = 0; c < messages_.clusters.size(); ++c)
      for (auto rank : messages_.clusters[c].ranks)
        cluster_of_[rank] = c;

    kept_of_cluster_.assign(messages_.clusters.size() + 1, std::nullopt);
    for (const auto& original : originals_)
      if (original.rank && sources_.at(original.kept) == original.id) {
        auto& kept = kept_of_cluster_[cluster_of_[*original.rank]];
        if (!kept)
          kept = original.kept;
        kept_rank_[original.kept] = *original.rank;
      }
  }

  // A kept location with the same operations is followed rather than the one of the own group.
  std::uint64_t choose_kept(const Original& original) const {
    const auto own = kept_rank_.find(original.kept);
    if (!original.rank || !thread_of_.contains(original.id))
      return original.kept;

    const auto cluster = cluster_of_[*original.rank];
    if (own != kept_rank_.end() && cluster_of_[own->second] == cluster)
      return original.kept;
    return kept_of_cluster_[cluster].value_or(original.kept);
  }

  // Where groups are told, every kept location stands for members of one.
  std::vector<std::uint64_t> find_chosen(const LocationList& list) const {
    const auto properties = read_location_properties(reduced_);
    auto groups = KnownGroups::no;
    std::vector<ListedLocation> all;
    for (const auto& original : originals_) {
      all.push_back({original.id, find_owning_rank(original)});
      if (const auto at = properties.find(original.kept); at != properties.end())
        all.back().group = at->second.group;
      if (all.back().group)
        groups = KnownGroups::yes;
    }

    auto chosen = find_listed(list, all, groups);
    check_all_known(chosen);
    return chosen;
  }

  // Also of what it has created, as an accelerator.
  std::optional<std::uint64_t> find_owning_rank(const Original& original) const {
    if (const auto rank = find_rank(original))
      return *rank;
    if (!original.process || !original.process->creator)
      return std::nullopt;
    const auto at = rank_of_process_.find(*original.process->creator);
    return at == rank_of_process_.end() ? std::nullopt : std::optional<std::uint64_t>(at->second);
  }

  void check_all_known(const std::vector<std::uint64_t>& chosen) const {
    std::vector<std::uint64_t> ids;
    for (const auto& original : originals_)
      ids.push_back(original.id);
    for (auto id : chosen)
      if (!std::binary_search(ids.begin(), ids.end(), id))
        throw Error(ErrorKind::usage, fmt::format("no location {} is stood for", id))
            .hint(fmt::format("the original has {}", to_ranges(ids)));
    if (chosen.empty())
      throw Error(ErrorKind::usage, "no location is chosen");
  }

  const Definition& find_location(const Original& original) const {
    return *reduced_.find(Ref::location, original.kept);
  }
  const Definition* find_process(const Original& original) const {
    return reduced_.find(Ref::location_group,
                         get_field<"locationGroup", K::Location>(find_location(original)));
  }
  std::uint64_t find_process_type(const Original& original) const {
    const auto* process = find_process(original);
    return process ? get_field<"locationGroupType", K::LocationGroup>(*process)
                   : otf2_value::location_group_process;
  }
  // Where MPI's ranks do not mean it, it is a thread of the first rank of its location group.
  std::optional<std::uint32_t> find_rank(const Original& original) const {
    return original.rank ? original.rank : find_process_rank(original);
  }
  // The first rank of its location group.
  std::optional<std::uint32_t> find_process_rank(const Original& original) const {
    const auto at = rank_of_process_.find(original.process_id);
    return at == rank_of_process_.end() ? std::nullopt : std::optional(at->second);
  }

  std::tuple<int, std::uint64_t, std::uint64_t, std::uint64_t> make_order(
      const Original& original) const {
    const auto rank = find_process_rank(original);
    const bool is_accelerator =
        find_process_type(original) == otf2_value::location_group_accelerator;
    return {rank ? 0 : is_accelerator ? 2 : 1, rank.value_or(0), original.process_id, original.id};
  }

  ExpandedProcess name_process(const Original& original) const {
    const auto rank = find_process_rank(original);
    std::string name;
    if (original.process)
      name = original.process->location_group_name;
    else if (rank)
      name = fmt::format("MPI Rank {}", *rank);
    else if (const auto* process = find_process(original))
      name = reduced_.text(get_field<"name", K::LocationGroup>(*process));
    return {mark_name(name), find_process_type(original), rank};
  }

  ExpandedLocation name_location(const Original& original, std::size_t process) const {
    const auto& kept = find_location(original);
    const auto name = original.process ? original.process->name
                                       : reduced_.text(get_field<"name", K::Location>(kept));
    ExpandedLocation out;
    out.source = original.id;
    out.kept = choose_kept(original);
    out.name = mark_name(name);
    out.type = get_field<"locationType", K::Location>(kept);
    out.process = process;
    out.rank = find_rank(original);
    if (const auto at = thread_of_.find(original.id); at != thread_of_.end())
      out.thread = at->second;
    return out;
  }

  // The messages of a rank stay only where all of its locations that send or receive are there.
  void drop_cut_ranks(const std::vector<const Original*>& picked, ExpandedProcesses& out) const {
    std::vector<std::size_t> missing(messages_.size);  // by rank: locations with operations
    for (const auto& original : originals_)
      if (const auto rank = find_rank(original))
        missing[*rank] += thread_of_.contains(original.id);
    for (const auto* original : picked)
      if (const auto rank = find_rank(*original))
        missing[*rank] -= thread_of_.contains(original->id);

    out.is_there.assign(messages_.size, false);
    for (auto& location : out.locations) {
      const auto rank = location.rank;
      if (rank && !is_cut_.contains(*rank) &&
          out.endpoints[*rank] != ExpandedProcesses::no_endpoint && missing[*rank] == 0)
        out.is_there[*rank] = true;
      else
        location.thread.reset();
    }
  }

  const Definitions& reduced_;
  const Messages& messages_;
  std::vector<Original> originals_;                                   // ascending
  std::unordered_map<std::uint64_t, std::uint64_t> sources_;          // by kept location
  std::unordered_map<std::uint64_t, std::uint32_t> rank_of_process_;  // the first of a group
  std::unordered_map<std::uint64_t, std::uint8_t> thread_of_;  // by location that has operations
  std::set<std::uint32_t> has_told_threads_;
  std::set<std::uint32_t> is_cut_;       // ranks: a thread of theirs is not stood for
  std::vector<std::size_t> cluster_of_;  // by rank
  std::vector<std::optional<std::uint64_t>> kept_of_cluster_;
  std::unordered_map<std::uint64_t, std::uint32_t> kept_rank_;  // by kept location that MPI means
};

}  // namespace

ExpandedProcesses choose_expanded(const Definitions& reduced, const Plan& plan,
                                  bool was_reduced_once,
                                  const std::optional<LocationList>& chosen) {
  return Chooser(reduced, plan, was_reduced_once).choose(chosen);
}

}  // namespace tracefold
