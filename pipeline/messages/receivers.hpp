// The receivers of each rank's messages, which tell the grid of the ranks. Any pass can collect
// them.
#pragma once

#include "model/groups/rank_grid.hpp"
#include "otf2/definitions.hpp"
#include "otf2/event.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace tracefold {

// The first distinct receivers of a location's messages, up to a limit, since a process has few
// neighbours in a grid. One location after the other, one thread.
class ReceiverSet {
 public:
  static constexpr std::size_t most_receivers = 256;
  // A communicator and a rank in it.
  using Receiver = std::pair<std::uint64_t, std::uint64_t>;

  // Adds an MpiSend or MpiIsend.
  [[gnu::always_inline]] void add(const Event& event) {
    using enum EventKind;
    const Receiver receiver{get_field<"communicator", MpiSend, MpiIsend>(event),
                            get_field<"receiver", MpiSend, MpiIsend>(event)};
    auto& last = last_[(receiver.first * 31 + receiver.second) % last_.size()];
    if (last == receiver)
      return;
    last = receiver;
    add(receiver);
  }
  // Adds the receivers of a later part of the location.
  void add(const std::vector<Receiver>& part) {
    for (const auto& receiver : part)
      add(receiver);
  }

  // In order of arrival.
  const std::vector<Receiver>& list() const { return receivers_; }
  // Moves the list out and leaves the set empty.
  std::vector<Receiver> take();

 private:
  void add(const Receiver& receiver);

  static constexpr Receiver nobody{~std::uint64_t{0}, ~std::uint64_t{0}};

  std::vector<Receiver> receivers_;
  std::set<Receiver> known_;
  std::array<Receiver, 64> last_ = make_empty();  // by hash: the last ones

  static constexpr std::array<Receiver, 64> make_empty() {
    std::array<Receiver, 64> last;
    last.fill(nobody);
    return last;
  }
};

// The other MPI ranks that a location sends to, ascending; unknown receivers are left out.
std::vector<std::uint32_t> find_receivers(const Definitions& definitions, std::uint64_t location,
                                          const std::vector<ReceiverSet::Receiver>& receivers);

// The receivers of a location.
struct LocationReceivers {
  std::uint64_t location = 0;
  std::vector<std::uint32_t> ranks;
};

// The grid that these receivers suggest (filters/correlation/propose_grid.hpp), for a trace that
// was not reduced before. Empty for a single axis that is no ring, if no rank sends, or if there
// are too many pairs. Does not depend on the order of locations.
std::vector<GridAxis> propose_rank_grid(const Definitions& definitions,
                                        const std::vector<LocationReceivers>& receivers);

}  // namespace tracefold
