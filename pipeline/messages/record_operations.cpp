#include "pipeline/messages/record_operations.hpp"

#include "model/plan.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

OperationRecorder::OperationRecorder(const Definitions& definitions,
                                     const std::vector<Function>& functions, bool keeps_messages)
    : definitions_(definitions),
      communicators_(definitions),
      names_(functions),
      keeps_messages_(keeps_messages) {}

OperationRecorder::Thread::Thread(OperationRecorder& recorder)
    : sink(recorder.definitions_, recorder.communicators_, recorder.names_,
           recorder.keeps_messages_),
      recorder_(recorder) {}

void OperationRecorder::Thread::record(std::size_t process) {
  auto [sequence, totals] = sink.take();
  if (sequence.empty() || recorder_.bytes_ > most_bytes)
    return;

  const auto& operations = sink.operations();
  const bool has_operations = std::any_of(sequence.begin(), sequence.end(), [&](const auto& node) {
    return !node.is_loop() && is_compared(operations[node.symbol].kind);
  });
  sequence.shrink_to_fit();
  const auto bytes = sequence.size() * sizeof(SequenceNode);
  const auto before = sequences_.sequences().size();
  const auto number = sequences_.find_number(std::move(sequence));
  if (number == before)
    recorder_.bytes_ += bytes;
  processes_.push_back({process, number, has_operations, std::move(totals)});
}

OperationsPart OperationRecorder::Thread::take() {
  return {{sink.paths().begin(), sink.paths().end()},
          sink.take_operations(),
          sequences_.take(),
          std::move(processes_)};
}

OperationRecorder::Thread& OperationRecorder::add_thread() {
  std::lock_guard lock(mutex_);
  threads_.push_back(std::make_unique<Thread>(*this));
  return *threads_.back();
}

std::optional<std::vector<OperationsPart>> OperationRecorder::take_parts() {
  if (bytes_ > most_bytes)
    return std::nullopt;

  std::vector<OperationsPart> parts;
  for (auto& thread : threads_)
    parts.push_back(thread->take());
  return parts;
}

}  // namespace tracefold
