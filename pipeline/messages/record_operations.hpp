// Puts what locations told of their operations together to what ranks communicate.
//
// Threads collect with a sink each; at the end their numbers of operations, call paths and
// sequences become common ones, in the order of processes, so that the result does not depend
// on the number of threads.
#pragma once

#include "base/error.hpp"
#include "model/messages/communication.hpp"
#include "model/plan.hpp"
#include "pipeline/messages/operation_sink.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

class OperationRecorder {
 public:
  // For so many processes of the plan, with so many bytes for what they do. Only where messages are
  // kept, with gap times and what accompanies operations. All must stay.
  OperationRecorder(const Definitions& definitions, const std::vector<Function>& functions,
                    std::size_t processes, std::uint64_t most_bytes, bool keeps_messages);

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
    OperationRecorder& recorder_;
    struct Recorded {
      std::size_t process;
      std::uint32_t sequence;
      bool has_operations;      // else only what accompanies them
      RecordedOperations rest;  // without its sequence
    };

    std::vector<FoldedSequence> sequences_;
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> by_hash_;
    std::vector<Recorded> recorded_;
  };
  // Any number of threads may ask for one each.
  Thread& add_thread();

  // Call once, after all processes were recorded. None where they did more than there is memory
  // for.
  std::optional<Communication> take(const std::vector<Process>& processes,
                                    Diagnostics& diagnostics);

 private:
  const Definitions& definitions_;
  const std::vector<Function>& functions_;
  const CommunicatorRanks communicators_;
  const OperationNames names_;
  std::size_t processes_;
  const std::uint64_t most_bytes_;
  const bool keeps_messages_;
  std::atomic<std::uint64_t> bytes_{0};  // of distinct sequences in each thread
  std::mutex mutex_;
  std::vector<std::unique_ptr<Thread>> threads_;
};

}  // namespace tracefold
