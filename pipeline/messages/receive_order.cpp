#include "pipeline/messages/receive_order.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

// So many waiting receives are looked through one by one, which takes less time than a table.
constexpr std::size_t few = 8;

}  // namespace

ReceiveOrder::Posted* ReceiveOrder::take_open(std::uint64_t request) {
  if (!uses_table_ && count_waiting() > few)
    begin_table();
  if (uses_table_) {
    const auto before = open_->close(request);
    return before ? &posted_[*before - first_] : nullptr;
  }

  for (auto k = front_; k < posted_.size(); ++k)
    if (posted_[k].request == request && posted_[k].state == Posted::State::open)
      return &posted_[k];
  return nullptr;
}

void ReceiveOrder::begin_table() {
  uses_table_ = true;
  if (!open_)
    open_.emplace();
  for (auto k = front_; k < posted_.size(); ++k)
    if (posted_[k].state == Posted::State::open)
      open_->open(posted_[k].request, first_ + k);
}

void ReceiveOrder::post(std::uint64_t request, std::uint64_t time) {
  ++posts_;
  // Where its id is used anew, the one before never completes.
  if (auto* before = take_open(request)) {
    before->state = Posted::State::gone;
    release_known();
  }

  if (uses_table_)
    open_->open(request, first_ + posted_.size());
  auto& posted = posted_.emplace_back();
  posted.request = request;
  posted.time = time;
  if (count_waiting() > most_open)
    drop_oldest();
}

void ReceiveOrder::drop_oldest() {
  auto& oldest = posted_[front_];
  take_open(oldest.request);
  oldest.state = Posted::State::gone;
  release_known();
}

void ReceiveOrder::cancel(std::uint64_t request) {
  auto* posted = take_open(request);
  if (!posted)
    return;
  posted->state = Posted::State::gone;
  release_known();
}

void ReceiveOrder::complete(std::size_t channel, const std::uint64_t* request, std::uint64_t time) {
  const auto number = receives_++;
  auto* posted = request ? take_open(*request) : nullptr;
  if (posted) {
    ++completed_posts_;
  } else {
    posted = &posted_.emplace_back();
    posted->time = time;
  }

  const bool is_known = channel != no_channel;
  posted->state = is_known ? Posted::State::complete : Posted::State::gone;
  posted->number = number;

  if (is_known) {
    if (channel >= channels_.size())
      channels_.resize(channel + 1);
    posted->channel = channel;
    posted->completed = channels_[channel].completed++;
  }

  release_known();
  if (count_waiting() > most_open)
    drop_oldest();
}

// Removes the receives whose places are known, from the oldest on.
void ReceiveOrder::release_known() {
  while (front_ < posted_.size() && posted_[front_].state != Posted::State::open) {
    const auto& oldest = posted_[front_++];
    if (oldest.state == Posted::State::gone)
      continue;

    if (times_ < most_times_) {
      ++times_;
      if (oldest.channel >= post_times_.size())
        post_times_.resize(oldest.channel + 1);
      post_times_[oldest.channel].push_back(oldest.time);
    }

    const auto place = channels_[oldest.channel].posted++;
    if (place == oldest.completed)
      continue;
    if (places_.size() < most_)
      places_.emplace(oldest.number, place);
    else
      known_receives_ = std::min(known_receives_, oldest.number);
  }

  // Room is made where that takes less than what was done since, and is not for a few.
  if (front_ == posted_.size() || (front_ >= few && 2 * front_ >= posted_.size())) {
    first_ += front_;
    posted_.erase(posted_.begin(), posted_.begin() + static_cast<std::ptrdiff_t>(front_));
    front_ = 0;
    uses_table_ = uses_table_ && !posted_.empty();
  }
}

std::vector<std::uint64_t> ReceiveOrder::take_post_times(std::size_t channel) {
  return channel < post_times_.size() ? std::move(post_times_[channel])
                                      : std::vector<std::uint64_t>();
}

void ReceiveOrder::finish() {
  for (auto& posted : posted_)
    if (posted.state == Posted::State::open)
      posted.state = Posted::State::gone;
  open_.reset();
  uses_table_ = false;
  release_known();
}

}  // namespace tracefold
