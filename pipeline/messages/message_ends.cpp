#include "pipeline/messages/message_ends.hpp"

#include <utility>

namespace tracefold {

void MessageEndsSink::other(const Event& event) {
  using enum EventKind;
  switch (event.kind) {
    case MpiSend:
    case MpiIsend: sent(event); break;
    case MpiIrecvRequest: order_.post(event.fields[0]); break;
    case MpiRequestCancelled: order_.cancel(event.fields[0]); break;
    case MpiRecv: received(event, std::nullopt); break;
    case MpiIrecv: received(event, event.fields[4]); break;
    default: break;
  }
}

void MessageEndsSink::sent(const Event& event) {
  const auto channel = channels_.of_send(location_, event);
  if (!channel)
    return;
  if (sends_ == most_) {
    ++ends_.left_out;
    return;
  }

  ++sends_;
  const bool in_mpi =
      !open_.empty() &&
      open_.back().kind == PathKind::mpi;  // else its call is not recorded, or dropped
  ends_.sent[*channel].push_back(in_mpi ? open_.back().entered : event.time);
}

void MessageEndsSink::received(const Event& event, std::optional<std::uint64_t> request) {
  const auto channel = channels_.of_receive(location_, event);
  order_.complete(
      channel ? std::optional(received_.try_emplace(*channel, received_.size()).first->second)
              : std::nullopt,
      request);
}

MessageEnds MessageEndsSink::take() {
  order_.finish();
  ends_.places = std::move(order_.places());
  ends_.receives_told = order_.told();
  return std::move(ends_);
}

}  // namespace tracefold
