#include "filters/groups/name_groups.hpp"

#include "base/ranges.hpp"
#include "filters/groups/name_by_calls.hpp"
#include "model/plan.hpp"
#include "otf2/otf2_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace tracefold {

namespace {

using Owner = std::pair<bool, std::uint64_t>;  // as Process::owner
using Threads = std::vector<std::uint64_t>;    // ascending; two locations may have one number
using ThreadsByOwner = std::map<Owner, Threads>;

void sort_threads(ThreadsByOwner& threads) {
  for (auto& [owner, list] : threads)
    std::sort(list.begin(), list.end());
}

// Which locations of each of its owners a group has, in words.
struct ThreadWords {
  std::string one, several;   // "main thread", "main threads"; empty: owners have one location each
  bool needs_owners = false;  // without them it is not clear that all owners are meant
  std::size_t owners = 0;     // of the program that have such locations
};

// Where the members of a group are.
struct GroupPlace {
  ThreadWords threads;
  std::size_t owners = 0;  // 0: there are no words for it
  std::size_t members = 0;
  RankSet ranks;  // of the owners; empty where some have none

  bool is_everywhere() const { return owners == threads.owners; }
};

// Calls fits(own threads, all threads) for all owners of a group.
template <class Fits>
bool fits_all(const ThreadsByOwner& own, const ThreadsByOwner& all, Fits fits) {
  return std::all_of(own.begin(), own.end(),
                     [&](const auto& one) { return fits(one.second, all.at(one.first)); });
}

template <class Fits>
std::size_t count_owners(const ThreadsByOwner& all, Fits fits) {
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const auto& one) { return fits(one.second); }));
}

bool is_one(const Threads& threads) {
  return threads.size() == 1;
}
bool has_main(const Threads& threads) {
  return threads.front() == 0 && (threads.size() == 1 || threads[1] > 0);
}
bool is_whole(const Threads& own, const Threads& all) {
  return own == all;
}

// "thread 2" or "threads 1-3" of each; none where owners differ in them.
std::optional<ThreadWords> name_numbers(const std::string& word, const ThreadsByOwner& own,
                                        const ThreadsByOwner& all) {
  const auto& numbers = own.begin()->second;
  const auto has_each_once = [&](const Threads& every) {
    return std::all_of(numbers.begin(), numbers.end(), [&](auto number) {
      return std::count(every.begin(), every.end(), number) == 1;
    });
  };
  if (!fits_all(own, all, [&](const auto& some, const auto& every) {
        return some == numbers && has_each_once(every);
      }))
    return std::nullopt;

  const auto words =
      fmt::format("{}{} {}", word, numbers.size() == 1 ? "" : "s", to_ranges(numbers));
  return ThreadWords{words, words, true, count_owners(all, [&](const Threads& every) {
                       return std::includes(every.begin(), every.end(), numbers.begin(),
                                            numbers.end());
                     })};
}

// For locations on processors. name_others() is for accelerators and locations of metrics.
std::optional<ThreadWords> name_threads(const ThreadsByOwner& own, const ThreadsByOwner& all) {
  if (count_owners(all, is_one) == all.size())
    return ThreadWords{"", "", false, all.size()};
  if (fits_all(own, all, is_whole) && count_owners(own, is_one) < own.size())
    return ThreadWords{"all threads", "all threads", false, all.size()};

  if (count_owners(all, has_main) == all.size()) {
    if (fits_all(own, all, [](const auto& some, const auto&) { return some == Threads{0}; }))
      return ThreadWords{"main thread", "main threads", false, all.size()};
    if (fits_all(own, all, [](const auto& some, const auto& every) {
          return std::equal(some.begin(), some.end(), every.begin() + 1, every.end());
        }))
      return ThreadWords{"worker thread", "worker threads", false,
                         all.size() - count_owners(all, is_one)};
  }
  return name_numbers("thread", own, all);
}
std::optional<ThreadWords> name_others(const std::string& word, const ThreadsByOwner& own,
                                       const ThreadsByOwner& all) {
  if (fits_all(own, all, is_whole))
    return ThreadWords{word, word + "s", false, all.size()};
  return name_numbers(word, own, all);
}

