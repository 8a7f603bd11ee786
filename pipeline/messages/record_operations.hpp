// Records the operations of all locations that this process reads. Each thread has a sink with its
// own numbers of operations and call paths, until the parts are merged (operations_part.hpp).
#pragma once

#include "pipeline/messages/operation_sink.hpp"
#include "pipeline/messages/operation_table.hpp"
#include "pipeline/messages/operations_part.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace tracefold {

struct Process;

class OperationRecorder {
 public:
  // The limit for different sequences, in bytes.
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 32;

  // With `keeps_messages`, gap times and accompanying records are recorded, too. All arguments must
  // outlive this.
  OperationRecorder(const Definitions& definitions, const std::vector<Function>& functions,
                    bool keeps_messages);

  const CommunicatorRanks& communicators() const { return communicators_; }

  // What one thread collects.
  class Thread {
   public:
    explicit Thread(OperationRecorder& recorder);

    OperationSink sink;
    // Takes the operations of the process from the sink, after all of its events. Sequences that
    // the thread had before are stored once.
    void record(std::size_t process);

   private:
    friend class OperationRecorder;
    OperationsPart take();

    OperationRecorder& recorder_;
    SequenceTable sequences_;
    std::vector<OperationsPart::Process> processes_;
  };
  // Adds an object for a thread. Thread-safe.
  Thread& add_thread();

  // The parts of all threads. Call once, after all processes were recorded. None if their sequences
  // take more than `most_bytes`.
  std::optional<std::vector<OperationsPart>> take_parts();

 private:
  const Definitions& definitions_;
  const CommunicatorRanks communicators_;
  const OperationNames names_;
  const bool keeps_messages_;
  std::atomic<std::uint64_t> bytes_{0};  // of each thread's distinct sequences
  std::mutex mutex_;
  std::vector<std::unique_ptr<Thread>> threads_;
};

}  // namespace tracefold
