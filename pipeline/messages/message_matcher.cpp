#include "pipeline/messages/message_matcher.hpp"

#include "model/plan.hpp"

#include <algorithm>

namespace tracefold {

MessageMatcher::MessageMatcher(const Definitions& definitions, const Plan& plan)
    : definitions_(definitions), plan_(plan) {
  std::unordered_map<std::uint64_t, std::size_t> locations;  // with messages, by endpoint
  for (const auto& p : plan.processes)
    locations[definitions.endpoint(p.id)] += p.has_messages;

  for (std::size_t p = 0; p < plan.processes.size(); ++p) {
    const auto& process = plan.processes[p];
    if (!process.has_messages)
      continue;
    if (locations[definitions.endpoint(process.id)] != 1) {
      ++unmatched_;
      continue;
    }

    processes_.push_back(p);
    by_endpoint_.emplace(definitions.endpoint(process.id), p);
  }
}

void MessageMatcher::add(std::size_t process, LocationMessages messages) {
  std::erase_if(messages.send_times, [&](const auto& of) { return !matches(of.first); });
  messages_[definitions_.endpoint(plan_.processes[process].id)] = std::move(messages);
}

MessageMatcher::Counts MessageMatcher::count(const LocationMessages& messages) const {
  Counts counts{0, messages.unknown};
  for (const auto& [end, of_end] : messages.ends)
    (matches(end.channel) ? counts.matched : counts.unmatched) += of_end;
  return counts;
}

const std::vector<std::uint64_t>* MessageMatcher::find_times(const ChannelEnd& end) const {
  const auto& channel = end.channel;
  if (!matches(channel))
    return nullptr;

  const auto* other = find_messages(end.receives ? channel.sender : channel.receiver);
  if (!other)
    return nullptr;
  const auto& all = end.receives ? other->send_times : other->post_times;
  const auto at = all.find(channel);
  return at == all.end() ? nullptr : &at->second;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> MessageMatcher::list_neighbours() const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
  for (const auto& [endpoint, messages] : messages_)
    for (const auto& [channel, times] : messages.send_times)
      out.emplace_back(channel.sender, channel.receiver);

  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// The channel of a message.
inline std::optional<std::uint32_t> MessageCollector::count(const Event& event) {
  const auto channel = channels_.find(event);
  if (!channel) {
    ++found_.unknown;
    return channel;
  }

  if (counts_.size() <= *channel)
    counts_.resize(*channel + 1);
  ++counts_[*channel];

  return channel;
}

void MessageCollector::add(const Event& event, std::uint64_t entered) {
  using enum EventKind;
  switch (event.kind) {
    case MpiSend:
    case MpiIsend: send(event, entered); break;
    case MpiIrecvRequest:
    case MpiRequestCancelled: order_.add(event, entered); break;
    case MpiRecv:
    case MpiIrecv: receive(event, entered); break;
    default: break;
  }
}

void MessageCollector::send(const Event& event, std::uint64_t entered) {
  const auto channel = count(event);
  if (!channel)
    return;

  if (send_times_.size() <= *channel)
    send_times_.resize(*channel + 1);
  send_times_[*channel].push_back(entered);
}

void MessageCollector::receive(const Event& event, std::uint64_t entered) {
  order_.add(event, entered, count(event));
}

LocationMessages MessageCollector::take() {
  order_.finish();
  for (std::size_t c = 0; c < counts_.size(); ++c)
    found_.ends.emplace_back(channels_.ends()[c], counts_[c]);
  for (std::size_t c = 0; c < send_times_.size(); ++c)
    if (!send_times_[c].empty())
      found_.send_times.emplace(channels_.ends()[c].channel, std::move(send_times_[c]));
  for (std::size_t c = 0; c < channels_.ends().size(); ++c)
    if (auto times = order_.take_post_times(c); !times.empty())
      found_.post_times.emplace(channels_.ends()[c].channel, std::move(times));

  found_.receive_places = std::move(order_.places());
  found_.posts = order_.posts();
  found_.completed_posts = order_.completed_posts();
  return std::move(found_);
}

// Times of another process, and of many channels in turn: memory is asked for the next ones before.
constexpr std::size_t prefetched_times = 16;

LocationMessageMatcher::Partner* LocationMessageMatcher::find_partner(const Event& event) {
  const auto number = channels_.find(event);
  if (!number)
    return nullptr;
  if (partners_.size() <= *number)
    partners_.resize(*number + 1);

  auto& partner = partners_[*number];
  if (!partner.is_known)
    partner = {matcher_.find_times(channels_.ends()[*number]), 0, true};

  return partner.times ? &partner : nullptr;
}

const std::uint64_t* LocationMessageMatcher::find_send(const Event& receive) {
  const auto number = receives_++;
  auto* sender = find_partner(receive);
  if (!sender || !own_)
    return nullptr;

  // The place of the receive among those of its channel, as they were posted.
  auto place = sender->messages++;
  const auto& places = own_->receive_places;
  while (passed_places_ < places.size() && places[passed_places_].first < number)
    ++passed_places_;
  if (passed_places_ < places.size() && places[passed_places_].first == number)
    place = places[passed_places_].second;

  if (place >= sender->times->size())
    return nullptr;

  const auto* sent = sender->times->data() + place;
  __builtin_prefetch(sent + prefetched_times);

  return sent;
}

const std::uint64_t* LocationMessageMatcher::find_post(const Event& send) {
  auto* receiver = find_partner(send);
  if (!receiver)
    return nullptr;

  const auto place = receiver->messages++;
  if (place >= receiver->times->size())
    return nullptr;

  const auto* posted = receiver->times->data() + place;
  __builtin_prefetch(posted + prefetched_times);

  return posted;
}

}  // namespace tracefold
