#include "pipeline/messages/operation_matching.hpp"

#include "base/team.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

// The operations of one location on one channel: their numbers, ascending.
struct ChannelOperations {
  std::size_t location = 0;
  std::vector<std::uint32_t> operations;
};

// All that is matched with each other.
struct Match {
  std::vector<ChannelOperations> sends;  // of a collective: the parts of all members
  std::vector<ChannelOperations> receives;
};

bool all_stay(const std::vector<LocationOperations>& locations,
              const std::vector<ChannelOperations>& parts) {
  return std::all_of(parts.begin(), parts.end(), [&](const ChannelOperations& part) {
    return std::all_of(part.operations.begin(), part.operations.end(),
                       [&](auto op) { return locations[part.location].stays[op]; });
  });
}

void drop_all(std::vector<LocationOperations>& locations,
              const std::vector<ChannelOperations>& parts) {
  for (const auto& part : parts)
    for (auto op : part.operations)
      locations[part.location].stays[op] = false;
}

// The n-th operations of all parts are one, which stays only where each of them does.
void match_in_order(std::vector<LocationOperations>& locations,
                    const std::vector<const ChannelOperations*>& parts) {
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

void match_collective(std::vector<LocationOperations>& locations,
                      const std::vector<ChannelOperations>& parts) {
  std::set<std::uint64_t> processes;
  for (const auto& part : parts)
    processes.insert(locations[part.location].process);

  if (processes.size() < parts.size()) {
    if (!all_stay(locations, parts))
      drop_all(locations, parts);
    return;
  }

  std::vector<const ChannelOperations*> in_order;
  in_order.reserve(parts.size());
  for (const auto& part : parts)
    in_order.push_back(&part);

  match_in_order(locations, in_order);
}

std::map<Channel, Match> find_matches(const std::vector<LocationOperations>& locations) {
  std::map<Channel, Match> matches;

  for (std::size_t l = 0; l < locations.size(); ++l) {
    const auto& here = locations[l];
    std::vector<ChannelOperations> parts(here.channels.size());
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

namespace {

// The operations of one location on one channel.
struct ChannelPart {
  std::size_t location = 0;
  std::uint64_t process = 0;
  ChannelEnd end;
  std::vector<bool> stays;
};

auto list_members(Like<ChannelPart> auto& part) {
  return std::tie(part.location, part.process, part.end, part.stays);
}

// The parts of all locations that are here, in the order of the locations and their channels.
std::vector<ChannelPart> split_by_channel(const std::vector<LocationOperations>& locations) {
  std::vector<ChannelPart> parts;
  for (std::size_t l = 0; l < locations.size(); ++l) {
    const auto& here = locations[l];
    const auto first = parts.size();
    for (const auto& end : here.channels)
      parts.push_back({l, here.process, end, {}});
    for (std::size_t op = 0; op < here.channel.size(); ++op)
      if (here.channel[op] != LocationOperations::unmatched)
        parts[first + here.channel[op]].stays.push_back(here.stays[op]);
  }
  return parts;
}

// Puts back what split_by_channel() has taken.
void set_staying(std::vector<LocationOperations>& locations,
                 const std::vector<ChannelPart>& parts) {
  std::size_t first = 0;
  for (auto& here : locations) {
    std::vector<std::size_t> next(here.channels.size());  // operation, by channel
    for (std::size_t op = 0; op < here.channel.size(); ++op)
      if (const auto c = here.channel[op]; c != LocationOperations::unmatched)
        here.stays[op] = parts[first + c].stays[next[c]++];
    first += here.channels.size();
  }
}

// Matches the parts that other members have sent.
void match_parts(std::vector<std::vector<ChannelPart>>& by_sender, std::size_t locations) {
  std::vector<LocationOperations> together(locations);
  for (const auto& parts : by_sender)
    for (const auto& part : parts) {
      auto& here = together.at(part.location);
      here.process = part.process;
      here.channel.insert(here.channel.end(), part.stays.size(),
                          static_cast<std::uint32_t>(here.channels.size()));
      here.channels.push_back(part.end);
      here.stays.insert(here.stays.end(), part.stays.begin(), part.stays.end());
    }

  keep_matched_together(together);

  std::vector<std::size_t> next(locations);  // operation, by location
  for (auto& parts : by_sender)
    for (auto& part : parts)
      for (std::size_t k = 0; k < part.stays.size(); ++k)
        part.stays[k] = together[part.location].stays[next[part.location]++];
}

std::vector<std::vector<ChannelPart>> exchange_parts(Team& team,
                                                     std::vector<std::vector<ChannelPart>> parts) {
  std::vector<std::string> packed;
  for (auto& one : parts)
    packed.push_back(pack(std::exchange(one, {})));
  const auto received = team.exchange(std::move(packed));
  for (std::size_t rank = 0; rank < parts.size(); ++rank)
    parts[rank] = unpack<std::vector<ChannelPart>>(received.at(rank));
  return parts;
}

}  // namespace

void keep_matched_together(std::vector<LocationOperations>& locations, Team* team) {
  if (!team) {
    keep_matched_together(locations);
    return;
  }

  auto own = split_by_channel(locations);
  std::vector<std::size_t> matchers;  // by part
  std::vector<std::vector<ChannelPart>> parts(team->size());
  for (auto& part : own) {
    matchers.push_back(ChannelHash()(part.end.channel) % team->size());
    parts[matchers.back()].push_back(std::move(part));
  }

  auto matched = exchange_parts(*team, std::move(parts));
  match_parts(matched, locations.size());
  matched = exchange_parts(*team, std::move(matched));

  std::vector<std::size_t> next(team->size());
  for (std::size_t k = 0; k < own.size(); ++k)
    own[k] = std::move(matched[matchers[k]].at(next[matchers[k]]++));
  set_staying(locations, own);
}

}  // namespace tracefold
