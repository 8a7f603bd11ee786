// The channels on which one location sends and receives messages. Each is looked up once, since a
// location has few channels, and finding the process of a rank takes long.
//
// One location, one thread. Memory: 4 KiB, and that of ChannelNumbers.
#pragma once

#include "pipeline/messages/channel.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tracefold {

class LocationChannels {
 public:
  // The definitions must outlive this.
  LocationChannels(const Definitions& definitions, std::uint64_t location)
      : definitions_(definitions), location_(location) {}

  // The number of the channel of a record that sends or receives a message: 0, 1, 2, … by first
  // use; none if the other process is not known.
  std::optional<std::uint32_t> find(const Event& event) {
    const auto use = get_use(event);
    auto& recent = recent_[use.find_slot()];
    if (!recent.is_set || recent.use != use) [[unlikely]]
      recent = {use, find_number(event), true};

    return recent.number;
  }

  // By number.
  const std::vector<ChannelEnd>& ends() const { return numbers_.ends(); }

 private:
  static constexpr unsigned slot_bits = 6;

  // What a record says about its channel.
  struct Use {
    std::uint64_t communicator = 0, rank = 0, tag = 0;
    bool receives = false;

    bool operator==(const Use&) const = default;
    std::size_t find_slot() const {
      constexpr std::uint64_t factor = 0x9e3779b97f4a7c15u;
      auto hash = (communicator * factor + rank) * factor + tag;
      hash = (hash * 2 + receives) * factor;
      return hash >> (64 - slot_bits);
    }
  };
  struct Recent {
    Use use;
    std::optional<std::uint32_t> number;
    bool is_set = false;
  };

  static Use get_use(const Event& event) {
    using enum EventKind;
    const bool receives = receives_message(event.kind);
    return {get_field<"communicator", MpiSend, MpiIsend, MpiRecv, MpiIrecv>(event),
            receives ? get_field<"sender", MpiRecv, MpiIrecv>(event)
                     : get_field<"receiver", MpiSend, MpiIsend>(event),
            get_field<"msgTag", MpiSend, MpiIsend, MpiRecv, MpiIrecv>(event), receives};
  }
  [[gnu::noinline]] std::optional<std::uint32_t> find_number(const Event& event) {
    const auto end = find_message_channel(definitions_, location_, event);
    return end ? std::optional(numbers_.number(*end)) : std::nullopt;
  }

  const Definitions& definitions_;
  std::uint64_t location_;
  ChannelNumbers numbers_;
  std::array<Recent, std::size_t{1} << slot_bits>
      recent_;  // by hash: the most recently used channels
};

}  // namespace tracefold
