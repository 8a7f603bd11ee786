#include "pipeline/messages/receive_order.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

inline void ReceiveOrder::complete(Posted& posted, std::optional<std::size_t> channel) {
  posted.number = receives_++;
  posted.state = channel ? Posted::State::complete : Posted::State::gone;
  if (!channel)
    return;

  if (*channel >= channels_.size())
    channels_.resize(*channel + 1);
  posted.channel = *channel;
  posted.completed = channels_[*channel].completed++;
}

inline void ReceiveOrder::place(const Posted& posted) {
  if (wants_times_) {
    if (posted.channel >= post_times_.size())
      post_times_.resize(posted.channel + 1);
    post_times_[posted.channel].push_back(posted.time);
  }

  const auto place = channels_[posted.channel].posted++;
  if (place != posted.completed)
    places_.emplace_back(posted.number, place);
}

// Removes the receives whose places are known, from the oldest on.
inline void ReceiveOrder::release_known() {
  posted_.release([this](const Posted& posted) {
    if (posted.state == Posted::State::complete)
      place(posted);
  });
}

void ReceiveOrder::give_up_oldest() {
  cursor_.give_up(posted_.oldest().request);
  posted_.oldest().state = Posted::State::gone;
}

void ReceiveOrder::add(const Event& event, std::uint64_t time, std::optional<std::size_t> channel) {
  const auto found = cursor_.follow(event, posted_.next_number());
  switch (found.step) {
    case Step::begins: {
      ++posts_;
      if (found.replaced != Followed::none)
        posted_[found.replaced].state = Posted::State::gone;
      auto& posted = posted_.add();
      posted.request = get_field<"requestID", EventKind::MpiIrecvRequest>(event);
      posted.time = time;
      break;
    }
    case Step::whole: {  // it is posted now
      auto& posted = posted_.add();
      posted.time = time;
      complete(posted, channel);
      break;
    }
    case Step::completes:
      ++completed_posts_;
      complete(posted_[found.operation], channel);
      break;
    case Step::cancels: posted_[found.operation].state = Posted::State::gone; break;
    default: return;
  }

  release_known();
  if (posted_.count_waiting() > most_open) {
    give_up_oldest();
    release_known();
  }
}

std::vector<std::uint64_t> ReceiveOrder::take_post_times(std::size_t channel) {
  return channel < post_times_.size() ? std::move(post_times_[channel])
                                      : std::vector<std::uint64_t>();
}

void ReceiveOrder::finish() {
  for (; posted_.count_waiting() > 0; release_known())
    give_up_oldest();
  std::sort(places_.begin(), places_.end());
}

}  // namespace tracefold
