#include "pipeline/delays/call_times.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

void CallTimesRecorder::make_room(PathIndex path) {
  times_.resize(std::max(times_.size(), 2 * std::size_t{path} + 16));
  now_.resize(std::max(times_.size(), 2 * paths_now_));
}

// Those of a call: of what it waited for, no more than it has.
void CallTimesRecorder::take_times() {
  for (std::size_t k = 0; k < paths_now_; ++k) {
    const auto path = now_[k];
    const auto ticks = std::exchange(times_[path], 0);
    std::uint64_t waited = 0;
    for (const auto& [waiting, of_wait] : waits_)
      waited += waiting == path ? std::min(of_wait, ticks - waited) : 0;
    if (ticks > waited)
      parts_.add(number_part(path, false), ticks - waited);
    if (waited > 0)
      parts_.add(number_part(path, true), waited);
  }
  paths_now_ = 0;
  waits_.clear();
}

void CallTimesRecorder::put_segment(std::uint64_t end, SegmentKind kind) {
  head_.add(segment_kinds * parts_.bytes().size() + static_cast<std::uint64_t>(kind),
            end - last_cut_);
  found_.segments += head_.bytes();
  found_.segments += parts_.bytes();
  head_.clear();
  parts_.clear();
  last_cut_ = end;
}

void CallTimesRecorder::put_before_call() {
  for (const auto& [path, ticks] : before_)
    parts_.add(number_part(path, false), ticks);
  before_.clear();
  put_segment(entered_, SegmentKind::between);
  is_in_call_ = false;
}

void CallTimesRecorder::cut(std::uint64_t time, SegmentKind kind) {
  if (is_in_call_)
    return;
  take_times();
  put_segment(time, kind);
}

void CallTimesRecorder::enter_mpi(std::uint64_t time) {
  if (is_in_call_) {
    if (meeting_)
      found_.meetings[*meeting_].push_back({});
    put_before_call();
  }
  for (std::size_t k = 0; k < paths_now_; ++k)
    before_.emplace_back(now_[k], std::exchange(times_[now_[k]], 0));
  paths_now_ = 0;
  entered_ = time;
  is_in_call_ = true;
  communicates_ = false;
  meeting_.reset();
}

bool CallTimesRecorder::leave_mpi(std::uint64_t time) {
  if (is_in_call_ && !communicates_) {
    for (const auto& [path, ticks] : before_)
      spend(path, ticks);
    before_.clear();
    waits_.clear();
    is_in_call_ = false;
    return false;
  }

  // Where another call of MPI was in this one, its begin was put when that was entered.
  if (is_in_call_) {
    if (meeting_)
      found_.meetings[*meeting_].push_back({entered_, waits_for_others_ ? time : 0});
    put_before_call();
  }
  take_times();
  put_segment(time, SegmentKind::call);
  has_calls_ = true;
  return true;
}

void CallTimesRecorder::add(const Event& event, const Definitions& definitions,
                            std::uint64_t location) {
  communicates_ = true;
  const auto part = find_collective_part(definitions, event);
  if (!part)
    return;
  const auto metric = find_waiting_metric(part->operation);
  if (metric != Metric::mpi_wait_at_barrier_time && metric != Metric::mpi_wait_at_nxn_time &&
      metric != Metric::mpi_wait_at_fence_time)
    return;

  const CollectiveMatcher::Key key{part->operation, part->communicator};
  const bool waits = may_wait_for_others(definitions, location, *part);
  if (is_in_call_ && !meeting_) {
    meeting_ = key;
    waits_for_others_ = waits;
  } else {
    found_.meetings[key].push_back({});  // there is no call of its own
  }
}

CallTimes CallTimesRecorder::take() {
  if (!has_calls_)
    found_ = {};
  if (!found_.segments.empty())
    found_.segments.append(PackedPairs::beyond, 0);
  found_.segments.shrink_to_fit();
  for (auto& [key, meetings] : found_.meetings)
    meetings.shrink_to_fit();
  return std::move(found_);
}

}  // namespace tracefold
