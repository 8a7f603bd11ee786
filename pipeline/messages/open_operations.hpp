// The open operations of one location: the numbers of the operations that each id refers to, in
// order. One thread at a time.
//
// Memory: 28 bytes and an id for each open operation, and 256 bytes. Opening and closing take
// constant time, however many operations are open or share an id.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

// An id is a number, or it is comparable and has `std::uint64_t hash() const`.
template <class Id>
class OpenOperations {
 public:
  OpenOperations() : buckets_(std::size_t{1} << bits_, none) {}

  std::size_t size() const { return size_; }

  // Opens an operation behind all others with this id.
  void open(const Id& id, std::uint64_t number) {
    const auto place = take_place();
    auto& link = find_link(id);
    if (link == none) {
      places_[place] = {id, number, none, none, place};
      link = place;
      return;
    }

    auto& first = places_[link];
    places_[place] = {id, number, none, none, none};
    places_[first.last].later = place;
    first.last = place;
  }

  // Opens an operation before all others with this id.
  void open_first(const Id& id, std::uint64_t number) {
    const auto place = take_place();
    auto& link = find_link(id);
    places_[place] = {id, number, none, link, place};
    if (link != none) {
      places_[place].next = places_[link].next;
      places_[place].last = places_[link].last;
    }
    link = place;
  }

  // Replaces the first operation with this id and returns its number; none if none is open.
  std::optional<std::uint64_t> replace(const Id& id, std::uint64_t number) {
    const auto place = take_place();
    auto& link = find_link(id);
    if (link == none) [[likely]] {
      places_[place] = {id, number, none, none, place};
      link = place;
      return std::nullopt;
    }

    give_back(place);
    return std::exchange(places_[link].number, number);
  }

  // The number of the first operation with this id; none if none is open.
  std::optional<std::uint64_t> find(const Id& id) {
    const auto place = find_link(id);
    return place == none ? std::nullopt : std::optional(places_[place].number);
  }

  // Closes the first operation with this id and returns its number; none if none is open.
  std::optional<std::uint64_t> close(const Id& id) {
    auto& link = find_link(id);
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

  // Closes all operations with lower numbers.
  void close_before(std::uint64_t number) {
    const auto before = std::exchange(*this, {});
    for (auto first : before.buckets_)
      for (; first != none; first = before.places_[first].next)
        for (auto place = first; place != none; place = before.places_[place].later)
          if (before.places_[place].number >= number)
            open(before.places_[place].id, before.places_[place].number);
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  struct Place {
    Id id;
    std::uint64_t number;
    std::uint32_t next;   // the first with another id in the bucket, or the next free place
    std::uint32_t later;  // the next with the same id
    std::uint32_t last;   // the last with the same id; only in the first one
  };

  // The link to the first place with this id, or the link that has none.
  std::uint32_t& find_link(const Id& id) {
    auto* link = &buckets_[find_bucket(id)];
    while (*link != none && places_[*link].id != id)
      link = &places_[*link].next;
    return *link;
  }
  std::size_t find_bucket(const Id& id) const {
    if constexpr (std::integral<Id>)
      return id * 0x9e3779b97f4a7c15u >> (64 - bits_);
    else
      return id.hash() * 0x9e3779b97f4a7c15u >> (64 - bits_);
  }

  // Doubles the number of buckets; each bucket links the first places of its ids.
  void grow() {
    ++bits_;
    const auto before =
        std::exchange(buckets_, std::vector<std::uint32_t>(std::size_t{1} << bits_, none));
    for (auto place : before)
      while (place != none) {
        auto& bucket = buckets_[find_bucket(places_[place].id)];
        place = std::exchange(places_[place].next, std::exchange(bucket, place));
      }
  }

  std::uint32_t take_place() {
    ++size_;
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
    --size_;
    places_[place].next = free_;
    free_ = place;
  }

  unsigned bits_ = 6;
  std::vector<std::uint32_t> buckets_;  // by hash: first places
  std::vector<Place> places_;
  std::uint32_t free_ = none;
  std::size_t size_ = 0;
};

using OpenRequests = OpenOperations<std::uint64_t>;

}  // namespace tracefold
