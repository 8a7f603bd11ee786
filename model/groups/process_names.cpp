#include "model/groups/process_names.hpp"

#include "base/error.hpp"
#include "base/ranges.hpp"
#include "base/sort_and_unite.hpp"
#include "model/plan.hpp"
#include "otf2/otf2_values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <tuple>

namespace tracefold {

namespace {

using Numbers = std::vector<std::uint64_t>;

constexpr std::array<std::pair<std::string_view, ProcessWord>, 6> process_words{
    {{"location", ProcessWord::location},
     {"rank", ProcessWord::rank},
     {"group", ProcessWord::group},
     {"thread", ProcessWord::thread},
     {"stream", ProcessWord::stream},
     {"metrics", ProcessWord::metrics}}};

std::string_view to_text(ProcessWord word) {
  return std::find_if(process_words.begin(), process_words.end(),
                      [&](const auto& known) { return known.second == word; })
      ->first;
}

bool is_of_rank(ProcessWord word) {
  return word == ProcessWord::thread || word == ProcessWord::stream || word == ProcessWord::metrics;
}

ProcessWord choose_word(std::uint64_t location_type) {
  switch (location_type) {
    case otf2_value::location_type_accelerator: return ProcessWord::stream;
    case otf2_value::location_type_metric: return ProcessWord::metrics;
    default: return ProcessWord::thread;
  }
}

[[noreturn]] void throw_no_list(std::string_view text) {
  throw Error(ErrorKind::usage, fmt::format("'{}' is not a list of processes", text))
      .hint(
          "as in rank:0-7,12 or 'rank:0-3 thread:1-2', group:3, or ids of locations, as in "
          "0-6:2,9");
}

// The word at the begin of what is left, which is cut off with the colon or the spaces behind it.
std::optional<ProcessWord> take_word(std::string_view& left, std::string_view whole) {
  const auto end = std::min(left.find_first_not_of("abcdefghijklmnopqrstuvwxyz"), left.size());
  if (end == 0)
    return std::nullopt;

  auto name = left.substr(0, end);
  const auto found =
      std::find_if(process_words.begin(), process_words.end(), [&](const auto& known) {
        return known.first == name || std::string(known.first) + "s" == name;
      });
  left.remove_prefix(end);
  if (found == process_words.end() || left.empty() || (left.front() != ':' && left.front() != ' '))
    throw_no_list(whole);
  left.remove_prefix(std::min(left.find_first_not_of(" :"), left.size()));
  return found->second;
}

// The ranges up to the next word.
Numbers take_numbers(std::string_view& left, std::string_view whole) {
  auto ranges = left.substr(0, left.find_first_not_of("0123456789-:, "));
  left.remove_prefix(ranges.size());
  std::string text;
  std::copy_if(ranges.begin(), ranges.end(), std::back_inserter(text),
               [](char c) { return c != ' '; });
  if (text.ends_with(',') && !left.empty())
    text.pop_back();
  if (text.empty())
    throw_no_list(whole);
  return parse_ranges(text);
}

}  // namespace

ProcessList parse_process_list(std::string_view text) {
  ProcessList list;
  auto left = text;
  left.remove_prefix(std::min(left.find_first_not_of(' '), left.size()));
  while (!left.empty()) {
    const auto word = take_word(left, text);
    if (!word && !list.empty())
      throw_no_list(text);
    auto numbers = take_numbers(left, text);
    if (!word || !is_of_rank(*word)) {
      list.push_back({word.value_or(ProcessWord::location), std::move(numbers)});
      continue;
    }
    if (list.empty() || list.back().word != ProcessWord::rank || list.back().threads)
      throw_no_list(text);
    list.back().threads.emplace(*word, std::move(numbers));
  }

  if (list.empty())
    throw_no_list(text);
  return list;
}

std::string name_process(const Process& process) {
  if (!process.rank)
    return fmt::format("location {}", process.id);

  return fmt::format("rank {}", *process.rank) +
         (process.thread ? fmt::format(" thread {}", process.thread) : "");
}

std::vector<CondensedThreads> condense_threads(
    const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs) {
  std::map<std::uint64_t, Numbers> threads_of;
  for (const auto& [owner, thread] : pairs)
    threads_of[owner].push_back(thread);

  std::map<Numbers, Numbers> owners_of;  // those with the same threads
  for (auto& [owner, threads] : threads_of) {
    sort_and_unite(threads);
    owners_of[threads].push_back(owner);
  }

  std::vector<CondensedThreads> condensed;
  for (const auto& [threads, owners] : owners_of)
    condensed.push_back({owners, threads});
  std::sort(condensed.begin(), condensed.end(), [](const auto& a, const auto& b) {
    return std::tie(a.owners, a.threads) < std::tie(b.owners, b.threads);
  });

  return condensed;
}

ProcessNames::ProcessNames(const Plan& plan) {
  std::vector<std::uint64_t> types;
  for (const auto& process : plan.processes)
    types.push_back(process.intent < plan.intents.size() ? plan.intents[process.intent].set.type
                                                         : otf2_value::location_type_cpu);
  place(plan.processes, types);
}

ProcessNames::ProcessNames(const std::vector<Process>& processes,
                           const std::vector<std::uint64_t>& types) {
  place(processes, types);
}

void ProcessNames::place(const std::vector<Process>& processes,
                         const std::vector<std::uint64_t>& types) {
  std::map<std::uint64_t, std::uint64_t> rank_of;  // by location group
  for (const auto& process : processes)
    if (process.rank)
      rank_of.emplace(process.location_group, *process.rank);

  std::map<std::tuple<ProcessWord, std::uint64_t, std::uint64_t>, std::size_t> counts;
  for (std::size_t p = 0; p < processes.size(); ++p) {
    const auto& process = processes[p];
    auto rank = process.rank;
    if (!rank && process.creator)
      if (const auto at = rank_of.find(*process.creator); at != rank_of.end())
        rank = at->second;

    ids_.push_back(process.id);
    places_.push_back(rank ? Place{choose_word(types[p]), *rank, process.thread}
                           : Place{ProcessWord::location, 0, process.id});
    ++counts[{places_.back().word, places_.back().owner, places_.back().number}];
  }

  // What several would be called is told by the location id.
  std::set<std::uint64_t> seen;
  for (std::size_t p = 0; p < places_.size(); ++p) {
    auto& place = places_[p];
    if (counts.at({place.word, place.owner, place.number}) > 1)
      place = {ProcessWord::location, 0, ids_[p]};
    if (place.word == ProcessWord::location)
      continue;
    have_ranks_ = true;
    are_plain_ = are_plain_ && place.word == ProcessWord::thread && place.number == 0 &&
                 seen.insert(place.owner).second;
  }
}

std::string ProcessNames::name(std::size_t process) const {
  const auto& [word, owner, number] = places_.at(process);
  if (word == ProcessWord::location)
    return fmt::format("location {}", number);
  if (word == ProcessWord::thread && number == 0)
    return fmt::format("rank {}", owner);
  return fmt::format("rank {} {} {}", owner, to_text(word), number);
}

std::string ProcessNames::list(const std::vector<std::size_t>& processes) const {
  std::map<ProcessWord, std::vector<std::pair<std::uint64_t, std::uint64_t>>> by_word;
  Numbers locations;
  for (auto p : processes)
    if (const auto& place = places_.at(p); place.word == ProcessWord::location)
      locations.push_back(place.number);
    else
      by_word[place.word].emplace_back(place.owner, place.number);

  std::string out;
  const auto add = [&](const std::string& words) { out += (out.empty() ? "" : ", ") + words; };
  for (const auto& [word, pairs] : by_word)
    for (const auto& [owners, threads] : condense_threads(pairs))
      add(are_plain_
              ? "rank:" + to_ranges(owners)
              : fmt::format("rank {} {} {}", to_ranges(owners), to_text(word), to_ranges(threads)));
  if (!locations.empty() && have_ranks_)
    add((are_plain_ ? "location:" : "location ") + to_ranges(locations));
  else if (!locations.empty())
    add(to_ranges(locations));

  return out;
}

namespace {

[[noreturn]] void throw_not_there(const std::string& what, const Numbers& unknown,
                                  const std::string& hint) {
  Error error(ErrorKind::usage, fmt::format("there is no {} {}", what, to_ranges(unknown)));
  if (!hint.empty())
    error.hint(hint);
  throw error;
}

}  // namespace

std::vector<std::uint64_t> ProcessNames::find_locations(
    const ProcessList& list, const std::vector<std::vector<std::size_t>>* groups) const {
  Numbers found;
  // Takes the processes for which number_of(process) is one of the numbers, and returns the numbers
  // that none has.
  const auto take = [&](const Numbers& numbers, auto&& number_of) {
    std::set<std::uint64_t> met;
    for (std::size_t p = 0; p < ids_.size(); ++p)
      if (const auto number = number_of(p);
          number && std::binary_search(numbers.begin(), numbers.end(), *number)) {
        met.insert(*number);
        found.push_back(ids_[p]);
      }
    Numbers unknown;
    std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(unknown),
                 [&](auto number) { return !met.contains(number); });
    return unknown;
  };
  Numbers ranks;
  for (const auto& place : places_)
    if (place.word != ProcessWord::location)
      ranks.push_back(place.owner);
  sort_and_unite(ranks);

