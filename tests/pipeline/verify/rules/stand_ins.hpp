// Which definitions of a reduced archive stand for iterations. Plain data.
//
// Source: docs/design.md, the rule "collapsed iterations".
#pragma once

#include "otf2/event_cursor.hpp"

#include <cstdint>
#include <vector>

namespace tracefold {

struct StandInIds {
  std::vector<bool> regions, contexts;  // by id

  bool has_region(std::uint64_t id) const { return id < regions.size() && regions[id]; }
  bool has_context(std::uint64_t id) const { return id < contexts.size() && contexts[id]; }

  // Whether a record begins or ends a call that stands for an iteration.
  bool has(const EventCursor::Record& record) const {
    using enum EventKind;
    if (!record.is_known)
      return false;
    if (record.kind == Enter || record.kind == Leave)
      return has_region(record.region);
    return (record.kind == CallingContextEnter || record.kind == CallingContextLeave) &&
           has_context(get_field<"callingContext", CallingContextEnter, CallingContextLeave>(
               *record.event));
  }
};

}  // namespace tracefold
