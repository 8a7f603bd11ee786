#include "pipeline/messages/channel.hpp"

#include <utility>

namespace tracefold {

std::size_t ChannelHash::operator()(const Channel& channel) const {
  std::uint64_t hash = static_cast<std::uint64_t>(channel.kind);
  for (auto part : {channel.sender, channel.receiver, channel.scope, channel.tag}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }

  return hash;
}

std::optional<ChannelEnd> find_message_channel(const Definitions& definitions,
                                               std::uint64_t location, const Event& event) {
  using enum EventKind;
  const bool receives = receives_message(event.kind);
  const auto rank = receives ? get_field<"sender", MpiRecv, MpiIrecv>(event)
                             : get_field<"receiver", MpiSend, MpiIsend>(event);
  const auto comm = get_field<"communicator", MpiSend, MpiIsend, MpiRecv, MpiIrecv>(event);
  const auto tag = get_field<"msgTag", MpiSend, MpiIsend, MpiRecv, MpiIrecv>(event);

  const auto partner = definitions.partner(location, comm, rank);
  if (!partner)
    return std::nullopt;

  auto sender = definitions.endpoint(location);
  auto receiver = *partner;
  if (receives)
    std::swap(sender, receiver);

  return ChannelEnd{{Channel::Kind::message, comm, sender, receiver, tag}, receives};
}

std::optional<bool> is_root(const Definitions& definitions, std::uint64_t location,
                            std::uint64_t communicator, std::uint64_t root) {
  if (root >= otf2_value::root_this_group)
    return root == otf2_value::root_self ? std::optional(true) : std::nullopt;
  const auto whose = definitions.partner(location, communicator, root);
  return whose ? std::optional(*whose == definitions.endpoint(location)) : std::nullopt;
}

std::uint32_t ChannelNumbers::number(const ChannelEnd& end) {
  const auto next = static_cast<std::uint32_t>(ends_.size());
  const auto [at, is_new] = numbers_.try_emplace(end, next);
  if (is_new)
    ends_.push_back(end);

  return at->second;
}

}  // namespace tracefold
