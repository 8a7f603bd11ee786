// Decides which events of a kept location stay, except calls, and gives those that stay their new
// ranks.
//
// Records of one operation stay or go together, but the record that begins a receive does not name
// the sender. So a location is read twice: EventScan finds which operations stay, by number
// (pipeline/messages/operation_cursor.hpp), and EventCut leaves out the others. Both take the
// events of one location in order, on one thread.
//
// A location in the halo keeps only messages with kept processes, and collective operations of
// communicators that these are in.
//
// Source: docs/design.md, the rules "communicators are cut", "messages need both ends",
// "keep what stands alone", "collapsed iterations" and "halo".
#pragma once

#include "pipeline/messages/operation_channels.hpp"
#include "pipeline/messages/operation_cursor.hpp"
#include "pipeline/messages/operation_matching.hpp"
#include "pipeline/rewrite/partners.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace tracefold {

// Numbers of records that were left out, by kind.
using CutCounts = std::array<std::uint64_t, event_kinds>;

// Remembers the ranks that a location exchanges messages with: few, and looked up often.
class PeerCache {
 public:
  struct Peer {
    std::uint64_t comm = ~std::uint64_t{0}, rank = 0;
    bool stays = false;  // whether messages with it stay
    std::uint64_t new_rank = 0;
  };

  // With `keeps_all`, messages stay with every rank that exists in its communicator.
  PeerCache(const Partners& partners, std::uint64_t location, bool keeps_all)
      : partners_(partners), location_(location), keeps_all_(keeps_all) {}

  const Peer& find(std::uint64_t comm, std::uint64_t rank);

 private:
  const Partners& partners_;
  std::uint64_t location_;
  bool keeps_all_;
  std::array<Peer, 64> known_;
};

class EventScan {
 public:
  // With `finds_channels`, the scan also finds the channel of each operation, by which it is
  // matched with operations of other locations.
  EventScan(const Partners& partners, const Definitions& definitions, std::uint64_t location,
            bool finds_channels)
      : partners_(partners),
        definitions_(definitions),
        location_(location),
        finds_channels_(finds_channels),
        is_halo_(partners.is_halo(location)),
        keeps_all_(partners.keeps_all_ranks() && !finds_channels),
        peers_(partners, location, keeps_all_),
        channels_(definitions, location) {}

  // True if the event may stay. `is_inside` is false in an iteration that is left out.
  bool scan(const Event& event, bool is_inside);

  LocationOperations take();

 private:
  bool partner_stays(const Event& event);

  const Partners& partners_;
  const Definitions& definitions_;
  std::uint64_t location_;
  bool finds_channels_;
  bool is_halo_;
  bool keeps_all_;  // except records with a rank that does not exist
  OperationCursor operations_;
  PeerCache peers_;
  LocationOperations found_;
  // By operation: true until the record that names the sender of a receive was seen; in the halo
  // also, until the one that names the communicator of a collective operation.
  std::vector<bool> lacks_partner_;
  OperationChannels channels_;
};

// Thrown if everything was to stay and an event names a rank that its communicator does not have:
// only a scan finds which records go with it.
struct UnknownRank {};

class EventCut {
 public:
  // `stays`: by operation, from the scan. With `keeps_all` no event is left out, no rank changes,
  // and no scan is needed; UnknownRank is thrown if that is impossible.
  EventCut(const Partners& partners, std::uint64_t location, const std::vector<bool>& stays,
           bool keeps_all)
      : partners_(partners),
        location_(location),
        stays_(stays),
        is_halo_(partners.is_halo(location)),
        keeps_all_(keeps_all),
        peers_(partners, location, keeps_all || partners.keeps_all_ranks()) {}

  // True if the event stays; then its ranks are replaced. `is_inside` as in the scan.
  bool keep(Event& event, bool is_inside);

  const CutCounts& cut() const { return cut_; }

 private:
  bool stays(const Event& event, bool is_inside);
  void check_ranks(Event& event);
  void renumber(Event& event);
  void renumber_collective(Event& event);
  void renumber_root(std::uint64_t& root, std::uint64_t comm);

  const Partners& partners_;
  std::uint64_t location_;
  const std::vector<bool>& stays_;
  const bool is_halo_;
  const bool keeps_all_;
  OperationCursor operations_;
  PeerCache peers_;
  CutCounts cut_{};
};

}  // namespace tracefold
