#include "pipeline/messages/location_waits.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr auto not_posted = Followed::none;  // or not known when

}  // namespace

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
    case MpiIsendComplete:
    case MpiRequestCancelled:
      if (receivers_)
        send(event, open_calls);
      break;
    case NonBlockingCollectiveRequest:
      if (dependencies_)
        requests_.begin(event, dependencies_->calls());
      break;
    case NonBlockingCollectiveComplete:
    case RmaCollectiveEnd:
    case MpiCollectiveEnd:
      if (matcher_.collectives())
        take_part(event, open_calls);
      break;
    default: break;
  }
}

void LocationWaits::receive(const Event& event, std::size_t open_calls) {
  const auto sent = messages_->find_send(event);
  if (!sent.time) {
    if (dependencies_)
      dependencies_->add_unknown_send();
    return;
  }
  if (open_calls == 0) {
    impossible_messages_ += *sent.time > event.time;
    return;
  }

  auto& call = open(open_calls);
  if (dependencies_)
    dependencies_->add_send(sent.location, *sent.time,
                            get_field<"msgLength", EventKind::MpiRecv, EventKind::MpiIrecv>(event));
  if (*sent.time > call.sent) {
    call.sent = *sent.time;
    call.sender = {get_field<"communicator", EventKind::MpiRecv, EventKind::MpiIrecv>(event),
                   get_field<"sender", EventKind::MpiRecv, EventKind::MpiIrecv>(event),
                   sent.location};
  }
  if (*sent.time > event.time) [[unlikely]]
    sent_later_.push_back(*sent.time);
}

void LocationWaits::send(const Event& event, std::size_t open_calls) {
  auto place = Followed::none;
  const auto posted =
      sends_message(event.kind) ? messages_->find_post(event) : LocationMessageMatcher::OtherEnd{};
  if (posted.time) {
    if (free_.empty())
      free_.push_back(sent_.size());
    place = free_.back();
    free_.pop_back();
    sent_.resize(std::max(sent_.size(), static_cast<std::size_t>(place) + 1));
    sent_[static_cast<std::size_t>(place)] = {
        *posted.time,
        get_field<"msgLength", EventKind::MpiSend, EventKind::MpiIsend>(event),
        {get_field<"communicator", EventKind::MpiSend, EventKind::MpiIsend>(event),
         get_field<"receiver", EventKind::MpiSend, EventKind::MpiIsend>(event), posted.location}};
  }

  const auto found = sends_.follow(event, place);
  const bool is_over =
      found.step == Step::whole || found.step == Step::completes || found.step == Step::cancels;
  if (!is_over || found.operation == not_posted)
    return;
  free_.push_back(static_cast<std::size_t>(found.operation));
  if (found.step == Step::cancels || open_calls == 0)
    return;

  open(open_calls);
  const auto& post = sent_[static_cast<std::size_t>(found.operation)];
  posted_.push_back(post);
  if (dependencies_)
    dependencies_->add_post(post.receiver.location, post.time, post.bytes);
}

void LocationWaits::take_part(const Event& event, std::size_t open_calls) {
  const auto& collectives = *matcher_.collectives();
  std::optional<std::uint64_t> begun;
  if (event.kind == EventKind::NonBlockingCollectiveComplete)
    begun = requests_.end(event);
  const auto found = find_collective_part(collectives.definitions(), event);
  if (!found)
    return;
  const auto& part = *found;
  const CollectiveMatcher::Key key{part.operation, part.communicator};
  const auto [at, is_new] = operations_.try_emplace(key);
  auto& operations = at->second;
  if (is_new)
    operations.are_matched = collectives.matches(part);
  if (!operations.are_matched)
    return;

  const auto n = operations.parts++;
  const auto metric = find_waiting_metric(part.operation);
  if (open_calls == 0 || (metric != Metric::none && !matcher_.knows(metric)))
    return;
  const auto entered = collectives.find_time(key, n);
  if (!entered)
    return;
  const bool waits = may_wait_for_others(collectives.definitions(), location_, part);
  if (dependencies_)
    dependencies_->add_meeting(key, n, *entered, waits,
                               is_waited_for(collectives.definitions(), location_, part), begun);
  if (!waits || metric == Metric::none)
    return;

  auto& call = open(open_calls);
  call.collective = metric;
  if (*entered > call.entered || call.entered == 0) {
    call.entered = *entered;
    call.last = collectives.find_last(key, n);
  }
}

// A receive that was posted after the call is none that it waited for: the message was buffered.
LocationWaits::Post LocationWaits::take_last_post(const Call& call, std::uint64_t end) {
  Post last;
  for (auto k = call.posted; k < posted_.size(); ++k)
    if (posted_[k].time < end && posted_[k].time > last.time)
      last = posted_[k];

  posted_.resize(call.posted);
  return last;
}

std::optional<std::uint64_t> LocationWaits::find_location(const Peer& peer) const {
  const auto& definitions = matcher_.messages()->definitions();
  const auto location = definitions.partner(location_, peer.communicator, peer.rank);
  return location ? std::optional(definitions.endpoint(*location)) : std::nullopt;
}

void LocationWaits::count_sent_later(const Call& call, std::uint64_t end) {
  for (auto k = call.sent_later; k < sent_later_.size(); ++k)
    impossible_messages_ += sent_later_[k] > end;
  sent_later_.resize(call.sent_later);
}

std::array<WaitingTime, 2> LocationWaits::end(const EndedCall& ended, std::size_t open_calls) {
  std::array<WaitingTime, 2> out;
  if (calls_.empty() || calls_.back().depth != open_calls)
    return out;

  const auto call = calls_.back();
  calls_.pop_back();
  const auto last_post = take_last_post(call, ended.time);
  count_sent_later(call, ended.time);

  const auto begin = ended.time - ended.inclusive;
  const auto find_ticks = [&](std::uint64_t until) {
    until = std::min(until, ended.time);
    return until > begin ? std::min(until - begin, ended.exclusive) : 0;
  };

  if (call.collective != Metric::none && get_entry(call.collective).parent == ended.time_metric) {
    impossible_collectives_ += call.entered > ended.time;
    if (const auto ticks = find_ticks(call.entered))
      out[0] = {call.collective, ticks, matcher_.collectives()->definitions().endpoint(call.last),
                call.last,       begin, ended.time,
                call.entered};
  }
  if (ended.time_metric != Metric::mpi_point_to_point_time)
    return out;

  const auto wait_for_message = [&](Metric metric, std::uint64_t ticks, const Peer& peer,
                                    std::uint64_t until) {
    return WaitingTime{metric, ticks, find_location(peer), peer.location, begin, ended.time, until};
  };
  const auto for_senders = find_ticks(call.sent);
  if (for_senders > 0 && senders_)
    out[0] = wait_for_message(Metric::mpi_late_sender_time, for_senders, call.sender, call.sent);

  const auto for_all = find_ticks(last_post.time);
  if (ended.sends_wait && for_all > for_senders)
    out[1] = wait_for_message(Metric::mpi_late_receiver_time, for_all - for_senders,
                              last_post.receiver, last_post.time);

  return out;
}

}  // namespace tracefold
