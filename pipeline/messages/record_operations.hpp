// Records the operations of all locations of a trace that this process reads: threads collect with
// a sink each, whose numbers of operations and call paths are its own until the parts are merged
// (operations_part.hpp).
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
  // At most so many bytes are for sequences that differ.
  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 32;

  // Only where messages are kept, with gap times and what accompanies operations. All must stay.
  OperationRecorder(const Definitions& definitions, const std::vector<Function>& functions,
                    bool keeps_messages);

  const CommunicatorRanks& communicators() const { return communicators_; }

  // What one thread collects.
  class Thread {
   public:
    explicit Thread(OperationRecorder& recorder);

    OperationSink sink;
    // Takes what the sink has of the process whose events have all been seen. Sequences that
    // the thread had before are kept once.
    void record(std::size_t process);

   private:
    friend class OperationRecorder;
    OperationsPart take();

    OperationRecorder& recorder_;
    SequenceTable sequences_;
    std::vector<OperationsPart::Process> processes_;
  };
  // Any number of threads may ask for one each.
  Thread& add_thread();

  // What each thread found. Call once, after all processes were recorded. None where their
  // sequences take more than `most_bytes`.
  std::optional<std::vector<OperationsPart>> take_parts();

 private:
  const Definitions& definitions_;
  const CommunicatorRanks communicators_;
  const OperationNames names_;
  const bool keeps_messages_;
  std::atomic<std::uint64_t> bytes_{0};  // of distinct sequences in each thread
  std::mutex mutex_;
  std::vector<std::unique_ptr<Thread>> threads_;
};

}  // namespace tracefold
