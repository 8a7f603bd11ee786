#include "pipeline/segment_calls.hpp"

namespace tracefold {

SegmentCalls::SegmentCalls(const FunctionTable& functions)
    : functions_(functions), width_(functions.functions().size()), pairs_(width_ * width_), tallies_(width_), stages_(1) {}

void SegmentCalls::call_from_below(FunctionIndex function) {
  tallies_[function].called_in = stages_.size();
  stages_.back().callees.push_back(function);
}

void SegmentCalls::end_stage(std::uint64_t time, std::uint64_t region) {
  take_inclusive();
  stages_.back().end = time;
  stages_.back().region = region;
  stages_.emplace_back();
}

void SegmentCalls::take_inclusive() {
  for (FunctionIndex f = 0; f < tallies_.size(); ++f)
    if (tallies_[f].inclusive) stages_.back().inclusive.emplace_back(f, std::exchange(tallies_[f].inclusive, 0));
}

}  // namespace tracefold
