// Finds which message of its channel each receive of one location gets.
//
// Messages of a channel do not overtake each other (see channel.hpp): the receive that was posted
// first for a channel gets the first message, whichever receive completes first. The channel of a
// receive is known when it completes; its place among those posted before may still be open then.
//
// One location, records in order. Memory: at most `most_open` receives from the oldest open one on
// (beyond that, the oldest one counts as never completed), 8 bytes for each channel, 16 for each
// receive whose place differs from the order of completion, that of operation_cursor.hpp, and 8
// bytes for each receive if times of posting are wanted.
//
// Source: MPI 4.0, 3.5 (order of messages); OTF2 3.0, MpiIrecvRequest.
#pragma once

#include "pipeline/messages/operation_cursor.hpp"
#include "pipeline/messages/operation_queue.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tracefold {

class ReceiveOrder {
 public:
  static constexpr std::size_t most_open = std::size_t{1} << 16;
  using Places = std::vector<std::pair<std::uint64_t, std::uint32_t>>;

  // Times of posting are stored only if wanted.
  explicit ReceiveOrder(bool wants_times = false) : wants_times_(wants_times) {}

  // Adds the next record of a receive, with the time when its call was entered. If it completes the
  // receive, `channel` is the number of its channel (0, 1, 2, …), or none if the channel does not
  // matter.
  void add(const Event& event, std::uint64_t time = 0,
           std::optional<std::size_t> channel = std::nullopt);
  // Call once, after the last record.
  void finish();
  // How many receives were posted, and how many of these completed.
  std::uint64_t posts() const { return posts_; }
  std::uint64_t completed_posts() const { return completed_posts_; }

  // By receive, numbered in order of completion and ascending: its place in its channel, if that
  // differs from the number of receives of the channel that completed before. Call after finish().
  Places& places() { return places_; }
  // The times at which the receives of a channel were posted, in that order. Call once, after
  // finish().
  std::vector<std::uint64_t> take_post_times(std::size_t channel);

 private:
  struct Posted {
    enum class State : std::uint8_t { open, complete, gone };

    State state = State::open;
    std::uint64_t request = 0;  // if it is open
    std::uint64_t time = 0;
    // If it is complete: its number, its channel, and how many receives of the channel completed
    // before.
    std::uint64_t number = 0;
    std::size_t channel = 0;
    std::uint32_t completed = 0;

    bool is_open() const { return state == State::open; }
  };
  struct Counts {
    std::uint32_t posted = 0;
    std::uint32_t completed = 0;
  };
  void complete(Posted& posted, std::optional<std::size_t> channel);
  void give_up_oldest();
  void release_known();
  void place(const Posted& posted);

  bool wants_times_;
  OperationCursor cursor_;
  OperationQueue<Posted> posted_;
  std::vector<Counts> channels_;                        // receives of each channel
  std::vector<std::vector<std::uint64_t>> post_times_;  // of each channel
  Places places_;
  std::uint64_t receives_ = 0;
  std::uint64_t posts_ = 0, completed_posts_ = 0;
};

}  // namespace tracefold
