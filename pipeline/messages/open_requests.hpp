// The open requests of one location: what each id was made for, in the order in which requests
// with this id were made. One thread at a time.
//
// Memory: 24 bytes for each request that is open at once, and 16 KiB.
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
    places_[place] = {request, number, none};

    auto* link = &buckets_[find_bucket(request)];
    while (*link != none)
      link = &places_[*link].next;
    *link = place;
  }

  // The number of the first request with this id, which is closed by that; none where none is
  // open.
  std::optional<std::uint64_t> close(std::uint64_t request) {
    for (auto* link = &buckets_[find_bucket(request)]; *link != none; link = &places_[*link].next)
      if (places_[*link].request == request) {
        const auto place = *link;
        *link = places_[place].next;
        places_[place].next = free_;
        free_ = place;
        return places_[place].number;
      }
    return std::nullopt;
  }

  void clear() {
    buckets_.fill(none);
    places_.clear();
    free_ = none;
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;
  static constexpr unsigned bits = 12;

  struct Place {
    std::uint64_t request;
    std::uint64_t number;
    std::uint32_t next;  // in the bucket, or of those that are free
  };

  static std::size_t find_bucket(std::uint64_t request) {
    return request * 0x9e3779b97f4a7c15u >> (64 - bits);
  }

  std::uint32_t take_free() {
    if (free_ == none) {
      places_.push_back({});
      return static_cast<std::uint32_t>(places_.size() - 1);
    }
    const auto place = free_;
    free_ = places_[place].next;
    return place;
  }

  std::array<std::uint32_t, std::size_t{1} << bits> buckets_;
  std::vector<Place> places_;
  std::uint32_t free_ = none;
};

}  // namespace tracefold
