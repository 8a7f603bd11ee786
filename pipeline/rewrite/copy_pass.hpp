// The copy of a rewrite: reads the kept locations, gives the events that stay their new ids and
// ranks, and writes them to an output.
//
// Source: docs/design.md, "Rules of rewriting".
#pragma once

#include "base/error.hpp"
#include "base/team.hpp"
#include "otf2/event_writer.hpp"
#include "pipeline/events/read_locations.hpp"
#include "pipeline/events/window_reader.hpp"
#include "pipeline/rewrite/event_cut.hpp"
#include "pipeline/rewrite/kept_trace.hpp"
#include "pipeline/rewrite/member_metrics.hpp"
#include "pipeline/rewrite/member_output.hpp"
#include "pipeline/rewrite/reduced_definitions.hpp"
#include "pipeline/rewrite/scan_pass.hpp"
#include "pipeline/rewrite/trace_output.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace tracefold {

// Takes the clean events of one location. One per location and thread.
template <LocationOutput Output>
class CopySink {
 public:
  static constexpr bool is_hot = true;

  CopySink(EventCut& cut, const ReducedDefinitions& reduced, Output& output)
      : cut_(cut),
        reduced_(reduced),
        output_(output),
        regions_(reduced.list_small_ids(Ref::region)) {}

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute> attributes) {
    output_.enter(call.time, find_region(call.region), renumber(attributes));
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute> attributes) {
    output_.leave(call.time, find_region(call.region), renumber(attributes));
  }
  void other(Event& event) {
    if (keep(event))
      put(event);
  }
  bool keep(Event& event) { return cut_.keep(event, true); }
  void put(Event& event) {
    reduced_.renumber(event);
    ++others_[static_cast<std::size_t>(event.kind)];
    output_.write(event);
  }
  void left_out(Event& event) { cut_.keep(event, false); }
  void collapsed_call(EventKind kind, std::uint64_t time, const CollapsedCall& call) {
    const auto region = reduced_.collapsed_region(call.context.which);
    if (call.is_context)
      write_collapsed_call(kind, time, call);
    else if (kind == EventKind::Enter)
      output_.enter(time, region, {});
    else
      output_.leave(time, region, {});
  }
  void unknown(std::uint64_t) { ++unknown_; }

  std::uint64_t unknown_records() const { return unknown_; }
  // Records that were written, by kind, without Enter and Leave.
  const std::array<std::uint64_t, event_kinds>& others() const { return others_; }

 private:
  [[gnu::always_inline]] std::uint64_t find_region(std::uint64_t region) const {
    return region < regions_.size() ? regions_[region] : reduced_.new_id(Ref::region, region);
  }
  void write_collapsed_call(EventKind kind, std::uint64_t time, const CollapsedCall& call) {
    using enum EventKind;
    Event event;
    event.kind = kind == Enter ? CallingContextEnter : CallingContextLeave;
    event.time = time;
    get_field<"callingContext", CallingContextEnter, CallingContextLeave>(event) =
        reduced_.collapsed_region(call.context);
    if (kind == Enter)
      get_field<"unwindDistance", CallingContextEnter>(event) = call.unwind_distance;

    ++others_[static_cast<std::size_t>(event.kind)];
    output_.write(event);
  }
  std::span<const Attribute> renumber(std::span<const Attribute> attributes) {
    if (attributes.empty())
      return {};

    attributes_.assign(attributes.begin(), attributes.end());
    reduced_.renumber(attributes_);

    return attributes_;
  }

  EventCut& cut_;
  const ReducedDefinitions& reduced_;
  Output& output_;
  std::span<const std::uint64_t> regions_;  // new ids
  std::vector<Attribute> attributes_;
  std::array<std::uint64_t, event_kinds> others_{};
  std::uint64_t unknown_ = 0;
};

struct CopiedLocation {
  std::uint64_t id = 0;  // in the trace that is read
  bool is_halo = false;
  std::uint64_t read = 0;  // records
  WrittenLocation written;
  // Times of the first and the last record that was read (of halo: that stays), in ticks; 0 without
  // any.
  std::uint64_t first_time = 0, last_time = 0;
  CutCounts cut{};  // not counted for halo, of which most is left out
};

auto list_members(Like<CopiedLocation> auto& location) {
  return std::tie(location.id, location.is_halo, location.read, location.written,
                  location.first_time, location.last_time, location.cut);
}

// Runs copy() on each member of a team, for its own locations. If it throws RecordTooLarge or
// UnknownRank on one member (a scan is needed first), all members throw the same.
template <class Copy>
auto copy_together(Team* team, Copy&& copy) {
  if (!team)
    return copy();

  decltype(copy()) copied;
  std::size_t needed_bytes = 0;
  bool has_unknown_rank = false;
  try {
    copied = copy();
  } catch (const RecordTooLarge& record) {
    needed_bytes = record.bytes;
  } catch (const UnknownRank&) {
    has_unknown_rank = true;
  }

  for (const auto& [bytes, is_unknown] : share(team, std::pair(needed_bytes, has_unknown_rank))) {
    needed_bytes = std::max(needed_bytes, bytes);
    has_unknown_rank = has_unknown_rank || is_unknown;
  }
  if (has_unknown_rank)
    throw UnknownRank{};
  if (needed_bytes > 0)
    throw RecordTooLarge{needed_bytes};

  return copied;
}

// Copies all kept locations in parallel; members of a team copy their own ones. Returns what was
// copied of all locations, in their new order. With `report`, problems of locations are reported,
// for traces that no pass has read before. Throws Error(input), and what the output throws.
template <TraceOutput Output>
std::vector<CopiedLocation> copy_pass(const KeptTrace& kept, const KeptScan& scan,
                                      const MemberMetrics& members,
                                      const ReducedDefinitions& reduced, Output& output,
                                      bool report, const ReadOptions& options,
                                      Diagnostics& diagnostics) {
  const auto& ids = kept.ids();
  std::vector<CopiedLocation> copied(ids.size());

  const auto copy_location = [&](EventReader& reader, std::size_t i) {
    auto& location = copied[i];
    location.id = ids[i];
    location.is_halo = kept.is_halo(i);
    location.written.id = kept.locations().all()[i].new_id;
    EventCut cut(kept.partners(), ids[i], scan.operations[i].stays, scan.keeps_all_operations);
    auto written = output.open_location(location.written.id);
    MemberOutput location_output(written, members.list(i), reduced.member_metric(),
                                 members.know_waiting());
    CopySink sink(cut, reduced, location_output);

    const auto read = kept.read(reader, i, sink);
    if (report)
      warn_of_oddities(kept.definitions(), ids[i], read, sink.unknown_records(), diagnostics);

    location.read = read.records;
    location.first_time = read.first_time;
    location.last_time = read.last_time;
    location.written.records = location_output.close();
    location.written.others = sink.others();
    location.written.others[static_cast<std::size_t>(EventKind::Metric)] +=
        location_output.written();
    if (location.is_halo)
      return;
    location.cut = cut.cut();
    if (const auto* window = kept.window())
      for (const auto& record : window->find_crossing(ids[i]))
        ++location.cut[static_cast<std::size_t>(record.kind)];
  };
  const auto own = copy_together(options.team, [&] {
    return for_each_own_location(kept.archive(), ids, kept.shares(), options, diagnostics,
                                 copy_location);
  });
  share_found(options.team, copied, own);

  return copied;
}

}  // namespace tracefold
