// Decides for each event of a kept location that is no call whether it stays,
// and gives what stays its new ranks. Where no location is left out all stays as
// it is. One per location and pass, in the order
// of the events.
//
// The record that begins a non-blocking receive does not say from whom, so a
// scan of the location comes first: it finds the partner of each receive by
// the record that ends it. Request ids are reused, so receives are told by
// their number on the location, not by id.
#pragma once

#include "model/event.hpp"
#include "pipeline/partners.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace tracefold {

// By number of the MpiIrecvRequest on the location: does it stay?
using ReceiveFates = std::vector<bool>;

// Left-out records by kind.
using CutCounts = std::array<std::uint64_t, event_kinds>;

class EventCut {
 public:
  // With `fates` null the cut scans: it finds the fates, and gives no new ranks.
  EventCut(const Partners& partners, std::uint64_t location, const ReceiveFates* fates)
      : partners_(partners), location_(location), fates_(fates) {}

  // Whether the event stays; if so, its ranks are the new ones (not in a scan).
  bool keep(Event& event);

  const CutCounts& cut() const { return cut_; }
  ReceiveFates take_fates() { return std::move(found_); }

 private:
  bool decide(Event& event);
  bool message(Event& event);
  bool receive_begins(std::uint64_t request);
  bool receive_ends(Event& event);
  bool request_ends(std::uint64_t request);
  bool one_sided(Event& event, std::size_t match_field);
  bool completes_one_sided(std::uint64_t window, std::uint64_t match, bool ends);
  bool renumber_peer(Event& event, std::size_t rank_field, std::uint64_t comm);
  void renumber_root(Event& event, std::size_t root_field, std::uint64_t comm);
  bool task(Event& event);

  struct Request {
    bool stays = false;
    std::size_t receive = none;  // its number, where it is a receive
  };
  static constexpr std::size_t none = ~std::size_t{0};

  // What is known of a rank of a communicator; few are asked for again and again.
  struct Peer {
    std::uint64_t comm = ~std::uint64_t{0}, rank = 0;
    bool stays = false;
    std::uint64_t new_rank = 0;
  };
  const Peer& peer(std::uint64_t comm, std::uint64_t rank);

  const Partners& partners_;
  std::uint64_t location_;
  const ReceiveFates* fates_;
  ReceiveFates found_;
  std::size_t receives_ = 0;
  std::unordered_map<std::uint64_t, Request> open_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, bool> one_sided_;  // window and matching id
  CutCounts cut_{};
  std::array<Peer, 64> peers_;
};

}  // namespace tracefold
