// Places and values of a reduced trace in words, for those who read what verify has found:
//
//   location 3 (rank 3): event 1 204 is Leave of 'exch' at 1.204 s
//
// Immutable once made; any thread may ask. The definitions have to stay.
#pragma once

#include "otf2/definitions.hpp"
#include "otf2/event.hpp"
#include "pipeline/events/earlier_reduction.hpp"
#include "pipeline/events/trace_times.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace tracefold {

class TraceWords {
 public:
  explicit TraceWords(const Definitions& definitions);

  // "location 3 (rank 3)", "location 5 (rank 3, thread 1)"; the rank is that of the original.
  std::string describe_location(std::uint64_t id) const;
  // "Leave of 'exch'"; for other kinds of records their name.
  std::string describe_event(EventKind kind, std::uint64_t region) const;
  // "1.204 s", since the trace began.
  std::string describe_time(std::uint64_t ticks) const;

 private:
  const Definitions& definitions_;
  std::unordered_map<std::uint64_t, LocationProperties> properties_;
  TraceTimes times_;
};

// "7 ('exch')" for an id of something that has a name, "'exch'" for that of a string; else the
// number.
std::string describe_value(const Definitions& definitions, const Field& field, std::uint64_t value);

// "Region 7 ('exch')".
std::string describe_definition(const Definitions& definitions, const Definition& definition);

}  // namespace tracefold
