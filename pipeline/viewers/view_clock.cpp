#include "pipeline/viewers/view_clock.hpp"

namespace tracefold {

ViewClock::ViewClock(const Definitions& definitions, std::uint64_t first) : begin_(first) {
  using enum DefinitionKind;
  for (const auto& d : definitions.all()) {
    if (d.kind != ClockProperties)
      continue;
    if (const auto ticks = get_field<"timerResolution", ClockProperties>(d); ticks > 0)
      ticks_per_second_ = ticks;

    constexpr std::uint64_t largest = std::uint64_t{1} << 53;
    const auto offset = get_field<"globalOffset", ClockProperties>(d);
    if (offset < first && convert(first - offset) < largest)
      begin_ = offset;
  }
}

}  // namespace tracefold
