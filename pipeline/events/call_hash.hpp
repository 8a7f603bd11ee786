// A hash of all calls of a location: their functions, their order and their nesting.
//
// Locations with equal hashes make the same calls, at different times, as processes do that run
// through the same loops. Different calls have equal hashes with a probability of 2^-64. A sink of
// clean events; one location, one thread.
#pragma once

#include "pipeline/events/clean_events.hpp"

#include <cstdint>
#include <span>

namespace tracefold {

using CallHash = std::uint64_t;

class CallHashSink {
 public:
  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute>) {
    add(std::uint64_t{call.function} + 1);
  }
  [[gnu::always_inline]] void leave(const CallEnd&, std::span<const Attribute>) { add(0); }
  void other(const Event&) {}
  void unknown(std::uint64_t) {}

  CallHash hash() const { return hash_; }

 private:
  [[gnu::always_inline]] void add(std::uint64_t number) {
    hash_ = (hash_ + number + 0x632be59bd9b4e019u) * 0x9e3779b97f4a7c15u;
    hash_ ^= hash_ >> 32;
  }

  CallHash hash_ = 0;
};

}  // namespace tracefold
