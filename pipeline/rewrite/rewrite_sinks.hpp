// What the rewrite pass does with the clean events of a kept location: first a scan of
// what they name, then the copy. One per location and thread.
//
// Source: DESIGN's rules of rewriting.
#pragma once

#include "otf2/event_writer.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/rewrite/event_cut.hpp"
#include "pipeline/rewrite/reduced_definitions.hpp"
#include "pipeline/rewrite/used_refs.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

// Collects what the events that stay name.
class ScanSink {
 public:
  ScanSink(EventScan& scan, UsedRefs& used) : scan_(scan), used_(used) {}
  [[gnu::always_inline]] void enter(const CallBegin& c, std::span<const Attribute> attributes) {
    call(c.region, attributes);
  }
  [[gnu::always_inline]] void leave(const CallEnd& c, std::span<const Attribute> attributes) {
    call(c.region, attributes);
  }
  void other(Event& event) {
    if (scan_.see(event, true))
      used_.add(event);
  }
  void left_out(Event& event) { scan_.see(event, false); }
  void stand_in(EventKind, std::uint64_t, std::uint32_t) {}
  void unknown(std::uint64_t) {}

 private:
  void call(std::uint64_t region, std::span<const Attribute> attributes) {
    used_.add(Ref::region, region);
    for (const auto& a : attributes)
      used_.add(a);
  }
  EventScan& scan_;
  UsedRefs& used_;
};

// Gives the events that stay their new ids and writes them.
class CopySink {
 public:
  CopySink(EventCut& cut, const ReducedDefinitions& reduced, EventWriter& writer)
      : cut_(cut), reduced_(reduced), writer_(writer) {}
  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    writer_.enter(call.time, reduced_.new_id(Ref::region, call.region), renumbered(attributes));
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    writer_.leave(call.time, reduced_.new_id(Ref::region, call.region), renumbered(attributes));
  }
  void other(Event& event) {
    if (!cut_.keep(event, true))
      return;
    reduced_.renumber(event);
    ++others_[static_cast<std::size_t>(event.kind)];
    writer_.write(event);
  }
  void left_out(Event& event) { cut_.keep(event, false); }
  void stand_in(EventKind kind, std::uint64_t time, std::uint32_t which) {
    const auto region = reduced_.stand_in(which);
    if (kind == EventKind::Enter)
      writer_.enter(time, region, {});
    else
      writer_.leave(time, region, {});
  }
  void unknown(std::uint64_t) { ++unknown_; }
  std::uint64_t unknown_records() const { return unknown_; }
  const std::array<std::uint64_t, event_kinds>& others() const {
    return others_;
  }  // that were written, by kind

 private:
  std::span<const Attribute> renumbered(std::span<const Attribute> attributes) {
    if (attributes.empty())
      return {};
    attributes_.assign(attributes.begin(), attributes.end());
    reduced_.renumber(attributes_);
    return attributes_;
  }
  EventCut& cut_;
  const ReducedDefinitions& reduced_;
  EventWriter& writer_;
  std::vector<Attribute> attributes_;
  std::array<std::uint64_t, event_kinds> others_{};
  std::uint64_t unknown_ = 0;
};

}  // namespace tracefold
