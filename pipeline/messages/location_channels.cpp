#include "pipeline/messages/location_channels.hpp"

namespace tracefold {

LocationChannels::Use LocationChannels::get_use(const Event& event) {
  using enum EventKind;
  const bool receives = receives_message(event.kind);
  return {get_field<"communicator", MpiSend, MpiIsend, MpiRecv, MpiIrecv>(event),
          receives ? get_field<"sender", MpiRecv, MpiIrecv>(event)
                   : get_field<"receiver", MpiSend, MpiIsend>(event),
          get_field<"msgTag", MpiSend, MpiIsend, MpiRecv, MpiIrecv>(event), receives};
}

std::optional<std::uint32_t> LocationChannels::find_number(const Event& event) {
  const auto end = find_message_channel(definitions_, location_, event);
  return end ? std::optional(numbers_.number(*end)) : std::nullopt;
}

}  // namespace tracefold
