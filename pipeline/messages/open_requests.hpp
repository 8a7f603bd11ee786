// The open requests of one location: what each id was made for, in the order in which requests
// with this id were made. One thread at a time.
//
// Memory: 32 bytes for each request that is open at once, and 16 KiB. Time: opening and closing
// take as long however often one id is open.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tracefold {

class OpenRequests {
 public:
  OpenRequests() { buckets_.fill(none); }

  void open(std::uint64_t request, std::uint64_t number) {
    const auto place = take_free();
    auto& link = find(request);
    if (link == none) {
      places_[place] = {request, number, none, none, place};
      link = place;
      return;
    }

    auto& first = places_[link];
    places_[place] = {request, number, none, none, none};
    places_[first.last].later = place;
    first.last = place;
  }

  // The number of the first request with this id, which is closed by that; none where none is
  // open.
  std::optional<std::uint64_t> close(std::uint64_t request) {
    auto& link = find(request);
    if (link == none)
      return std::nullopt;

    const auto place = link;
    auto& first = places_[place];
    if (first.later == none) {
      link = first.next;
    } else {
      places_[first.later].next = first.next;
      places_[first.later].last = first.last;
      link = first.later;
    }
    first.next = free_;
    free_ = place;
    return first.number;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  static constexpr unsigned bits = 12;

  struct Place {
    std::uint64_t request;
    std::uint64_t number;
    std::uint32_t next;   // the first request of another id in the bucket, or the next free place
    std::uint32_t later;  // the next request with this id
    std::uint32_t last;   // with this id; of the first one only
  };

  // The link to the first request with this id; it holds none where there is none.
  std::uint32_t& find(std::uint64_t request) {
    auto* link = &buckets_[request * 0x9e3779b97f4a7c15u >> (64 - bits)];
    while (*link != none && places_[*link].request != request)
      link = &places_[*link].next;
    return *link;
  }

  std::uint32_t take_free() {
    if (free_ == none) {
      places_.emplace_back();
      return static_cast<std::uint32_t>(places_.size() - 1);
    }
    const auto place = free_;
    free_ = places_[place].next;
    return place;
  }

  std::array<std::uint32_t, std::size_t{1} << bits> buckets_;  // first places
  std::vector<Place> places_;
  std::uint32_t free_ = none;
};

}  // namespace tracefold
