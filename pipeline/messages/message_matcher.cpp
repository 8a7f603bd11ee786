#include "pipeline/messages/message_matcher.hpp"

#include "model/profile/time_metric.hpp"
#include "pipeline/events/read_locations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace tracefold {

namespace {

// Collects the messages of one location.
class MessageSink {
 public:
  // All must stay. `most` limits the messages that are kept.
  MessageSink(const MessageMatcher& matcher, const std::vector<Metric>& time_metrics,
              std::uint64_t location, std::size_t most)
      : matcher_(matcher),
        time_metrics_(time_metrics),
        location_(location),
        most_(most),
        order_(most) {}

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute>) {
    open_.push_back({call.time, is_mpi_time(time_metrics_[call.function])});
  }
  [[gnu::always_inline]] void leave(const CallEnd&, std::span<const Attribute>) {
    open_.pop_back();
  }
  void other(const Event& event) {
    using enum EventKind;
    switch (event.kind) {
      case MpiSend:
      case MpiIsend: send(event); break;
      case MpiIrecvRequest: order_.post(get_field<"requestID", MpiIrecvRequest>(event)); break;
      case MpiRequestCancelled:
        order_.cancel(get_field<"requestID", MpiRequestCancelled>(event));
        break;
      case MpiRecv: receive(event, std::nullopt); break;
      case MpiIrecv: receive(event, get_field<"requestID", MpiIrecv>(event)); break;
      default: break;
    }
  }
  void unknown(std::uint64_t) {}

  // Call once, after the last event.
  LocationMessages take() {
    order_.finish();
    found_.receive_places = std::move(order_.places());
    found_.known_receives = order_.known_receives();
    return std::move(found_);
  }

 private:
  struct OpenCall {
    std::uint64_t entered;  // ticks
    bool is_mpi;
  };

  void send(const Event& event) {
    const auto end = matcher_.find_channel(location_, event);
    if (!end)
      return;

    if (sends_ == most_) {
      ++found_.left_out;
      return;
    }

    ++sends_;
    const bool is_in_mpi = !open_.empty() && open_.back().is_mpi;
    found_.send_times[end->channel].push_back(is_in_mpi ? open_.back().entered : event.time);
  }

  void receive(const Event& event, std::optional<std::uint64_t> request) {
    const auto end = matcher_.find_channel(location_, event);
    order_.complete(end ? std::optional<std::size_t>(channels_.number(*end)) : std::nullopt,
                    request);
  }

  const MessageMatcher& matcher_;
  const std::vector<Metric>& time_metrics_;
  std::uint64_t location_;
  std::size_t most_;
  std::size_t sends_ = 0;
  ReceiveOrder order_;
  ChannelNumbers channels_;  // that it received from
  LocationMessages found_;
  std::vector<OpenCall> open_;
};

}  // namespace

MessageMatcher::MessageMatcher(const Archive& archive, const Plan& plan,
                               const std::vector<std::size_t>& read, const FunctionTable& functions,
                               const std::vector<Metric>& time_metrics, const ReadOptions& options,
                               Diagnostics& diagnostics, std::size_t most)
    : definitions_(archive.definitions()) {
  const auto processes = find_matchable(plan, read);
  const auto locations = find_locations(archive, plan, processes);
  const auto share = most / std::max<std::size_t>(processes.size(), 1);
  std::vector<LocationMessages> found(locations.size());

  for_each_location(
      archive, locations, options, diagnostics, [&](EventReader& reader, std::size_t i) {
        MessageSink sink(*this, time_metrics, locations[i], share);
        read_clean_events(reader, locations[i], functions, sink);
        found[i] = sink.take();
        if (found[i].left_out)
          diagnostics.warn(
              fmt::format("who waits for messages beyond the first {} of a process is not "
                          "told from other point-to-point time",
                          share),
              fmt::format("location {}", locations[i]), found[i].left_out);
      });

  for (std::size_t i = 0; i < locations.size(); ++i)
    messages_[definitions_.endpoint(locations[i])] = std::move(found[i]);
}

// Adds the endpoints of those that can be matched, and returns their indexes.
std::vector<std::size_t> MessageMatcher::find_matchable(const Plan& plan,
                                                        const std::vector<std::size_t>& read) {
  std::unordered_map<std::uint64_t, std::size_t> locations;  // with messages, by location group
  for (const auto& p : plan.processes)
    locations[p.location_group] += p.has_messages;

  std::vector<std::size_t> matchable;

  for (auto r : read) {
    const auto& process = plan.processes[r];
    if (!process.has_messages || locations[process.location_group] != 1)
      continue;

    matchable.push_back(r);
    messages_.try_emplace(definitions_.endpoint(process.id));
  }

  return matchable;
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

std::optional<ChannelEnd> MessageMatcher::find_channel(std::uint64_t location,
                                                       const Event& event) const {
  const auto end = find_message_channel(definitions_, location, event);
  if (!end || !messages_.contains(end->channel.sender) ||
      !messages_.contains(end->channel.receiver))
    return std::nullopt;

  return end;
}

std::optional<std::uint64_t> ReceiveMatcher::find_send_time(const Event& receive) {
  const auto number = receives_++;
  const auto end = matcher_.find_channel(location_, receive);
  if (!end)
    return std::nullopt;

  const auto& channel = end->channel;
  const auto [sender, is_new] = senders_.try_emplace(channel);
  if (is_new) {
    const auto& send_times = matcher_.messages(channel.sender).send_times;
    if (const auto at = send_times.find(channel); at != send_times.end())
      sender->second.send_times = &at->second;
  }

  // The place of the receive among those of its channel, as they were posted.
  auto place = sender->second.received++;
  const auto& own = matcher_.messages(channel.receiver);
  if (number >= own.known_receives)
    return std::nullopt;
  if (const auto other = own.receive_places.find(number); other != own.receive_places.end())
    place = other->second;

  const auto* send_times = sender->second.send_times;
  if (!send_times || place >= send_times->size())
    return std::nullopt;

  const auto sent = (*send_times)[place];
  impossible_ += sent > receive.time;

  return sent;
}

}  // namespace tracefold
