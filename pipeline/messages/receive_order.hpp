// Finds which message of its channel each receive of one location gets.
//
// Messages of a channel do not overtake each other (see channel.hpp): the first receive
// that was posted for it gets the first message that was sent, whichever receive is
// completed first. Which channel a receive belongs to is known when it completes, and then
// its place among those posted before may still be open.
//
// One location, its records in order. Memory: at most `most_open` receives, from the oldest
// on that is open (where there are more, the oldest counts as one that never completes);
// 8 bytes for each channel, and 16 for each receive whose place is not the one in the order of
// completion; what operation_cursor.hpp says; and 8 bytes for each receive where it is
// asked when they were posted.
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

  // Times of posting are kept only where they are asked for.
  explicit ReceiveOrder(bool wants_times = false) : wants_times_(wants_times) {}

  // The next record of a receive, in a call that was entered at that time. Where the receive is
  // complete by it, `channel` is its number (0, 1, 2, …), none where the channel does not matter.
  void add(const Event& event, std::uint64_t time = 0,
           std::optional<std::size_t> channel = std::nullopt);
  // Call once, after the last.
  void finish();
  // How many were posted, and how many of them were completed.
  std::uint64_t posts() const { return posts_; }
  std::uint64_t completed_posts() const { return completed_posts_; }

  // Numbers of receives, in order of completion and ascending, with their places in their channels,
  // where that is not the number of receives of the channel that were complete before it. After
  // finish.
  Places& places() { return places_; }
  // When the receives of a channel were posted, in that order. Once, after finish.
  std::vector<std::uint64_t> take_post_times(std::size_t channel);

 private:
  struct Posted {
    enum class State : std::uint8_t { open, complete, gone };

    State state = State::open;
    std::uint64_t request = 0;  // where it is open
    std::uint64_t time = 0;
    // Where it is complete: its number, its channel, and how many receives of the channel
    // were complete before it.
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
