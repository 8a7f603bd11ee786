#include "pipeline/profile/location_part.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t most_stages = 4096;

}  // namespace

LocationPart::LocationPart(const FunctionTable& functions)
    : functions_(functions),
      counts_(functions.functions().size()),
      open_(64),
      top_(open_.data()),
      end_(top_ + open_.size() - 1),
      stages_(1) {}

LocationPart::LocationPart(const FunctionTable& functions, Content content)
    : functions_(functions),
      counts_(functions.functions().size()),
      open_(std::move(content.open)),
      stages_(std::move(content.stages)),
      first_(content.first),
      last_(content.last),
      seen_(content.seen),
      is_usable_(content.is_usable) {
  counts_.add(content.counts);
  oddities_.backward_times = content.backward_times;
  const auto depth = open_.size() - 1;
  open_.resize(std::max<std::size_t>(open_.size() + 1, 64));
  top_ = open_.data() + depth;
  end_ = open_.data() + open_.size() - 1;
}

LocationPart::Content LocationPart::copy() const {
  return {counts_.copy(), {open_.data(), static_cast<const OpenCall*>(top_) + 1},
          stages_,        first_,
          last_,          oddities_.backward_times,
          seen_,          is_usable_};
}

std::uint64_t LocationPart::step_back(std::uint64_t time) {
  if (std::exchange(seen_, true)) {
    ++oddities_.backward_times;
  } else {
    first_ = time;
    last_ = time;
  }

  return last_;
}

void LocationPart::grow() {
  const auto depth = top_ - open_.data();
  open_.resize(2 * open_.size());
  top_ = open_.data() + depth;
  end_ = open_.data() + open_.size() - 1;
}

void LocationPart::take_stage() {
  stages_.back().callees = counts_.take_callees(virtual_root);
  stages_.back().in_callees = std::exchange(open_.front().in_callees, 0);
}

void LocationPart::end_stage(std::uint64_t time, std::uint64_t region) {
  if (!is_usable_)
    return;

  take_stage();
  stages_.back().end = time;
  stages_.back().region = region;
  stages_.emplace_back();
  is_usable_ = stages_.size() <= most_stages;
}

bool LocationPart::append(LocationPart& next) {
  if (!is_usable_ || !next.is_usable_ || (seen_ && next.seen_ && next.first_ < last_))
    return false;

  if (next.seen_ && !std::exchange(seen_, true)) {
    first_ = next.first_;
    last_ = next.first_;
  }

  next.take_stage();
  for (std::size_t s = 0; s < next.stages_.size(); ++s) {
    const auto& stage = next.stages_[s];
    for (auto callee : stage.callees)
      counts_.add_pair(top_->function, callee);

    top_->in_callees += stage.in_callees;
    if (s + 1 < next.stages_.size())
      leave(stage.end, stage.region, {});
  }

  counts_.add(next.counts_);
  for (const auto* call = next.open_.data() + 1; call <= next.top_; ++call) {
    if (top_ == end_)
      grow();
    *++top_ = *call;
  }

  if (next.seen_)
    last_ = next.last_;

  oddities_.backward_times += next.oddities_.backward_times;

  return is_usable_;
}

bool LocationPart::finish() {
  if (!is_usable_ || stages_.size() > 1)
    return false;

  oddities_.calls_open_at_end = static_cast<std::uint64_t>(top_ - open_.data());
  while (top_ != open_.data())
    leave(last_, top_->region, {});

  for (auto callee : stages_.front().callees)
    counts_.add_pair(virtual_root, callee);
  return true;
}

LocationRead LocationPart::read() const {
  LocationRead read;
  read.first_time = seen_ ? first_ : 0;
  read.last_time = seen_ ? last_ : 0;
  read.oddities = oddities_;

  return read;
}

}  // namespace tracefold
