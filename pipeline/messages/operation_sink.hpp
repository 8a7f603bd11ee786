// Collects the operations of one location after the other from clean events: in the order in
// which they were begun, folded, and the gap times before its MPI calls.
//
// What a receive without blocking is of is told when it completes, so what is begun behind it
// waits until then. Requests with one id complete in the order in which they were made. A
// cancelled receive is no operation. Of one that never completes the ends are unknown. What streams
// of accelerators do to windows and files is none of a rank's.
//
// Where messages are kept, what accompanies one-sided and file operations is collected, too. A
// completion means the operation with its id that was begun last.
//
// One per thread; operations and call paths are numbered over all its locations. Memory: those,
// what the folder needs, 64 bytes for each operation behind a receive that is open, of at most
// `most_waiting`, 32 for each request that is open, and 80 for each one-sided or file operation
// that may be completed, of at most `most_begun`.
//
// Source: signatures 3.1; OTF2's record definitions.
#pragma once

#include "filters/messages/sequence_folder.hpp"
#include "model/messages/communication.hpp"
#include "pipeline/events/call_path_cursor.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/messages/communicator_ranks.hpp"
#include "pipeline/messages/open_requests.hpp"
#include "pipeline/messages/operation_table.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <vector>

namespace tracefold {

// Functions as messages see them. Shared by all threads.
struct OperationNames {
  std::vector<FunctionIndex> name;  // the first function that is called so, by function
  std::vector<char> is_mpi;         // by function

  explicit OperationNames(const std::vector<Function>& functions);
};

// Why ends of operations are unknown, and how often.
struct UnknownEnds {
  std::uint64_t communicators = 0;  // not defined, or the rank is not in it
  std::uint64_t ranks = 0;          // beyond their communicator
  std::uint64_t open = 0;           // never completed
  std::uint64_t requests = 0;       // completed, and never begun: they count where they completed

  std::uint64_t sum() const { return communicators + ranks + open; }
};

// What one location tells.
struct RecordedOperations {
  FoldedSequence sequence;                // of numbers of this thread's operations
  std::uint64_t messages = 0, bytes = 0;  // sends and receives
  std::vector<PathGap> gaps;              // by this thread's paths, in no order
  UnknownEnds unknown;
};

class OperationSink {
 public:
  static constexpr std::size_t most_waiting = std::size_t{1} << 18;
  static constexpr std::size_t most_begun = std::size_t{1} << 18;

  OperationSink(const Definitions& definitions, const CommunicatorRanks& communicators,
                const OperationNames& names, bool keeps_messages);

  // Call before the events of a location.
  void begin(std::uint64_t location);

  [[gnu::always_inline]] void enter(const CallBegin& call, std::span<const Attribute>) {
    open_call(call.function);
    if (names_.is_mpi[call.function]) [[unlikely]]
      enter_mpi(call.time);
  }
  [[gnu::always_inline]] void leave(const CallEnd& call, std::span<const Attribute>) {
    --depth_;
    if (depth_ < mpi_depth_) [[unlikely]]
      leave_mpi(call.time);
  }
  void other(const Event& event);
  void unknown(std::uint64_t) {}

  // What the location has whose events have all been seen.
  RecordedOperations take();
  const std::vector<Operation>& operations() const { return table_.operations(); }
  std::span<const CallPath> paths() const { return tree_.paths(); }

 private:
  struct Call {
    FunctionIndex function = 0;
    PathIndex path = no_path;     // until it is asked for
    bool has_operations = false;  // or a call inside of it has
  };
  enum class State : std::uint8_t { ready, open, cancelled };
  struct Waiting {
    Operation operation;
    State state = State::ready;
    std::uint64_t request = 0;  // where it is open
  };
  struct Callee {
    std::uint64_t key = ~std::uint64_t{0};  // path and function
    PathIndex callee = no_path;
  };
  static constexpr unsigned callee_bits = 10;
  struct Ends {
    std::uint64_t peer, communicator;
  };

  [[gnu::always_inline]] void open_call(FunctionIndex function) {
    if (depth_ == calls_.size()) [[unlikely]]
      calls_.push_back({});
    if (auto& call = calls_[depth_]; call.function != function || depth_ >= kept_) {
      call = {function, no_path};
      kept_ = depth_ + 1;
    } else {
      call.has_operations = false;
    }
    ++depth_;
  }
  void enter_mpi(std::uint64_t time);
  void leave_mpi(std::uint64_t time);
  PathIndex find_path();
  PathIndex find_whole_path();
  PathIndex find_callee(PathIndex path, FunctionIndex name);
  Operation& begin_operation(EventKind kind);
  void begin_operation(EventKind kind, Operation& operation);
  void end_operation();
  Ends find_ends(std::uint64_t communicator, std::uint64_t rank);
  std::uint64_t find_relative(std::uint64_t peer) const;
  void fill_message(Operation& operation, const Event& event);
  void fill_collective(Operation& operation, const Event& event);
  void add_record(const Event& event);
  std::uint64_t find_remote(std::uint64_t communicator, std::uint64_t remote, bool is_told);
  std::uint64_t find_root(std::uint64_t communicator, std::uint64_t root);
  std::uint64_t find_begun(const Event& event, std::uint64_t object, std::uint64_t id);
  void count_begun(const Event& event, std::uint64_t object);
  void bound_waiting();
  void open_request(EventKind kind, std::uint64_t request);
  void complete(EventKind kind, const Event& event, std::uint64_t request);
  void cancel(std::uint64_t request);
  Waiting* close_request(std::uint64_t request);
  void give_up(Waiting& waiting);
  void flush();
  void emit(const Operation& operation);

  const Definitions& definitions_;
  const CommunicatorRanks& communicators_;
  const OperationNames& names_;
  const bool keeps_messages_;  // with gap times, and what accompanies operations
  OperationTable table_;
  CallTree tree_;
  std::vector<Callee> callees_{std::size_t{1} << callee_bits};  // what was called last, by hash
  SequenceFolder folder_;

  std::uint64_t own_ = unknown_value;  // world rank
  bool is_own_ = true;                 // false: of an accelerator, which works for a rank
  std::vector<CommunicatorRanks::Seen> seen_;
  std::size_t last_seen_ = 0;  // the place in seen_ that was asked for last
  // The open calls, as many as depth_, from the outermost on. Behind them up to kept_ those that
  // were open inside of them last: a call often comes again, and has the same path then.
  std::vector<Call> calls_;
  std::size_t depth_ = 0, kept_ = 0;
  std::size_t mpi_depth_ = 0;  // open calls where MPI was called from outside; 0: it is not
  bool left_mpi_ = false;      // at least once
  std::uint64_t outside_since_ = 0;
  std::vector<std::uint64_t> gaps_;   // by path
  std::vector<PathIndex> gap_paths_;  // with a gap

  Operation operation_;           // the one at hand, where none waits
  std::vector<Waiting> waiting_;  // those before handed_on_ wait no longer
  std::size_t handed_on_ = 0;
  std::uint64_t first_waiting_ = 0;  // number of the first in waiting_
  OpenRequests requests_;            // numbers of what waits for them
  RecordedOperations found_;

  // Of one-sided and file operations that may be completed: the how manieth they are, by the window
  // or file handle and the id that ties them to their completion.
  std::map<std::tuple<bool, std::uint64_t, std::uint64_t>, std::uint64_t> begun_;
  std::uint64_t number_begun_ = 0;
};

}  // namespace tracefold