class Program {
 public:
  explicit Program(const ProgramPlaces& places) : places_(places) {
    std::set<std::uint64_t> ranks;
    for (const auto& location : places.locations) {
      by_type_[location.type][{location.has_rank, location.owner}].push_back(location.thread);
      if (location.has_rank)
        ranks.insert(location.owner);
    }
    for (auto& [type, threads] : by_type_)
      sort_threads(threads);

    ranks_.assign(ranks.begin(), ranks.end());
    is_dense_ = !ranks_.empty() && ranks_.back() + 1 == ranks_.size();
    for (const auto& grid : places.grids)
      if (is_dense_ && grid.coordinates.size() == ranks_.size() * grid.axes.size()) {
        grids_.emplace_back(grid);
        is_ring_ |= count_used(grid) == 1 && is_periodic(grid);
      }
  }

  GroupPlace find_place(const Group& group) const;
  const std::vector<GridPositions>& grids() const { return grids_; }
  bool is_all(const RankSet& ranks) const { return ranks == ranks_; }
  // For several ranks, or rank 0; "" if there is no word.
  std::string name_ranks(const RankSet& ranks) const;

 private:
  static std::size_t count_used(const RankGrid& grid) {
    return static_cast<std::size_t>(std::count_if(grid.axes.begin(), grid.axes.end(),
                                                  [](const auto& axis) { return axis.size > 1; }));
  }
  static bool is_periodic(const RankGrid& grid) {
    return std::any_of(grid.axes.begin(), grid.axes.end(),
                       [](const auto& axis) { return axis.size > 1 && axis.periodic; });
  }

  const ProgramPlaces& places_;
  std::map<std::uint64_t, ThreadsByOwner> by_type_;
  RankSet ranks_;
  bool is_dense_ = false;  // ranks are 0, 1, 2, …
  bool is_ring_ = false;
  std::vector<GridPositions> grids_;
};

GroupPlace Program::find_place(const Group& group) const {
  ThreadsByOwner own;
  std::set<std::uint64_t> types;
  GroupPlace place;
  for (auto member : group.members) {
    if (member >= places_.stands_for.size() || places_.stands_for[member].empty())
      return {};
    for (auto location : places_.stands_for[member]) {
      const auto& at = places_.locations[location];
      own[{at.has_rank, at.owner}].push_back(at.thread);
      types.insert(at.type);
      ++place.members;
    }
  }
  if (types.size() != 1)
    return {};
  sort_threads(own);

  const auto type = *types.begin();
  const auto& all = by_type_.at(type);
  auto threads = type == otf2_value::location_type_cpu ? name_threads(own, all)
                 : type == otf2_value::location_type_accelerator
                     ? name_others("accelerator stream", own, all)
                     : name_others("metric location", own, all);
  if (!threads)
    return {};

  place.threads = std::move(*threads);
  // Streams and metrics are of every rank only where each rank has them.
  if (type != otf2_value::location_type_cpu && !ranks_.empty())
    place.threads.owners = std::max(place.threads.owners, ranks_.size());
  place.owners = own.size();
  if (std::all_of(own.begin(), own.end(), [](const auto& one) { return one.first.first; }))
    for (const auto& [owner, numbers] : own)
      place.ranks.push_back(owner.second);
  return place;
}

std::string Program::name_ranks(const RankSet& ranks) const {
  if (!is_dense_)
    return {};
  auto words = name_by_order(ranks, ranks_.size(), is_ring_);
  return words.empty() ? name_by_nodes(ranks, places_.nodes, ranks_.size()) : words;
}

// A name for the ranks of a group.
struct RankWords {
  std::string words;
  bool is_position = false;  // in the grid
};

std::string join_place(const GroupPlace& place, const RankWords& ranks) {
  const auto& threads = place.members == 1 ? place.threads.one : place.threads.several;
  if (threads.empty())
    return ranks.words;
  const bool is_named_by_order =
      ranks.words.starts_with("last") || ranks.words.starts_with("first");
  return threads +
         (ranks.is_position   ? ", "
          : is_named_by_order ? " of the "
                              : " of ") +
         ranks.words;
}

// Where a group is everywhere: no ranks have to be named.
std::string name_everywhere(const GroupPlace& place) {
  const bool is_alone = place.owners == 1;
  if (place.threads.several.empty())
    return is_alone ? "main thread" : place.ranks.empty() ? "all processes" : "all ranks";
  const auto& threads = place.members == 1 ? place.threads.one : place.threads.several;
  if (!place.threads.needs_owners || is_alone)
    return threads;
  return threads + (place.ranks.empty() ? " of every process" : " of every rank");
}

// The names of groups by where they are: one that fits well, and one that only tells a rank.
struct PlaceNames {
  std::string strong, weak;
};

