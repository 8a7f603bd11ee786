// The open requests of one location: what each id was made for, in the order in which requests
// with this id were made. One thread at a time.
//
// Memory: 36 to 40 bytes for each request that is open at once, and 256 bytes. Time: opening and
// closing take as long however many requests are open, and however often one id is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

class OpenRequests {
 public:
  OpenRequests() : buckets_(std::size_t{1} << bits_, none) {}

  void open(std::uint64_t request, std::uint64_t number) {
    const auto place = take_place();
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

  // The same; what close() would say first, and close.
  std::optional<std::uint64_t> replace(std::uint64_t request, std::uint64_t number) {
    const auto place = take_place();
    auto& link = find(request);
    if (link == none) [[likely]] {
      places_[place] = {request, number, none, none, place};
      link = place;
      return std::nullopt;
    }

    give_back(place);
    const auto before = close(request);
    open(request, number);
    return before;
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
    give_back(place);
    return first.number;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  struct Place {
    std::uint64_t request;
    std::uint64_t number;
    std::uint32_t next;   // the first request of another id in the bucket, or the next free place
    std::uint32_t later;  // the next request with this id
    std::uint32_t last;   // with this id; of the first one only
  };

  // The link to the first request with this id; it holds none where there is none.
  std::uint32_t& find(std::uint64_t request) {
    auto* link = &buckets_[find_bucket(request)];
    while (*link != none && places_[*link].request != request)
      link = &places_[*link].next;
    return *link;
  }
  std::size_t find_bucket(std::uint64_t request) const {
    return request * 0x9e3779b97f4a7c15u >> (64 - bits_);
  }

  // The first requests of all ids go to twice as many buckets.
  void grow() {
    ++bits_;
    const auto before =
        std::exchange(buckets_, std::vector<std::uint32_t>(std::size_t{1} << bits_, none));
    for (auto place : before)
      while (place != none) {
        auto& bucket = buckets_[find_bucket(places_[place].request)];
        place = std::exchange(places_[place].next, std::exchange(bucket, place));
      }
  }

  std::uint32_t take_place() {
    if (free_ != none) {
      const auto place = free_;
      free_ = places_[place].next;
      return place;
    }

    places_.emplace_back();
    if (places_.size() > buckets_.size()) [[unlikely]]
      grow();
    return static_cast<std::uint32_t>(places_.size() - 1);
  }
  void give_back(std::uint32_t place) {
    places_[place].next = free_;
    free_ = place;
  }

  unsigned bits_ = 6;
  std::vector<std::uint32_t> buckets_;  // first places, by hash
  std::vector<Place> places_;
  std::uint32_t free_ = none;
};

}  // namespace tracefold
