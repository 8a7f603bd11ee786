// Resolves an operation of a main cluster for one of its ranks: its partners in the expanded trace,
// which may hold only some of the ranks, and the fields of its records.
//
// Communicators are cut to the ranks that are in the trace. A message whose other end is not in it
// is left out; a collective goes without the members that are missing, and a root that is missing
// becomes none.
// What the records of windows and files hold is in expanded_records.hpp.
// Immutable once made; any thread may ask. The messages must stay. Memory: 8 bytes for each member
// of each communicator.
//
// Source: docs/design.md, the rules "communicators are cut" and "messages need both ends".
#pragma once

#include "model/messages/messages.hpp"
#include "model/messages/own_communicators.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

// What an operation is on its way through time.
enum class OperationRole : std::uint8_t {
  none,          // it takes no part
  send,          // done when the call begins
  open_send,     // the same, and completed by another call
  receive,       // waits for its message
  open_receive,  // completed, and waiting, in another call
  collective,    // waits for others
  open_collective,
  record  // of a window or file, which waits for nobody
};

struct RankOperation {
  EventKind kind = EventKind::MpiSend;
  OperationRole role = OperationRole::none;
  bool comes_last = false;         // a record that is written where its call ends
  bool is_in_same_call = false;    // as in ClusterOperation
  bool opens = false;              // a request, also where it takes no part
  std::uint32_t communicator = 0;  // place in Messages::communicators
  std::uint64_t peer = 0;          // world rank
  std::uint64_t tag = 0, bytes = 0, received = 0, operation = 0;
  bool waits_for_root = false;  // of a collective: only the root is waited for, or only the root
  bool root_waits = false;      // waits for all
  bool is_root = false;
  std::uint64_t record_communicator = 0, record_rank = 0;  // as records tell them; a root or peer
};

class OperationFinder {
 public:
  // `is_there` by world rank.
  OperationFinder(const Messages& messages, const std::vector<bool>& is_there);

  // The operation `symbol` of messages, as the world rank `rank` has it.
  RankOperation find(std::uint32_t symbol, std::uint32_t rank) const;

  // A communicator as it is in the trace; both sides are world ranks.
  struct Cut {
    bool stays = false;
    std::uint64_t id = 0;  // in the trace
    std::vector<std::uint32_t> ranks, remote;
  };
  const std::vector<Cut>& communicators() const { return cut_; }
  // How many ranks of the trace take part in a collective on it.
  std::size_t count_members(std::uint32_t communicator) const {
    return cut_[communicator].ranks.size() + cut_[communicator].remote.size();
  }
  // The place of a communicator that has this id and stays.
  std::optional<std::uint32_t> find_staying(std::uint64_t id) const;
  // That of a window with this id.
  std::optional<std::uint32_t> find_window_communicator(std::uint64_t window) const;
  // What records of `rank` call a world rank, in a communicator that is given by its place. None
  // where it is not in the trace, or not in the communicator.
  std::optional<std::uint64_t> find_place(std::uint32_t communicator, std::uint32_t rank,
                                          std::uint64_t world) const;

 private:
  void fill_message(RankOperation& out, const ClusterOperation& shared, std::uint32_t rank) const;
  void fill_collective(RankOperation& out, const ClusterOperation& shared,
                       std::uint32_t rank) const;
  // False where there is none, or it does not stay.
  bool set_communicator(RankOperation& out, std::optional<std::uint32_t> place) const;

  const Messages& messages_;
  const std::vector<bool>& is_there_;
  std::vector<Cut> cut_;
  OwnCommunicators own_;
  std::unordered_map<std::uint64_t, std::uint64_t> windows_;  // ids of their communicators, by id
  // By communicator and side: places by world rank.
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> places_, remote_places_;
};

}  // namespace tracefold
