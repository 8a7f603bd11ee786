#include "pipeline/messages/message_matcher.hpp"

#include "model/plan.hpp"

#include <algorithm>
#include <tuple>

namespace tracefold {

MessageMatcher::MessageMatcher(const Definitions& definitions, const Plan& plan)
    : definitions_(definitions), plan_(plan) {
  for (std::size_t p = 0; p < plan.processes.size(); ++p)
    if (plan.processes[p].has_messages) {
      processes_.push_back(p);
      by_endpoint_[definitions.endpoint(plan.processes[p].id)].push_back(p);
    }
}

bool MessageMatcher::is_one_of_several(std::size_t process) const {
  return find_processes(definitions_.endpoint(plan_.processes[process].id)).size() > 1;
}

void MessageMatcher::add(std::size_t process, LocationMessages messages) {
  std::erase_if(messages.send_times, [&](const auto& of) { return !matches(of.first); });
  messages_[plan_.processes[process].id] = std::move(messages);
}

void MessageMatcher::finish() {
  for (const auto& [endpoint, processes] : by_endpoint_)
    if (processes.size() > 1)
      for (const bool receives : {false, true})
        share(processes, receives);
}

void MessageMatcher::share(const std::vector<std::size_t>& processes, bool receives) {
  std::unordered_map<Channel, std::vector<std::uint64_t>, ChannelHash> users;
  for (const auto process : processes)
    if (const auto* messages = find_messages(plan_.processes[process].id))
      for (const auto& of_channel : get_times(*messages, receives))
        users[of_channel.first].push_back(plan_.processes[process].id);

  for (const auto& [channel, locations] : users) {
    if (locations.size() == 1)
      continue;

    std::vector<std::tuple<std::uint64_t, std::uint64_t, std::size_t>> all;
    auto& shared = shared_[{channel, receives}];
    for (const auto location : locations) {
      const auto& times = get_times(*find_messages(location), receives).at(channel);
      shared.places[location].resize(times.size());
      for (std::size_t n = 0; n < times.size(); ++n)
        all.emplace_back(times[n], location, n);
    }
    std::sort(all.begin(), all.end());

    for (const auto& [time, location, n] : all) {
      shared.places[location][n] = static_cast<std::uint32_t>(shared.times.size());
      shared.times.push_back(time);
      shared.locations.push_back(location);
    }
  }
}

MessageMatcher::Counts MessageMatcher::count(const LocationMessages& messages) const {
  Counts counts{0, messages.unknown};
  for (const auto& [end, of_end] : messages.ends)
    (matches(end.channel) ? counts.matched : counts.unmatched) += of_end;
  return counts;
}

MessageMatcher::Times MessageMatcher::find_times(const ChannelEnd& end) const {
  const auto& channel = end.channel;
  if (!matches(channel))
    return {};
  if (const auto found = shared_.find(end); found != shared_.end())
    return {&found->second.times, 0, &found->second.locations};

  for (const auto process : find_processes(end.receives ? channel.receiver : channel.sender)) {
    const auto location = plan_.processes[process].id;
    const auto* messages = find_messages(location);
    if (!messages)
      continue;
    const auto& all = get_times(*messages, end.receives);
    if (const auto at = all.find(channel); at != all.end())
      return {&at->second, location, nullptr};
  }
  return {};
}

const std::vector<std::uint32_t>* MessageMatcher::find_places(std::uint64_t location,
                                                              const ChannelEnd& end) const {
  const auto found = shared_.find(end);
  if (found == shared_.end())
    return nullptr;
  const auto own = found->second.places.find(location);
  return own == found->second.places.end() ? nullptr : &own->second;
}

std::vector<std::pair<std::uint64_t, std::uint64_t>> MessageMatcher::list_neighbours() const {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
  for (const auto& [location, messages] : messages_)
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
  if (!partner.is_known) {
    const auto& end = channels_.ends()[*number];
    partner = {matcher_.find_times({end.channel, !end.receives}),
               matcher_.find_places(location_, end), 0, true};
  }

  return partner.of.times ? &partner : nullptr;
}

inline LocationMessageMatcher::OtherEnd LocationMessageMatcher::find(const Partner& partner,
                                                                     std::size_t place) {
  if (partner.own_places) {
    if (place >= partner.own_places->size())
      return {};
    place = (*partner.own_places)[place];
  }
  if (place >= partner.of.times->size())
    return {};

  const auto* time = partner.of.times->data() + place;
  __builtin_prefetch(time + prefetched_times);

  return {time, partner.of.locations ? (*partner.of.locations)[place] : partner.of.location};
}

LocationMessageMatcher::OtherEnd LocationMessageMatcher::find_send(const Event& receive) {
  const auto number = receives_++;
  auto* sender = find_partner(receive);
  if (!sender || !own_)
    return {};

  // The place of the receive among those of its channel, as they were posted.
  auto place = sender->messages++;
  const auto& places = own_->receive_places;
  while (passed_places_ < places.size() && places[passed_places_].first < number)
    ++passed_places_;
  if (passed_places_ < places.size() && places[passed_places_].first == number)
    place = places[passed_places_].second;

  return find(*sender, place);
}

LocationMessageMatcher::OtherEnd LocationMessageMatcher::find_post(const Event& send) {
  auto* receiver = find_partner(send);
  return receiver ? find(*receiver, receiver->messages++) : OtherEnd{};
}

}  // namespace tracefold
