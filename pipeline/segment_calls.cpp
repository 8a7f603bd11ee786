#include "pipeline/segment_calls.hpp"

namespace tracefold {

namespace {

constexpr std::size_t most_stages = 4096;

}  // namespace

SegmentCalls::SegmentCalls(const FunctionTable& functions)
    : functions_(functions), pairs_(functions.functions().size()), tallies_(functions.functions().size()), stages_(1) {}

void SegmentCalls::call_from_below(FunctionIndex function) {
  tallies_[function].called_in = stages_.size();
  stages_.back().callees.push_back(function);
}

void SegmentCalls::end_stage(std::uint64_t time, std::uint64_t region) {
  stages_.back().end = time;
  stages_.back().region = region;
  stages_.emplace_back();
  unusable_ = stages_.size() > most_stages;
}

}  // namespace tracefold
