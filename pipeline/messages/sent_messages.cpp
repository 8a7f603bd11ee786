#include "pipeline/messages/sent_messages.hpp"

#include "pipeline/events/each_location.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tracefold {

SentMessages::SentMessages(const Archive& archive, const Plan& plan,
                           const std::vector<std::size_t>& read, const FunctionTable& functions,
                           const SeriesForm& form, const ReadOptions& options,
                           Diagnostics& diagnostics, std::size_t most)
    : channels_(archive.definitions(), plan, read) {
  const auto& talkers = channels_.talkers();
  std::vector<std::uint64_t> ids;
  ids.reserve(talkers.size());
  for (auto t : talkers)
    ids.push_back(plan.processes[t].id);

  const auto share = most / std::max<std::size_t>(talkers.size(), 1);
  std::vector<MessageEnds> found(ids.size());

  each_location(archive, ids, options, diagnostics, [&](EventReader& reader, std::size_t i) {
    MessageEndsSink sink(channels_, form, ids[i], share);
    CleanEvents<MessageEndsSink> events(functions, sink);
    reader.read(ids[i], events);
    events.finish();
    found[i] = sink.take();
    if (found[i].left_out)
      diagnostics.warn(fmt::format("who waits for messages beyond the first {} of a process is not "
                                   "told from other point-to-point time",
                                   share),
                       fmt::format("location {}", ids[i]), found[i].left_out);
  });

  for (std::size_t i = 0; i < ids.size(); ++i)
    ends_.emplace(talkers[i], std::move(found[i]));
}

std::optional<std::uint64_t> Receives::sent(const Event& receive) {
  const auto number = receives_++;
  const auto channel = messages_.channels().of_receive(location_, receive);
  if (!channel)
    return std::nullopt;

  const auto& own = messages_.ends(messages_.channels().talker(channel->receiver));
  const auto [sender, fresh] = senders_.try_emplace(*channel);
  if (fresh) {
    const auto& sent = messages_.ends(messages_.channels().talker(channel->sender)).sent;
    if (const auto at = sent.find(*channel); at != sent.end())
      sender->second.sent = &at->second;
  }

  auto place = sender->second.received++;
  if (number >= own.receives_told)
    return std::nullopt;
  if (const auto other = own.places.find(number); other != own.places.end())
    place = other->second;
  if (!sender->second.sent || place >= sender->second.sent->size())
    return std::nullopt;

  const auto when = (*sender->second.sent)[place];
  impossible_ += when > receive.time;

  return when;
}

}  // namespace tracefold
