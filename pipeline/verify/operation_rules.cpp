#include "pipeline/verify/operation_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace tracefold {

std::size_t OperationParts::begin(bool inside) {
  parts_.push_back({std::nullopt, inside, false});
  return parts_.size() - 1;
}

// What never began tells nothing.
void OperationParts::complete(std::optional<std::size_t> part, std::optional<ChannelEnd> channel,
                              bool stays, bool inside) {
  if (!part)
    return;

  auto& found = parts_[*part];
  found.channel = channel;
  found.stays = stays;
  found.may_go = found.may_go || inside;
}

std::optional<ChannelEnd> OperationParts::find_collective_channel(std::uint64_t comm) const {
  const auto* found = original_.find(Ref::comm, comm);
  if (!found)
    return std::nullopt;

  ChannelEnd end;
  end.channel = {Channel::Kind::collective, comm, 0, 0, 0};
  if (found->kind != DefinitionKind::Comm)
    return end;

  const auto* group = original_.find(Ref::group, get_field<"group", DefinitionKind::Comm>(*found));
  const bool is_own =
      group && get_field<"groupType", DefinitionKind::Group>(*group) == otf2_value::group_comm_self;
  if (is_own)
    end.channel.sender = end.channel.receiver = location_;

  return end;
}

void OperationParts::add(const Event& event, bool stays, bool inside) {
  using enum EventKind;

  const auto take_request = [&](std::uint64_t request) -> std::optional<std::size_t> {
    const auto at = requests_.find(request);
    if (at == requests_.end())
      return std::nullopt;
    const auto part = at->second;
    requests_.erase(at);
    return part;
  };

  switch (event.kind) {
    case MpiSend:
    case MpiRecv:
      complete(begin(inside), find_message_channel(original_, location_, event), stays, inside);
      break;
    case MpiIsend: {
      const auto part = begin(inside);
      complete(part, find_message_channel(original_, location_, event), stays, inside);
      requests_[get_field<"requestID", MpiIsend>(event)] = part;
      break;
    }
    case MpiIsendComplete:
      if (const auto part = take_request(get_field<"requestID", MpiIsendComplete>(event)))
        parts_[*part].may_go = parts_[*part].may_go || inside;
      break;
    case MpiIrecvRequest:
      requests_[get_field<"requestID", MpiIrecvRequest>(event)] = begin(inside);
      break;
    case NonBlockingCollectiveRequest:
      requests_[get_field<"requestID", NonBlockingCollectiveRequest>(event)] = begin(inside);
      break;
    case MpiRequestCancelled:
      take_request(get_field<"requestID", MpiRequestCancelled>(event));
      break;
    case MpiIrecv:
      complete(take_request(get_field<"requestID", MpiIrecv>(event)),
               find_message_channel(original_, location_, event), stays, inside);
      break;
    case MpiCollectiveBegin: collective_ = begin(inside); break;
    case MpiCollectiveEnd:
      complete(std::exchange(collective_, std::nullopt),
               find_collective_channel(get_field<"communicator", MpiCollectiveEnd>(event)), stays,
               inside);
      break;
    case NonBlockingCollectiveComplete:
      complete(
          take_request(get_field<"requestID", NonBlockingCollectiveComplete>(event)),
          find_collective_channel(get_field<"communicator", NonBlockingCollectiveComplete>(event)),
          stays, inside);
      break;
    default: break;
  }
}

namespace {

// The parts of one location on one channel.
using PartsOfLocation = std::vector<const OperationPart*>;

struct PartsOfChannel {
  std::vector<PartsOfLocation> sends, receives;  // of a collective: all are in `sends`
};

bool are_in_order(const PartsOfChannel& found, bool is_message) {
  const auto& first = found.sends.front();
  if (is_message)
    return found.sends.size() == 1 && found.receives.size() == 1 &&
           first.size() == found.receives.front().size();

  return std::all_of(found.sends.begin(), found.sends.end(),
                     [&](const auto& parts) { return parts.size() == first.size(); });
}

// Whether these parts, which are all of one operation or of one channel, are as they should be.
bool fit(const PartsOfLocation& parts, bool is_one_operation) {
  const auto count_staying =
      std::count_if(parts.begin(), parts.end(), [](const auto* part) { return part->stays; });
  if (count_staying == static_cast<std::ptrdiff_t>(parts.size()))
    return true;

  const bool may_go =
      std::any_of(parts.begin(), parts.end(), [](const auto* part) { return part->may_go; });

  return may_go && (count_staying == 0 || !is_one_operation);
}

bool fit(const PartsOfChannel& found, bool is_message) {
  PartsOfLocation together;
  const auto for_each_location = [&](auto&& visit) {
    for (const auto& parts : found.sends)
      visit(parts);
    for (const auto& parts : found.receives)
      visit(parts);
  };

  if (!are_in_order(found, is_message)) {
    for_each_location([&](const PartsOfLocation& parts) {
      together.insert(together.end(), parts.begin(), parts.end());
    });
    return fit(together, false);
  }

  for (std::size_t n = 0; n < found.sends.front().size(); ++n) {
    together.clear();
    for_each_location([&](const PartsOfLocation& parts) { together.push_back(parts[n]); });
    if (!fit(together, true))
      return false;
  }

  return true;
}

}  // namespace

void check_operation_parts(const std::map<std::uint64_t, std::vector<OperationPart>>& parts,
                           const std::function<bool(std::uint64_t)>& is_kept_whole,
                           const std::function<void(std::string)>& add_violation) {
  std::map<Channel, PartsOfChannel> channels;
  for (const auto& [location, of_location] : parts) {
    std::map<ChannelEnd, PartsOfLocation> by_end;
    for (const auto& part : of_location)
      if (part.channel)
        by_end[*part.channel].push_back(&part);
    for (auto& [end, found] : by_end) {
      auto& channel = channels[end.channel];
      (end.receives ? channel.receives : channel.sends).push_back(std::move(found));
    }
  }

  for (const auto& [channel, found] : channels) {
    const bool is_message = channel.kind == Channel::Kind::message;
    if (is_message && (found.sends.empty() || found.receives.empty() ||
                       !is_kept_whole(channel.sender) || !is_kept_whole(channel.receiver)))
      continue;

    if (!fit(found, is_message))
      add_violation(is_message
                        ? fmt::format("messages from location {} to {}, communicator {}, tag {}",
                                      channel.sender, channel.receiver, channel.scope, channel.tag)
                        : fmt::format("collectives of communicator {}", channel.scope));
  }
}

}  // namespace tracefold
