// The processes of this program that work on one trace together, on one node or on many: who works
// on what, and how what they find comes together. It is the one seam between passes and that which
// connects processes (pipeline/distributed/ has MPI).
//
// Every member of a team runs the same command, takes the same decisions, and comes to the same
// calls of its team in the same order; what costs, the reading of events, is dealt. A null pointer
// stands for no team: one process works alone, and the functions below then cost nothing.
//
// Calls are collective: they return when all members that they need have come, and throw
// TeamStopped where another member has failed meanwhile. One thread of a member at a time.
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

// Another member has failed, and tells why.
class TeamStopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class Team {
 public:
  virtual ~Team() = default;

  virtual std::size_t rank() const = 0;  // of this member, below size()
  virtual std::size_t size() const = 0;

  // What the first member gives.
  virtual std::string broadcast(std::string bytes) = 0;
  // At the first member what all give, by rank; elsewhere nothing.
  virtual std::vector<std::string> gather(std::string bytes) = 0;
  // At the first member what all give, merged in pairs of neighbours up a tree, the lower rank
  // first: the longest chain has ceil(log2(size)) merges. Elsewhere nothing.
  using Merge = std::function<std::string(std::string lower, std::string higher)>;
  virtual std::string reduce(std::string bytes, const Merge& merge) = 0;
  // What each member gives to each, by rank of the receiver; returns by rank of the sender.
  virtual std::vector<std::string> exchange(std::vector<std::string> bytes) = 0;
  virtual void barrier() = 0;
};

inline bool is_first(const Team* team) {
  return !team || team->rank() == 0;
}

// What the first member computes, which the others do not.
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

// Does what only one member may do, and the first does: nobody goes on before. What that throws as
// an Error, all throw with these words, so that they agree on it.
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

// What all members give, by rank, at each of them.
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

// What all members give, merged up a tree by merge(lower, higher), at each of them.
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

// Parts of what members found, which append(Part) puts together: all that all members have as one
// part, merged up a tree, at each of them. Without a team they stay as they are.
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

// Values by index, in a list or a map, of which each member has found those with the indexes `own`:
// all of them, at each member. A map has all indexes before.
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
