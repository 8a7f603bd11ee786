#include "pipeline/messages/location_waits.hpp"

#include <algorithm>

namespace tracefold {

LocationWaits::LocationWaits(const WaitMatcher& matcher, std::uint64_t location)
    : matcher_(matcher),
      location_(location),
      senders_(matcher.knows(Metric::mpi_late_sender_time)),
      receivers_(matcher.knows(Metric::mpi_late_receiver_time)),
      measure_(senders_) {
  if (matcher.messages())
    messages_.emplace(*matcher.messages(), location);
}

LocationWaits::Call& LocationWaits::open(std::size_t open_calls) {
  if (!calls_.empty() && calls_.back().depth == open_calls)
    return calls_.back();

  auto& call = calls_.emplace_back();
  call.depth = open_calls;
  call.posted = posted_.size();
  call.sent_later = sent_later_.size();
  return call;
}

void LocationWaits::add(const Event& event, std::size_t open_calls) {
  using enum EventKind;
  switch (event.kind) {
    case MpiRecv:
    case MpiIrecv:
      if (senders_ || receivers_)  // time in which both are waited for is the senders'
        receive(event, open_calls);
      break;
    case MpiSend:
    case MpiIsend:
      if (receivers_)
        send(event, open_calls);
      break;
    case MpiIsendComplete:
      if (receivers_)
        complete_send(event, open_calls);
      break;
    case MpiRequestCancelled:
      open_sends_.close(get_field<"requestID", MpiRequestCancelled>(event));
      break;
    case MpiCollectiveEnd:
      if (matcher_.collectives())
        take_part(*find_collective_part(event), open_calls);
      break;
    default: break;
  }
}

void LocationWaits::receive(const Event& event, std::size_t open_calls) {
  const auto sent = messages_->find_send_time(event);
  if (!sent)
    return;
  if (open_calls == 0) {
    impossible_messages_ += *sent > event.time;
    return;
  }

  open(open_calls).waited_for.receive(*sent);
  if (*sent > event.time) [[unlikely]]
    sent_later_.push_back(*sent);
}

void LocationWaits::send(const Event& event, std::size_t open_calls) {
  const auto posted = messages_->find_post_time(event);
  if (event.kind == EventKind::MpiIsend) {
    const auto request = get_field<"requestID", EventKind::MpiIsend>(event);
    if (posted)
      open_sends_.replace(request, *posted);
    else
      open_sends_.close(request);
  } else if (posted && open_calls > 0) {
    open(open_calls);
    posted_.push_back(*posted);
  }
}

void LocationWaits::complete_send(const Event& event, std::size_t open_calls) {
  const auto posted = open_sends_.close(get_field<"requestID", EventKind::MpiIsendComplete>(event));
  if (!posted || open_calls == 0)
    return;

  open(open_calls);
  posted_.push_back(*posted);
}

void LocationWaits::take_part(const CollectivePart& part, std::size_t open_calls) {
  const auto& collectives = *matcher_.collectives();
  const CollectiveMatcher::Key key{part.operation, part.communicator};
  const auto [at, is_new] = operations_.try_emplace(key);
  auto& operations = at->second;
  if (is_new)
    operations.are_matched = collectives.matches(part);
  if (!operations.are_matched)
    return;

  const auto n = operations.parts++;
  const auto metric = find_waiting_metric(part.operation);
  if (open_calls == 0 || !matcher_.knows(metric))
    return;
  const auto entered = collectives.find_time(key, n);
  if (!entered || !may_wait_for_others(collectives.definitions(), location_, part))
    return;

  auto& call = open(open_calls).waited_for;
  call.collective = metric;
  call.entered = std::max(call.entered, *entered);
}

std::array<WaitingTime, 2> LocationWaits::end(const EndedCall& call, std::size_t open_calls) {
  if (calls_.empty() || calls_.back().depth != open_calls)
    return {};

  const auto ended = calls_.back();
  calls_.pop_back();
  auto waited_for = ended.waited_for;
  for (auto k = ended.posted; k < posted_.size(); ++k)
    waited_for.send(posted_[k], call.time);
  posted_.resize(ended.posted);
  for (auto k = ended.sent_later; k < sent_later_.size(); ++k)
    impossible_messages_ += sent_later_[k] > call.time;
  sent_later_.resize(ended.sent_later);

  return measure_.measure(call, waited_for);
}

}  // namespace tracefold
