#include "pipeline/messages/message_channels.hpp"

namespace tracefold {

std::size_t MessageChannelHash::operator()(const MessageChannel& channel) const {
  std::uint64_t hash = 0;
  for (auto part : {channel.sender, channel.receiver, channel.comm, channel.tag}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }

  return hash;
}

MessageChannels::MessageChannels(const Definitions& definitions, const Plan& plan,
                                 const std::vector<std::size_t>& read)
    : definitions_(definitions) {
  std::unordered_map<std::uint64_t, std::size_t> talking;  // locations, by location group
  for (const auto& p : plan.processes)
    talking[p.location_group] += p.exchanges_messages;

  for (auto r : read) {
    const auto& process = plan.processes[r];
    if (!process.exchanges_messages || talking[process.location_group] != 1)
      continue;
    talkers_.push_back(r);
    talker_of_.emplace(definitions.endpoint(process.id), r);
  }
}

std::optional<MessageChannel> MessageChannels::channel(std::uint64_t location, const Event& event,
                                                       bool sends) const {
  const auto own = definitions_.endpoint(location);
  if (!talker_of_.contains(own))
    return std::nullopt;

  const auto other = definitions_.partner(location, event.fields[1], event.fields[0]);
  if (!other || !talker_of_.contains(*other))
    return std::nullopt;

  return MessageChannel{sends ? own : *other, sends ? *other : own, event.fields[1],
                        event.fields[2]};
}

}  // namespace tracefold
