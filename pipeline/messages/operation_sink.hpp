// Collects the operations of locations, one after the other, from clean events: folded, in the
// order of their begins, and with the gap times before MPI calls.
//
// A non-blocking receive has two records: one when it is posted, and one when it completes, which
// has sender and size. It counts where it is posted. So later operations wait until it completes
// (operation_queue.hpp). Non-blocking collectives are treated alike. Open requests with the same id
// complete in the order in which they were made. A cancelled receive does not count; a receive that
// never completes counts, with unknown ends. One-sided and file operations of accelerator streams
// do not count, since they are not done by an MPI rank.
//
// If messages are kept, the sink also collects the records that accompany one-sided and file
// operations, such as completions. A completion belongs to the operation that was last begun with
// its id.
//
// One sink for each thread; it numbers operations and call paths over all of its locations. Memory:
// these, that of the folder, 72 bytes for each waiting operation, at most `most_waiting`, and that
// of operation_cursor.hpp for at most `most_begun` one-sided and file operations that may be
// completed.
//
// Source: signatures 3.1; OTF2's record definitions.
#pragma once

#include "filters/messages/sequence_folder.hpp"
#include "model/messages/communication.hpp"
#include "pipeline/events/call_path_cursor.hpp"
#include "pipeline/events/clean_events.hpp"
#include "pipeline/messages/communicator_ranks.hpp"
#include "pipeline/messages/operation_cursor.hpp"
#include "pipeline/messages/operation_queue.hpp"
#include "pipeline/messages/operation_table.hpp"
#include "pipeline/messages/operations_part.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tracefold {

// The names of functions in messages. Shared by all threads.
struct OperationNames {
  std::vector<FunctionIndex> name;  // by function: the first function with the same name
  std::vector<char> is_mpi;         // by function

  explicit OperationNames(const std::vector<Function>& functions);
};

// The operations of one location. Numbers of operations and call paths are those of the sink.
struct RecordedOperations {
  FoldedSequence sequence;
  OperationTotals totals;
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

  // Returns the operations of the location, after all of its events.
  RecordedOperations take();
  const std::vector<Operation>& operations() const { return table_.operations(); }
  // Moves the operations out; call once, after the last location.
  std::vector<Operation> take_operations() { return table_.take(); }
  std::span<const CallPath> paths() const { return tree_.paths(); }

 private:
  struct Call {
    FunctionIndex function = 0;
    PathIndex path = no_path;     // until it is needed
    bool has_operations = false;  // it, or a call inside of it
  };
  enum class State : std::uint8_t { ready, open, cancelled };
  struct Waiting {
    Operation operation;
    State state = State::ready;
    std::uint64_t request = 0;  // if it is open

    bool is_open() const { return state == State::open; }
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
  std::uint64_t find_begun(const Event& completion);
  void count_begun(const Event& event);
  void bound_waiting();
  void follow_request(const Event& event);
  void fill_completed(Operation& operation, const Event& completion);
  void give_up_oldest();
  void flush();
  void emit(const Operation& operation);

  const Definitions& definitions_;
  const CommunicatorRanks& communicators_;
  const OperationNames& names_;
  const bool keeps_messages_;  // with gap times and accompanying records
  OperationTable table_;
  CallTree tree_;
  std::vector<Callee> callees_{std::size_t{1} << callee_bits};  // by hash: the most recent ones
  SequenceFolder folder_;

  std::uint64_t own_ = unknown_value;  // world rank
  bool is_own_ = true;                 // false: of an accelerator, which works for a rank
  std::vector<CommunicatorRanks::Seen> seen_;
  std::size_t last_seen_ = 0;  // the index in seen_ that was used last
  // The open calls, depth_ of them, the outermost first. Behind them, up to kept_, are the calls
  // that were open inside of them before: a repeated call has the same path.
  std::vector<Call> calls_;
  std::size_t depth_ = 0, kept_ = 0;
  std::size_t mpi_depth_ = 0;  // number of open calls where MPI was entered; 0: not in MPI
  bool left_mpi_ = false;      // at least once
  std::uint64_t outside_since_ = 0;
  std::vector<std::uint64_t> gaps_;   // by path
  std::vector<PathIndex> gap_paths_;  // with a gap

  Operation operation_;  // the current one, if none waits
  OperationQueue<Waiting> waiting_;
  // Operations with requests are numbered as they wait; one-sided and file operations by the number
  // of those that began before.
  OperationCursor cursor_{OperationCursor::Reuse::queues};
  std::uint64_t number_begun_ = 0;  // one-sided and file operations
  RecordedOperations found_;
};

}  // namespace tracefold
