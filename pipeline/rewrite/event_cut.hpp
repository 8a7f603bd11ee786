// Decides for each event of a kept location that is no call whether it stays, and
// gives what stays its new ranks. In the order of the events, one per location.
//
// Records of one operation stay or go together, and the one that begins a receive
// does not say from whom. So a scan of the location comes first; it finds which
// operations stay by their number (pipeline/operations.hpp), and the cut does as it
// found. Where no location is left out and no iteration, all stays as it is. One thread
// at a time.
//
// Source: DESIGN's rules 4 to 7 of rewriting.
#pragma once

#include "pipeline/messages/operation_matching.hpp"
#include "pipeline/messages/operations.hpp"
#include "pipeline/rewrite/partners.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace tracefold {

// Left-out records by kind.
using CutCounts = std::array<std::uint64_t, event_kinds>;

// What is known of a rank of a communicator; few are asked for again and again.
class Peers {
 public:
  struct Peer {
    std::uint64_t comm = ~std::uint64_t{0}, rank = 0;
    bool stays = false;
    std::uint64_t new_rank = 0;
  };
  Peers(const Partners& partners, std::uint64_t location)
      : partners_(partners), location_(location) {}
  const Peer& find(std::uint64_t comm, std::uint64_t rank);

 private:
  const Partners& partners_;
  std::uint64_t location_;
  std::array<Peer, 64> known_;
};

class EventScan {
 public:
  // With `matches` the scan tells what each operation is matched by on other locations.
  EventScan(const Partners& partners, const Definitions& definitions, std::uint64_t location,
            bool matches)
      : partners_(partners),
        definitions_(definitions),
        location_(location),
        matches_(matches),
        peers_(partners, location) {}

  // Whether the event may stay; `inside` is false in an iteration that does not.
  bool scan(const Event& event, bool inside);

  LocationOperations take();

 private:
  bool partner_stays(const Event& event);
  void name(std::uint64_t operation, const Event& event);

  const Partners& partners_;
  const Definitions& definitions_;
  std::uint64_t location_;
  bool matches_;
  Operations operations_;
  Peers peers_;
  LocationOperations found_;
  std::vector<bool> unnamed_;  // by number: a receive whose end was not seen
  ChannelNumbers channels_;
};

class EventCut {
 public:
  EventCut(const Partners& partners, std::uint64_t location, const std::vector<bool>& stays,
           bool everything)
      : partners_(partners),
        location_(location),
        stays_(stays),
        everything_(everything),
        peers_(partners, location) {}

  // Whether the event stays; if so, its ranks are the new ones. `inside` as in the scan.
  bool keep(Event& event, bool inside);

  const CutCounts& cut() const { return cut_; }

 private:
  bool decide(const Event& event, bool inside);
  void renumber(Event& event);
  void renumber_rank(std::uint64_t& rank, std::uint64_t comm);
  void renumber_root(std::uint64_t& root, std::uint64_t comm);

  const Partners& partners_;
  std::uint64_t location_;
  const std::vector<bool>& stays_;  // by operation
  const bool everything_;
  Operations operations_;
  Peers peers_;
  CutCounts cut_{};
};

}  // namespace tracefold
