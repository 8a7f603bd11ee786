#include "pipeline/events/segment_calls.hpp"

namespace tracefold {

namespace {

constexpr std::size_t most_stages = 4096;

}  // namespace

SegmentCalls::SegmentCalls(const FunctionTable& functions)
    : functions_(functions),
      pairs_(functions.functions().size()),
      tallies_(functions.functions().size()),
      open_(64),
      top_(open_.data()),
      end_(top_ + open_.size() - 1),
      stages_(1) {}

void SegmentCalls::grow() {
  const auto depth = top_ - open_.data();
  open_.resize(2 * open_.size());
  top_ = open_.data() + depth;
  end_ = open_.data() + open_.size() - 1;
}

void SegmentCalls::take_stage() {
  stages_.back().callees = pairs_.take_callees(virtual_root);
  stages_.back().in_callees = std::exchange(open_.front().in_callees, 0);
}

void SegmentCalls::end_stage(std::uint64_t time, std::uint64_t region) {
  if (unusable_)
    return;
  take_stage();
  stages_.back().end = time;
  stages_.back().region = region;
  stages_.emplace_back();
  unusable_ = stages_.size() > most_stages;
}

}  // namespace tracefold
