// The processes of this program that work on one trace together, on one node or on many: which of
// them reads what, and how their results are combined. This is the only interface between the
// passes and what connects processes (pipeline/distributed/ has MPI).
//
// All members run the same command, take the same decisions, and make the same calls of their team
// in the same order. Only reading the events, which takes the time, is divided between them. A null
// pointer means that one process works alone; the functions below then cost nothing.
//
// Calls are collective: they return when all members that they need have made the call, and throw
// TeamStopped where another member has failed. One thread of a member at a time.
//
// Source: structural VI.C (contexts merge in any tree); signatures 3 (merging in O(log P)).
#pragma once

#include "base/packed_values.hpp"

#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tracefold {

// Another member has failed; the text says why.
class TeamStopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Team {
 public:
  virtual ~Team() = default;

  virtual std::size_t rank() const = 0;  // of this member, below size()
  virtual std::size_t size() const = 0;

  // Returns the bytes of the first member.
  virtual std::string broadcast(std::string bytes) = 0;
  // Returns the bytes of all members by rank at the first member, and nothing elsewhere.
  virtual std::vector<std::string> gather(std::string bytes) = 0;
  // Merges the bytes of all members up a tree, neighbours first and the lower rank first, in at
  // most ceil(log2(size)) steps. Returns the result at the first member, and nothing elsewhere.
  using Merge = std::function<std::string(std::string lower, std::string higher)>;
  virtual std::string reduce(std::string bytes, const Merge& merge) = 0;
  // Sends bytes[r] to member r, and returns what the members sent to this one, by rank.
  virtual std::vector<std::string> exchange(std::vector<std::string> bytes) = 0;
  virtual void barrier() = 0;
};

inline bool is_first(const Team* team) {
  return !team || team->rank() == 0;
}

// Returns, at all members, what compute() returns at the first one. The others do not call it.
template <class T, class Compute>
T compute_once(Team* team, Compute&& compute) {
  if (!team)
    return compute();
  if (team->rank() != 0)
    return unpack<T>(team->broadcast({}));

  auto value = compute();
  team->broadcast(pack(value));
  return value;
}

// Calls action() at the first member only; the others wait for its end. An Error is thrown at all
// members, so that they agree.
template <class Action>
void decide_once(Team* team, Action&& action) {
  if (!team) {
    action();
    return;
  }

  using Outcome = std::pair<int, std::string>;  // the kind of an Error and its words; 0: none
  if (team->rank() != 0) {
    const auto [kind, words] = unpack<Outcome>(team->broadcast({}));
    if (kind != 0)
      throw Error(static_cast<ErrorKind>(kind), words);
    return;
  }

  try {
    action();
  } catch (const Error& problem) {
    team->broadcast(pack(Outcome(static_cast<int>(problem.kind()), problem.what())));
    throw;
  }
  team->broadcast(pack(Outcome()));
}

// Returns the values of all members, by rank, at each member.
template <class T>
std::vector<T> share(Team* team, T value) {
  std::vector<T> all;
  if (!team) {
    all.push_back(std::move(value));
    return all;
  }

  const auto gathered =
      unpack<std::vector<std::string>>(team->broadcast(pack(team->gather(pack(value)))));
  for (const auto& bytes : gathered)
    all.push_back(unpack<T>(bytes));
  return all;
}

// Merges the values of all members up a tree by merge(lower, higher), and returns the result at
// each member.
template <class T, class MergeValues>
T share_merged(Team* team, T value, MergeValues&& merge) {
  if (!team)
    return value;

  const auto merged =
      team->reduce(pack(value), [&](const std::string& lower, const std::string& higher) {
        return pack(merge(unpack<T>(lower), unpack<T>(higher)));
      });
  return unpack<T>(team->broadcast(merged));
}

// Merges the parts of all members by append(Part) into one part, which each member gets. Without a
// team the parts are returned as they are.
template <class Part>
std::vector<Part> share_parts(Team* team, std::vector<Part> own) {
  if (!team)
    return own;

  const auto append = [](Part lower, Part higher) {
    lower.append(std::move(higher));
    return lower;
  };
  Part all;
  for (auto& part : own)
    all.append(std::move(part));
  std::vector<Part> out;
  out.push_back(share_merged(team, std::move(all), append));
  return out;
}

// Shares values of a list or map: this member has those with the indexes in `own`, and gets the
// others. A map must have all indexes before the call.
template <class Values>
void share_found(Team* team, Values& values, const std::vector<std::size_t>& own) {
  if (!team)
    return;

  using Value = std::remove_reference_t<decltype(values.at(0))>;
  std::vector<std::pair<std::size_t, Value>> found;
  found.reserve(own.size());
  for (auto index : own)
    found.emplace_back(index, std::move(values.at(index)));
  auto all = share(team, std::move(found));
  for (auto& of_member : all)
    for (auto& [index, value] : of_member)
      values.at(index) = std::move(value);
}

}  // namespace tracefold
