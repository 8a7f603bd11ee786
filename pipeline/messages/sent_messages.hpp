// When messages were sent, for who receives them: the pass that collects it, and what
// one location asks while its events are read.
//
// Every process that can be told is read once. At most `most_sends` messages are kept, an
// equal share of each process; of those that come later it is not known when they were
// sent, which is said with a warning. The result does not depend on the number of threads.
//
// Source: dynamics 1.5 and 3.3 (late senders need both ends of a message).
#pragma once

#include "otf2/archive.hpp"
#include "otf2/read_options.hpp"
#include "pipeline/events/series_form.hpp"
#include "pipeline/messages/message_channels.hpp"
#include "pipeline/messages/message_ends.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

// Immutable once made; any thread may ask.
class SentMessages {
 public:
  static constexpr std::size_t most_sends = std::size_t{1} << 24;

  // `read` are indexes into the plan's processes. Throws Error(input).
  SentMessages(const Archive& archive, const Plan& plan, const std::vector<std::size_t>& read,
               const FunctionTable& functions, const SeriesForm& form, const ReadOptions& options,
               Diagnostics& diagnostics, std::size_t most = most_sends);

  const MessageChannels& channels() const { return channels_; }
  // Of a process that can be told.
  const MessageEnds& ends(std::size_t process) const { return ends_.at(process); }

 private:
  MessageChannels channels_;
  std::unordered_map<std::size_t, MessageEnds> ends_;  // by process
};

// What one location receives: one thread, each receive record once, in order.
class Receives {
 public:
  Receives(const SentMessages& messages, std::uint64_t location)
      : messages_(messages), location_(location) {}

  // When the call was entered that sent what an MpiRecv or MpiIrecv receives, in ticks;
  // none where that cannot be told.
  std::optional<std::uint64_t> sent(const Event& receive);
  // Received before they were sent.
  std::uint64_t impossible() const { return impossible_; }

 private:
  struct Sender {
    const std::vector<std::uint64_t>* sent = nullptr;
    std::uint32_t received = 0;
  };

  const SentMessages& messages_;
  std::uint64_t location_;
  std::unordered_map<MessageChannel, Sender, MessageChannelHash> senders_;
  std::uint64_t receives_ = 0, impossible_ = 0;
};

}  // namespace tracefold
