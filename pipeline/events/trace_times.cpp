#include "pipeline/events/trace_times.hpp"

namespace tracefold {

TraceTimes::TraceTimes(const Definitions& definitions) {
  using enum DefinitionKind;
  for (const auto& d : definitions.all()) {
    if (d.kind != ClockProperties)
      continue;
    begin_ = get_field<"globalOffset", ClockProperties>(d);
    if (const auto ticks = get_field<"timerResolution", ClockProperties>(d); ticks > 0)
      ticks_per_second_ = ticks;
    const auto real = get_field<"realtimeTimestamp", ClockProperties>(d);
    // One that is not known is larger than any other one.
    wall_clock_ = real < std::uint64_t{1} << 63 ? real : 0;
  }
}

}  // namespace tracefold
