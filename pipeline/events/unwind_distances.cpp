#include "pipeline/events/unwind_distances.hpp"

namespace tracefold {

std::uint64_t UnwindDistances::count_kept(const Event& event) const {
  using enum EventKind;
  const auto depth = contexts_.find_depth(
      get_field<"callingContext", CallingContextEnter, CallingContextLeave, CallingContextSample>(
          event));
  const auto distance =
      event.kind == CallingContextLeave
          ? 2
          : get_field<"unwindDistance", CallingContextEnter, CallingContextSample>(event);
  return depth - std::min<std::uint64_t>(depth, distance - std::min<std::uint64_t>(distance, 1));
}

void UnwindDistances::set_kept(Event& event, std::uint64_t kept) const {
  using enum EventKind;
  const auto depth = contexts_.find_depth(
      get_field<"callingContext", CallingContextEnter, CallingContextSample>(event));
  get_field<"unwindDistance", CallingContextEnter, CallingContextSample>(event) = depth - kept + 1;
}

}  // namespace tracefold
