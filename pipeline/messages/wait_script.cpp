#include "pipeline/messages/wait_script.hpp"

#include <algorithm>

namespace tracefold {

void WaitScripter::add_reason(WaitScript::Kind kind, std::uint32_t number, std::uint32_t before,
                              std::size_t open_calls) {
  if (open_.empty() || open_.back().depth != open_calls)
    open_.push_back({open_calls, reasons_.size()});
  reasons_.push_back({kind, number, before});
}

void WaitScripter::add(const Event& event, MessageNumber message, std::size_t open_calls) {
  using enum EventKind;
  const bool is_known = message.channel != MessageNumber::no_channel;
  switch (event.kind) {
    case MpiRecv:
    case MpiIrecv:
      if (is_known)
        add_reason(WaitScript::Kind::receive, message.channel, message.before, open_calls);
      break;
    case MpiSend:
      if (is_known)
        add_reason(WaitScript::Kind::send, message.channel, message.before, open_calls);
      break;
    case MpiIsend: {
      const auto request = get_field<"requestID", MpiIsend>(event);
      if (is_known)
        open_sends_.replace(request, std::uint64_t{message.channel} << 32 | message.before);
      else
        open_sends_.close(request);
      break;
    }
    case MpiIsendComplete:
      if (const auto sent = open_sends_.close(get_field<"requestID", MpiIsendComplete>(event)))
        add_reason(WaitScript::Kind::send, static_cast<std::uint32_t>(*sent >> 32),
                   static_cast<std::uint32_t>(*sent), open_calls);
      break;
    case MpiRequestCancelled:
      open_sends_.close(get_field<"requestID", MpiRequestCancelled>(event));
      break;
    default: break;
  }
}

void WaitScripter::take_part(std::uint32_t operation, bool may_wait, std::size_t open_calls) {
  if (parts_.size() <= operation)
    parts_.resize(operation + 1);
  const auto before = parts_[operation]++;
  if (may_wait)
    add_reason(WaitScript::Kind::part, operation, before, open_calls);
}

void WaitScripter::end(std::size_t open_calls, WaitScript::Call call) {
  if (open_.empty() || open_.back().depth != open_calls)
    return;

  const auto first = reasons_.begin() + static_cast<std::ptrdiff_t>(open_.back().first);
  call.reasons = static_cast<std::uint32_t>(reasons_.end() - first);
  script_.calls.push_back(call);
  script_.reasons.insert(script_.reasons.end(), first, reasons_.end());
  reasons_.erase(first, reasons_.end());
  open_.pop_back();
}

ScriptedWaits::ScriptedWaits(const WaitMatcher& matcher, std::uint64_t location,
                             const WaitScript& script,
                             std::span<const CollectiveMatcher::Key> operations)
    : matcher_(matcher),
      script_(script),
      operations_(operations),
      senders_(matcher.knows(Metric::mpi_late_sender_time)),
      receivers_(matcher.knows(Metric::mpi_late_receiver_time)),
      measure_(senders_) {
  if (const auto* messages = matcher.messages())
    if (const auto* own = messages->find_messages(messages->definitions().endpoint(location)))
      for (const auto& [end, count] : own->ends)
        times_.push_back(messages->find_times(end));

  const auto* collectives = matcher.collectives();
  for (const auto& [operation, communicator] : operations)
    are_known_.push_back(collectives && matcher.knows(find_waiting_metric(operation)) &&
                         collectives->matches({operation, communicator}));
}

std::array<WaitingTime, 2> ScriptedWaits::end(std::uint64_t time, std::uint64_t inclusive,
                                              std::uint64_t exclusive) {
  const auto& call = script_.calls[call_++];
  WaitedFor waited_for;
  for (const auto end = reason_ + call.reasons; reason_ < end; ++reason_) {
    const auto& [kind, number, before] = script_.reasons[reason_];
    if (kind == WaitScript::Kind::part) {
      if (!are_known_[number])
        continue;
      const auto& key = operations_[number];
      if (const auto entered = matcher_.collectives()->find_time(key, before)) {
        waited_for.collective = find_waiting_metric(key.first);
        waited_for.entered = std::max(waited_for.entered, *entered);
      }
      continue;
    }

    const auto* times = number < times_.size() ? times_[number] : nullptr;
    if (!times || before >= times->size())
      continue;
    const auto other = (*times)[before];
    if (kind == WaitScript::Kind::receive) {
      waited_for.receive(other);
      impossible_messages_ += other > time && (senders_ || receivers_);
    } else if (receivers_) {
      waited_for.send(other, time);
    }
  }

  return measure_.measure({time, inclusive, exclusive, call.time_metric, call.sends_wait},
                          waited_for);
}

}  // namespace tracefold
