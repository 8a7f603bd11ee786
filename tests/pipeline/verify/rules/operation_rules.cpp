#include "tests/pipeline/verify/rules/operation_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace tracefold {

std::optional<ChannelEnd> OperationParts::find_collective_channel(Channel::Kind kind,
                                                                  std::uint64_t scope,
                                                                  std::uint64_t comm) const {
  const auto* found = original_.find(Ref::comm, comm);
  if (!found)
    return std::nullopt;

  ChannelEnd end;
  end.channel = {kind, scope, 0, 0, 0};
  // A collective on MPI_COMM_SELF is one of this location alone.
  if (original_.is_self(*found))
    end.channel.sender = end.channel.receiver = location_;

  return end;
}

void OperationParts::name_partner(OperationPart& part, const Event& event) {
  using enum EventKind;

  std::optional<ChannelEnd> end;
  switch (event.kind) {
    case MpiSend:
    case MpiIsend:
    case MpiRecv:
    case MpiIrecv: end = find_message_channel(original_, location_, event); break;
    case MpiCollectiveEnd:
    case NonBlockingCollectiveComplete: {
      const auto comm =
          get_field<"communicator", MpiCollectiveEnd, NonBlockingCollectiveComplete>(event);
      end = find_collective_channel(Channel::Kind::collective, comm, comm);
      break;
    }
    case RmaCollectiveEnd: {
      const auto window = get_field<"win", RmaCollectiveEnd>(event);
      if (const auto* found = original_.find(Ref::rma_win, window))
        end = find_collective_channel(Channel::Kind::one_sided_collective, window,
                                      get_field<"comm", DefinitionKind::RmaWin>(*found));
      break;
    }
    // A receive has no partner until it is completed.
    case MpiIrecvRequest: break;
    default: return;
  }

  part.has_no_partner = !end;
  if (end)
    part.channel = channels_.number(*end);
}

bool OperationParts::add(const Event& event, bool stays, bool inside, bool has_partner) {
  const auto found = operations_.follow(event);
  if (found.step == Step::alone)
    return false;
  if (found.step == Step::unknown)
    return true;

  if (found.is_first()) {
    auto& part = parts_.emplace_back();
    part.kind = event.kind;
    part.time = event.time;
  }

  auto& part = parts_[found.operation];
  if (found.step == Step::tests) {
    part.lacks_test = part.lacks_test || (!stays && !inside);
    return true;
  }

  part.is_inside = part.is_inside || inside;
  part.stays = part.stays && stays;
  part.has_no_partner = part.has_no_partner || !has_partner;
  name_partner(part, event);

  return true;
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
      std::any_of(parts.begin(), parts.end(), [](const auto* part) { return part->may_go(); });

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

void check_operation_parts(const std::vector<const LocationParts*>& locations,
                           const std::function<bool(std::uint64_t)>& is_kept_whole,
                           const std::function<void(std::string)>& add_violation) {
  std::map<Channel, PartsOfChannel> channels;
  for (const auto* location : locations) {
    std::vector<PartsOfLocation> by_channel(location->channels.size());
    for (const auto& part : location->parts)
      if (part.channel != OperationPart::alone)
        by_channel[part.channel].push_back(&part);
    for (std::size_t c = 0; c < by_channel.size(); ++c) {
      const auto& [channel, receives] = location->channels[c];
      auto& found = channels[channel];
      (receives ? found.receives : found.sends).push_back(std::move(by_channel[c]));
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