std::vector<PlaceNames> name_places(const Program& program, const std::vector<GroupPlace>& places) {
  // What needs no grid.
  const auto is_plain = [&](const GroupPlace& place) {
    return place.owners == 0 || place.is_everywhere() || place.ranks.empty() ||
           program.is_all(place.ranks);
  };
  const auto find_best_grid = [&]() -> const GridPositions* {
    const GridPositions* best = nullptr;
    std::ptrdiff_t most = 0;
    for (const auto& grid : program.grids()) {
      const auto named = std::count_if(places.begin(), places.end(), [&](const auto& place) {
        return !is_plain(place) && place.ranks.size() > 1 &&
               program.name_ranks(place.ranks) != "all ranks but 0" &&
               !grid.name(place.ranks).empty();
      });
      if (named > most) {
        most = named;
        best = &grid;
      }
    }
    return best;
  };
  const auto* grid = find_best_grid();

  std::vector<RankWords> words(places.size());
  bool is_first_apart = false;  // rank 0 is left out by name
  for (std::size_t g = 0; g < places.size(); ++g) {
    const auto& place = places[g];
    if (is_plain(place))
      continue;
    words[g].words = program.name_ranks(place.ranks);
    is_first_apart |= words[g].words.ends_with("but 0");
    const bool is_first = place.ranks == RankSet{0};
    if (!grid || is_first || words[g].words == "all ranks but 0")
      continue;
    if (auto position = grid->name(place.ranks); !position.empty()) {
      is_first_apart |= position.ends_with("but rank 0");
      words[g] = {std::move(position), true};
    }
  }

  std::vector<PlaceNames> names(places.size());
  for (std::size_t g = 0; g < places.size(); ++g) {
    const auto& place = places[g];
    if (place.owners == 0)
      continue;
    const bool is_process = place.owners == 1 && place.threads.several.empty();
    if (place.is_everywhere() && (!is_process || place.ranks.empty())) {
      names[g].strong = name_everywhere(place);
      continue;
    }
    if (place.ranks.empty())
      continue;

    auto& own = words[g];
    if (program.is_all(place.ranks) && place.ranks.size() > 1)
      own.words = "all ranks";
    if (place.ranks == RankSet{0} && grid && !is_first_apart)
      if (auto position = grid->name(place.ranks); !position.empty())
        own = {std::move(position), true};
    if (own.words.empty() && place.ranks.size() == 1)
      names[g].weak = join_place(place, {fmt::format("rank {}", place.ranks.front())});
    else if (!own.words.empty())
      names[g].strong = join_place(place, own);
  }

  return names;
}

// Takes for each list the first text that no other list takes; "" where there is none.
std::vector<std::string> choose_distinct(const std::vector<std::vector<std::string>>& texts) {
  std::vector<std::size_t> next(texts.size());
  const auto find_text = [&](std::size_t g) {
    return next[g] < texts[g].size() ? &texts[g][next[g]] : nullptr;
  };

  for (bool is_done = false; !is_done;) {
    is_done = true;
    std::map<std::string, std::size_t> taken;
    for (std::size_t g = 0; g < texts.size(); ++g)
      if (const auto* text = find_text(g))
        ++taken[*text];
    for (std::size_t g = 0; g < texts.size(); ++g)
      if (const auto* text = find_text(g); text && taken.at(*text) > 1) {
        ++next[g];
        is_done = false;
      }
  }

  std::vector<std::string> chosen(texts.size());
  for (std::size_t g = 0; g < texts.size(); ++g)
    if (const auto* text = find_text(g))
      chosen[g] = *text;
  return chosen;
}

}  // namespace

void name_groups(Plan& plan, const ProgramPlaces& places) {
  auto& groups = *plan.groups;
  const Program program(places);
  std::vector<GroupPlace> found;
  for (const auto& group : groups)
    found.push_back(program.find_place(group));
  auto names = name_places(program, found);

  const auto calls =
      places.knows_calls ? list_call_words(plan) : std::vector<CallWords>(groups.size());
  std::vector<std::vector<std::string>> texts(groups.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const auto earlier = places.earlier_names.find(groups[g].members);
    texts[g] = {names[g].strong, calls[g].calls,
                earlier == places.earlier_names.end() ? std::string() : earlier->second,
                names[g].weak};
    texts[g].insert(texts[g].end(), calls[g].others.begin(), calls[g].others.end());
    std::erase(texts[g], "");
  }

  auto chosen = choose_distinct(texts);
  for (std::size_t g = 0; g < groups.size(); ++g)
    groups[g].name = std::move(chosen[g]);
}

}  // namespace tracefold
