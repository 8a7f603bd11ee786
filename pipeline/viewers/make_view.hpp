// Makes the view of a trace (model/viewers/view.hpp): what its definitions, markers and properties
// say, in the words of viewers, and what a first reading of its events has found.
//
// Thread-safe, deterministic.
#pragma once

#include "model/viewers/view.hpp"
#include "otf2/definitions.hpp"
#include "otf2/event.hpp"
#include "pipeline/viewers/message_links.hpp"
#include "pipeline/viewers/representative_names.hpp"
#include "pipeline/viewers/view_clock.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace tracefold {

// Where what an id names stands in the lists of a view.
class ViewPlaces {
 public:
  void add(std::uint64_t id, std::size_t place) { places_.emplace(id, place); }
  std::optional<std::size_t> find(std::uint64_t id) const {
    const auto at = places_.find(id);
    return at == places_.end() ? std::nullopt : std::optional(at->second);
  }

 private:
  std::unordered_map<std::uint64_t, std::size_t> places_;
};

struct PlacedView {
  View view;
  ViewPlaces nodes, processes, threads, functions, communicators;  // by id
  std::vector<ViewPlaces> first_counters;  // by thread and metric: that of its first member

  std::optional<std::size_t> find_process(const Definitions& definitions,
                                          std::optional<std::uint64_t> location) const {
    if (!location || !definitions.find(Ref::location, *location))
      return std::nullopt;
    return processes.find(definitions.location_group(*location));
  }
};

// What a first reading of the events of one location has found.
struct ViewSurvey {
  std::optional<std::uint64_t> first_time;            // ticks; none without events
  std::set<std::uint64_t> metrics;                    // that it records
  std::array<std::uint64_t, event_kinds> left_out{};  // records that no viewer is shown, by kind
  std::uint64_t unknown = 0;                          // records of kinds that are not known
  std::uint64_t not_finite = 0;                       // values of metrics that are left out
};

// Nodes, processes, threads and functions, in the order of their ids.
PlacedView place_definitions(const Definitions& definitions, const RepresentativeNames& names);
// The rest. `surveys` are of all locations in their order, `links` of their messages.
void complete_view(PlacedView& placed, const ArchiveFacts& facts,
                   const std::vector<ViewSurvey>& surveys, const MessageLinks& links,
                   const ViewClock& clock);

}  // namespace tracefold
