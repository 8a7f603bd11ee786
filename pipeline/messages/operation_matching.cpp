#include "pipeline/messages/operation_matching.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tracefold {

namespace {

// The operations of one location on one channel: their numbers, ascending.
struct Part {
  std::size_t location = 0;
  std::vector<std::uint32_t> operations;
};

// All that is matched with each other.
struct Match {
  std::vector<Part> sends;  // of a collective: the parts of all members
  std::vector<Part> receives;
};

bool all_stay(const std::vector<LocationOperations>& locations, const std::vector<Part>& parts) {
  return std::all_of(parts.begin(), parts.end(), [&](const Part& part) {
    return std::all_of(part.operations.begin(), part.operations.end(),
                       [&](auto op) { return locations[part.location].stays[op]; });
  });
}

void drop_all(std::vector<LocationOperations>& locations, const std::vector<Part>& parts) {
  for (const auto& part : parts)
    for (auto op : part.operations)
      locations[part.location].stays[op] = false;
}

// The n-th operations of all parts are one, which stays only where each of them does.
void match_in_order(std::vector<LocationOperations>& locations,
                    const std::vector<const Part*>& parts) {
  std::size_t longest = 0;
  for (const auto* part : parts)
    longest = std::max(longest, part->operations.size());

  for (std::size_t n = 0; n < longest; ++n) {
    bool stays = true;
    for (const auto* part : parts)
      if (n < part->operations.size())
        stays = stays && locations[part->location].stays[part->operations[n]];

    if (stays)
      continue;
    for (const auto* part : parts)
      if (n < part->operations.size())
        locations[part->location].stays[part->operations[n]] = false;
  }
}

void match_message(std::vector<LocationOperations>& locations, const Match& match) {
  const auto& [sends, receives] = match;
  if (sends.empty() || receives.empty())
    return;  // the tool recorded one end only

  if (sends.size() == 1 && receives.size() == 1 &&
      sends[0].operations.size() == receives[0].operations.size()) {
    match_in_order(locations, {&sends[0], &receives[0]});
  } else if (!all_stay(locations, sends) || !all_stay(locations, receives)) {
    drop_all(locations, sends);
    drop_all(locations, receives);
  }
}

void match_collective(std::vector<LocationOperations>& locations, const std::vector<Part>& parts) {
  std::set<std::uint64_t> processes;
  for (const auto& part : parts)
    processes.insert(locations[part.location].process);

  if (processes.size() < parts.size()) {
    if (!all_stay(locations, parts))
      drop_all(locations, parts);
    return;
  }

  std::vector<const Part*> in_order;
  in_order.reserve(parts.size());
  for (const auto& part : parts)
    in_order.push_back(&part);

  match_in_order(locations, in_order);
}

std::map<Channel, Match> find_matches(const std::vector<LocationOperations>& locations) {
  std::map<Channel, Match> matches;

  for (std::size_t l = 0; l < locations.size(); ++l) {
    const auto& here = locations[l];
    std::vector<Part> parts(here.channels.size());
    for (std::uint32_t op = 0; op < here.channel.size(); ++op)
      if (here.channel[op] != LocationOperations::unmatched)
        parts[here.channel[op]].operations.push_back(op);

    for (std::uint32_t c = 0; c < parts.size(); ++c) {
      parts[c].location = l;
      const auto& [channel, receives] = here.channels[c];
      auto& match = matches[channel];
      (receives ? match.receives : match.sends).push_back(std::move(parts[c]));
    }
  }

  return matches;
}

}  // namespace

void keep_matched_together(std::vector<LocationOperations>& locations) {
  for (const auto& [channel, match] : find_matches(locations)) {
    if (channel.kind == Channel::Kind::message)
      match_message(locations, match);
    else
      match_collective(locations, match.sends);
  }
}

}  // namespace tracefold
