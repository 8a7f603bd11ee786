// Numbers the channels of the operations of one location. The first record of an operation that
// names a partner or communicator determines its channel. One location, one thread; the definitions
// must outlive this.
#pragma once

#include "pipeline/messages/channel.hpp"

#include <cstdint>
#include <optional>

namespace tracefold {

class OperationChannels {
 public:
  OperationChannels(const Definitions& definitions, std::uint64_t location)
      : definitions_(definitions), location_(location) {}

  // The number of the channel that a record names; none if it names none.
  std::optional<std::uint32_t> find(const Event& event);
  // By number.
  const std::vector<ChannelEnd>& ends() const { return numbers_.ends(); }

 private:
  Channel make_collective_channel(Channel::Kind kind, std::uint64_t scope,
                                  std::uint64_t comm) const;

  const Definitions& definitions_;
  std::uint64_t location_;
  ChannelNumbers numbers_;
};

}  // namespace tracefold
