#include "pipeline/messages/receive_order.hpp"

#include <algorithm>

namespace tracefold {

ReceiveOrder::Posted* ReceiveOrder::find(std::uint64_t request) {
  const auto at = number_.find(request);
  return at == number_.end() ? nullptr : &posted_[at->second - first_];
}

void ReceiveOrder::post(std::uint64_t request) {
  cancel(request);  // where its id is used anew, the one before never completes
  number_[request] = first_ + posted_.size();
  posted_.push_back({Posted::State::open, request, 0, 0, 0});
  if (posted_.size() > most_open)
    drop_oldest();
}

void ReceiveOrder::drop_oldest() {
  number_.erase(posted_.front().request);
  posted_.front().state = Posted::State::gone;
  settle();
}

void ReceiveOrder::cancel(std::uint64_t request) {
  auto* posted = find(request);
  if (!posted)
    return;
  posted->state = Posted::State::gone;
  number_.erase(request);
  settle();
}

void ReceiveOrder::complete(std::optional<std::size_t> channel,
                            std::optional<std::uint64_t> request) {
  const auto number = receives_++;
  auto* posted = request ? find(*request) : nullptr;
  if (posted)
    number_.erase(*request);
  if (!posted)
    posted = &posted_.emplace_back();

  posted->state = channel ? Posted::State::complete : Posted::State::gone;
  posted->number = number;

  if (channel) {
    if (*channel >= channels_.size())
      channels_.resize(*channel + 1);
    posted->channel = *channel;
    posted->completed = channels_[*channel].completed++;
  }

  settle();
  if (posted_.size() > most_open)
    drop_oldest();
}

// Those whose place is known leave, from the oldest on.
void ReceiveOrder::settle() {
  for (; !posted_.empty() && posted_.front().state != Posted::State::open;
       posted_.pop_front(), ++first_) {
    const auto& oldest = posted_.front();
    if (oldest.state == Posted::State::gone)
      continue;

    const auto place = channels_[oldest.channel].posted++;
    if (place == oldest.completed)
      continue;
    if (places_.size() < most_)
      places_.emplace(oldest.number, place);
    else
      told_ = std::min(told_, oldest.number);
  }
}

void ReceiveOrder::finish() {
  for (auto& posted : posted_)
    if (posted.state == Posted::State::open)
      posted.state = Posted::State::gone;
  number_.clear();
  settle();
}

}  // namespace tracefold
