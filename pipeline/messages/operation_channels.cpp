#include "pipeline/messages/operation_channels.hpp"

namespace tracefold {

std::optional<std::uint32_t> OperationChannels::find(const Event& event) {
  using enum EventKind;

  switch (event.kind) {
    case MpiSend:
    case MpiIsend:
    case MpiRecv:
    case MpiIrecv: {
      const auto end = find_message_channel(definitions_, location_, event);
      return end ? std::optional(numbers_.number(*end)) : std::nullopt;
    }
    case MpiCollectiveEnd:
    case NonBlockingCollectiveComplete: {
      const auto comm =
          get_field<"communicator", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event);
      return numbers_.number({make_collective_channel(Channel::Kind::collective, comm, comm)});
    }
    case RmaCollectiveEnd: {
      const auto window = get_field<"win", RmaCollectiveEnd>(event);
      const auto* definition = definitions_.find(Ref::rma_win, window);
      const auto comm = definition ? get_field<"comm", DefinitionKind::RmaWin>(*definition)
                                   : undefined_id(Ref::comm);
      return numbers_.number(
          {make_collective_channel(Channel::Kind::one_sided_collective, window, comm)});
    }
    default: return std::nullopt;
  }
}

// A collective on a communicator of one location is matched by no other.
Channel OperationChannels::make_collective_channel(Channel::Kind kind, std::uint64_t scope,
                                                   std::uint64_t comm) const {
  Channel channel{kind, scope};
  const auto* definition = definitions_.find(Ref::comm, comm);
  if (definition && definitions_.is_self(*definition)) {
    channel.sender = location_;
    channel.receiver = location_;
  }

  return channel;
}

}  // namespace tracefold
