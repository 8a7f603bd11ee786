#include "pipeline/delays/call_times.hpp"

#include "base/varints.hpp"

namespace tracefold {

CallTimesRecorder::Times CallTimesRecorder::take_times() {
  Times out;
  out.reserve(now_.size());
  for (auto path : now_)
    out.emplace_back(path, std::exchange(times_[path], 0));
  now_.clear();
  return out;
}

void CallTimesRecorder::put_segment(std::uint64_t end, const Times& times, bool is_call) {
  put_varint(found_.segments, end - last_cut_);
  put_varint(found_.segments, 2 * times.size() + is_call);
  for (const auto& [path, ticks] : times) {
    put_varint(found_.segments, path);
    put_varint(found_.segments, ticks);
  }
  last_cut_ = end;
}

void CallTimesRecorder::put_before_call() {
  put_segment(entered_, before_, false);
  before_.clear();
  is_in_call_ = false;
}

void CallTimesRecorder::enter_mpi(std::uint64_t time) {
  if (is_in_call_) {
    if (meeting_)
      found_.meetings[*meeting_].push_back({});
    put_before_call();
  }
  before_ = take_times();
  entered_ = time;
  is_in_call_ = true;
  communicates_ = false;
  meeting_.reset();
}

void CallTimesRecorder::leave_mpi(std::uint64_t time) {
  if (is_in_call_ && !communicates_) {
    for (const auto& [path, ticks] : before_)
      spend(path, ticks);
    before_.clear();
    is_in_call_ = false;
    return;
  }

  // Where another call of MPI was in this one, its begin was put when that was entered.
  if (is_in_call_) {
    if (meeting_)
      found_.meetings[*meeting_].push_back({entered_, waits_ ? time : 0});
    put_before_call();
  }
  put_segment(time, take_times(), true);
}

void CallTimesRecorder::add(const Event& event, const Definitions& definitions,
                            std::uint64_t location) {
  communicates_ = true;
  const auto part = find_collective_part(event);
  if (!part)
    return;
  const auto metric = find_waiting_metric(part->operation);
  if (metric != Metric::mpi_wait_at_barrier_time && metric != Metric::mpi_wait_at_nxn_time)
    return;

  const CollectiveMatcher::Key key{part->operation, part->communicator};
  const bool waits = may_wait_for_others(definitions, location, *part);
  if (is_in_call_ && !meeting_) {
    meeting_ = key;
    waits_ = waits;
  } else {
    found_.meetings[key].push_back({});  // there is no call of its own
  }
}

CallTimes CallTimesRecorder::take() {
  found_.segments.shrink_to_fit();
  for (auto& [key, meetings] : found_.meetings)
    meetings.shrink_to_fit();
  return std::move(found_);
}

}  // namespace tracefold
