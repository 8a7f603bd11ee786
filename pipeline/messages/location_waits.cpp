#include "pipeline/messages/location_waits.hpp"

#include <algorithm>

namespace tracefold {

LocationWaits::LocationWaits(const WaitMatcher& matcher, std::uint64_t location)
    : matcher_(matcher),
      location_(location),
      senders_(matcher.knows(Metric::mpi_late_sender_time)),
      receivers_(matcher.knows(Metric::mpi_late_receiver_time)) {
  if (matcher.messages())
    messages_.emplace(*matcher.messages(), location);
}

LocationWaits::Call& LocationWaits::open(std::size_t open_calls) {
  if (!calls_.empty() && calls_.back().depth == open_calls)
    return calls_.back();

  auto& call = calls_.emplace_back();
  call.depth = open_calls;
  call.posted = posted_.size();
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
  if (!sent || open_calls == 0)
    return;

  auto& last = open(open_calls).sent;
  last = std::max(last.value_or(0), *sent);
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
  const auto [at, is_new] = operations_.try_emplace({part.operation, part.communicator});
  auto& operations = at->second;
  if (is_new)
    operations.are_matched = collectives.matches(part);
  if (!operations.are_matched)
    return;

  const auto n = operations.parts++;
  const auto metric = find_waiting_metric(part.operation);
  const auto entered = collectives.find_time(location_, part, n);
  if (!entered || open_calls == 0 || !matcher_.knows(metric))
    return;

  auto& call = open(open_calls);
  call.collective = metric;
  call.entered = std::max(call.entered, *entered);
}

std::array<LocationWaits::Time, 2> LocationWaits::end(const Ended& call, std::size_t open_calls,
                                                      Metric time_metric, bool sends_wait) {
  std::array<Time, 2> out;
  if (calls_.empty() || calls_.back().depth != open_calls)
    return out;

  const auto waited = calls_.back();
  calls_.pop_back();
  // A receive that was posted later is none that the call waited for: the message was buffered.
  std::uint64_t last_post = 0;
  for (auto k = waited.posted; k < posted_.size(); ++k)
    if (posted_[k] < call.time)
      last_post = std::max(last_post, posted_[k]);
  posted_.resize(waited.posted);

  const auto entered = call.time - call.inclusive;
  const auto measure = [&](std::uint64_t until) {
    until = std::min(until, call.time);
    return until > entered ? std::min(until - entered, call.exclusive) : 0;
  };

  if (waited.collective != Metric::none && get_entry(waited.collective).parent == time_metric) {
    impossible_collectives_ += waited.entered > call.time;
    if (const auto ticks = measure(waited.entered))
      out[0] = {waited.collective, ticks};
  }
  if (time_metric != Metric::mpi_point_to_point_time)
    return out;

  const auto for_senders = measure(waited.sent.value_or(0));
  if (for_senders > 0 && senders_)
    out[0] = {Metric::mpi_late_sender_time, for_senders};

  const auto for_all = measure(last_post);
  if (sends_wait && for_all > for_senders)
    out[1] = {Metric::mpi_late_receiver_time, for_all - for_senders};

  return out;
}

}  // namespace tracefold