  for (const auto& [word, numbers, threads] : list) {
    if (word == ProcessWord::location) {
      const auto unknown = take(numbers, [&](std::size_t p) { return std::optional(ids_[p]); });
      if (!unknown.empty())
        throw_not_there("location", unknown, ranks.empty() ? "" : "rank:0 is a rank");
      continue;
    }

    if (word == ProcessWord::group) {
      Numbers unknown;
      for (auto group : numbers)
        if (!groups || group >= groups->size())
          unknown.push_back(group);
        else
          for (auto member : (*groups)[group])
            found.push_back(ids_.at(member));
      if (!unknown.empty())
        throw_not_there("group", unknown,
                        !groups || groups->empty()
                            ? "groups are there once 'tracefold group' has made them"
                            : fmt::format("groups are 0-{}", groups->size() - 1));
      continue;
    }

    Numbers no_rank;
    std::set_difference(numbers.begin(), numbers.end(), ranks.begin(), ranks.end(),
                        std::back_inserter(no_rank));
    if (!no_rank.empty())
      throw_not_there("rank", no_rank,
                      ranks.empty() ? "nothing here has a rank: give ids of locations"
                                    : "ranks are " + to_ranges(ranks));
    const auto is_meant = [&](std::size_t p) {
      return places_[p].word != ProcessWord::location &&
             std::binary_search(numbers.begin(), numbers.end(), places_[p].owner);
    };
    if (!threads) {
      for (std::size_t p = 0; p < ids_.size(); ++p)
        if (is_meant(p))
          found.push_back(ids_[p]);
      continue;
    }
    const auto& [kind, wanted] = *threads;
    const auto unknown = take(wanted, [&, kind = kind](std::size_t p) {
      return is_meant(p) && places_[p].word == kind ? std::optional(places_[p].number)
                                                    : std::nullopt;
    });
    if (!unknown.empty())
      throw_not_there(std::string(to_text(kind)), unknown, "of rank " + to_ranges(numbers));
  }

  sort_and_unite(found);

  return found;
}

}  // namespace tracefold
