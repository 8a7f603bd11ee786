#include "pipeline/messages/record_operations.hpp"

#include "pipeline/messages/record_definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

std::uint64_t hash_nodes(const FoldedSequence& sequence) {
  std::uint64_t hash = sequence.size();
  for (const auto& node : sequence) {
    hash = (hash ^ node.symbol ^ std::uint64_t{node.body} << 32) * 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 32 ^ node.count) * 0xbf58476d1ce4e5b9u;
  }
  return hash;
}

// Distinct sequences, numbered as they come.
std::uint32_t number_sequence(
    FoldedSequence sequence, std::vector<FoldedSequence>& sequences,
    std::unordered_map<std::uint64_t, std::vector<std::uint32_t>>& known) {
  auto& alike = known[hash_nodes(sequence)];
  for (auto number : alike)
    if (sequences[number] == sequence)
      return number;

  alike.push_back(static_cast<std::uint32_t>(sequences.size()));
  sequences.push_back(std::move(sequence));
  return alike.back();
}

constexpr std::uint32_t unset = 0xffffffff;

// What is common to all threads: names, call paths, operations and sequences.
class CommonNumbers {
 public:
  CommonNumbers(const std::vector<Function>& functions, Communication& out)
      : functions_(functions), out_(out), names_(functions.size(), unset) {
    out_.paths.push_back({});
  }

  // One thread's numbers, and the common ones of those that were asked for.
  struct Thread {
    std::span<const CallPath> own_paths;
    const std::vector<Operation>* own_operations;
    std::vector<std::uint32_t> paths, operations;
  };
  static Thread begin_thread(const OperationSink& sink) {
    Thread thread{sink.paths(), &sink.operations(), {}, {}};
    thread.paths.assign(thread.own_paths.size(), unset);
    thread.paths[0] = 0;
    thread.operations.assign(thread.own_operations->size(), unset);
    return thread;
  }

  std::uint32_t number_path(Thread& thread, std::uint32_t own) {
    if (thread.paths[own] != unset)
      return thread.paths[own];

    const auto& [caller, function] = thread.own_paths[own];
    const NamedPath path{number_path(thread, caller), number_name(function)};
    const auto next = static_cast<std::uint32_t>(out_.paths.size());
    const auto [at, is_new] = paths_.try_emplace(path, next);
    if (is_new)
      out_.paths.push_back(path);
    return thread.paths[own] = at->second;
  }

  std::uint32_t number_operation(Thread& thread, std::uint32_t own) {
    if (thread.operations[own] != unset)
      return thread.operations[own];

    auto operation = (*thread.own_operations)[own];
    operation.path = number_path(thread, operation.path);
    return thread.operations[own] = table_.find_number(operation);
  }

  // The same operation, by the k-th location of a rank that has operations.
  std::uint32_t move_to_thread(std::uint32_t operation, std::uint8_t thread) {
    auto moved = table_.operations()[operation];
    moved.thread = thread;
    return table_.find_number(moved);
  }

  std::uint32_t number_sequence(FoldedSequence sequence) {
    return tracefold::number_sequence(std::move(sequence), out_.sequences, sequences_);
  }

  void finish() { out_.operations = table_.take(); }

 private:
  std::uint32_t number_name(FunctionIndex function) {
    if (names_[function] == unset) {
      names_[function] = static_cast<std::uint32_t>(out_.names.size());
      out_.names.push_back(functions_[function].name);
    }
    return names_[function];
  }

  const std::vector<Function>& functions_;
  Communication& out_;
  std::vector<std::uint32_t> names_;
  std::map<NamedPath, std::uint32_t> paths_;
  OperationTable table_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> sequences_;
};

void warn_of_unknown(const UnknownEnds& unknown, std::uint64_t location, Diagnostics& diagnostics) {
  const auto where = fmt::format("location {}", location);
  const std::pair<std::uint64_t, const char*> oddities[] = {
      {unknown.communicators,
       "operations in communicators that are not defined, or that their process is not in, have "
       "unknown ends"},
      {unknown.ranks,
       "operations with ranks that their communicator does not have have unknown "
       "ends"},
      {unknown.open, "operations without blocking that never completed have unknown ends"},
      {unknown.requests,
       "operations without blocking that completed and were never begun count "
       "where they completed"}};
  for (auto [times, words] : oddities)
    if (times)
      diagnostics.warn(words, where, times);
}

}  // namespace

OperationRecorder::OperationRecorder(const Definitions& definitions,
                                     const std::vector<Function>& functions, std::size_t processes,
                                     std::uint64_t most_bytes, bool keeps_messages)
    : definitions_(definitions),
      functions_(functions),
      communicators_(definitions),
      names_(functions),
      processes_(processes),
      most_bytes_(most_bytes),
      keeps_messages_(keeps_messages) {}

OperationRecorder::Thread::Thread(OperationRecorder& recorder)
    : sink(recorder.definitions_, recorder.communicators_, recorder.names_,
           recorder.keeps_messages_),
      recorder_(recorder) {}

void OperationRecorder::Thread::record(std::size_t process) {
  auto found = sink.take();
  auto sequence = std::exchange(found.sequence, {});
  if (sequence.empty() || recorder_.bytes_ > recorder_.most_bytes_)
    return;

  const auto& operations = sink.operations();
  const bool has_operations = std::any_of(sequence.begin(), sequence.end(), [&](const auto& node) {
    return !node.is_loop() && is_compared(operations[node.symbol].kind);
  });
  sequence.shrink_to_fit();
  const auto bytes = sequence.size() * sizeof(SequenceNode);
  const auto before = sequences_.size();
  const auto number = number_sequence(std::move(sequence), sequences_, by_hash_);
  if (sequences_.size() > before)
    recorder_.bytes_ += bytes;
  recorded_.push_back({process, number, has_operations, std::move(found)});
}

OperationRecorder::Thread& OperationRecorder::add_thread() {
  std::lock_guard lock(mutex_);
  threads_.push_back(std::make_unique<Thread>(*this));
  return *threads_.back();
}

std::optional<Communication> OperationRecorder::take(const std::vector<Process>& processes,
                                                     Diagnostics& diagnostics) {
  if (bytes_ > most_bytes_)
    return std::nullopt;

  Communication out;
  out.size = communicators_.size();
  out.communicators = communicators_.communicators();
  out.endpoints = list_endpoints(definitions_);
  out.nodes = list_nodes(definitions_);
  out.grids = list_topologies(definitions_);

  struct Place {
    std::size_t thread = 0;
    const Thread::Recorded* recorded = nullptr;
  };
  std::vector<Place> places(processes_);
  CommonNumbers common(functions_, out);
  std::vector<CommonNumbers::Thread> numbers;
  std::vector<std::vector<std::uint32_t>> sequences;  // by thread and its sequence
  for (std::size_t t = 0; t < threads_.size(); ++t) {
    numbers.push_back(CommonNumbers::begin_thread(threads_[t]->sink));
    sequences.emplace_back(threads_[t]->sequences_.size(), unset);
    for (const auto& recorded : threads_[t]->recorded_)
      places[recorded.process] = {t, &recorded};
  }

  std::unordered_map<std::uint64_t, std::size_t> ranks;  // places in out.ranks, by location group
  const auto add_process = [&](std::size_t p) {
    const auto [t, recorded] = places[p];
    warn_of_unknown(recorded->rest.unknown, processes[p].id, diagnostics);
    out.unknown_ends += recorded->rest.unknown.sum();

    auto& number = sequences[t][recorded->sequence];
    if (number == unset) {
      auto sequence = std::move(threads_[t]->sequences_[recorded->sequence]);
      for (auto& node : sequence)
        if (!node.is_loop())
          node.symbol = common.number_operation(numbers[t], node.symbol);
      number = common.number_sequence(std::move(sequence));
    }

    const auto [at, is_new] = ranks.try_emplace(processes[p].location_group, out.ranks.size());
    if (is_new)
      out.ranks.emplace_back();
    auto& rank = out.ranks[at->second];
    rank.rank = processes[p].rank.value_or(unknown_value);
    rank.messages += recorded->rest.messages;
    rank.bytes += recorded->rest.bytes;
    rank.damaged |= recorded->has_operations && processes[p].damaged;
    for (const auto& gap : recorded->rest.gaps)
      rank.gaps.push_back({common.number_path(numbers[t], gap.path), gap.ticks});

    if (is_new) {
      rank.sequence = number;
    } else {
      // A further location of the rank: its operations follow on those of the ones before.
      auto joined = out.sequences[rank.sequence];
      const auto place =
          static_cast<std::uint8_t>(std::min(rank.locations.size(), most_threads - 1));
      for (auto node : out.sequences[number]) {
        if (!node.is_loop())
          node.symbol = common.move_to_thread(node.symbol, place);
        joined.push_back(node);
      }
      rank.sequence = common.number_sequence(std::move(joined));
    }
    rank.locations.push_back(p);
    rank.only_accompanying += !recorded->has_operations;
  };

  // What only accompanies operations makes no ranks.
  for (std::size_t p = 0; p < processes.size(); ++p) {
    out.damaged += processes[p].damaged;
    if (places[p].recorded && places[p].recorded->has_operations)
      add_process(p);
  }
  for (std::size_t p = 0; p < processes.size(); ++p)
    if (places[p].recorded && !places[p].recorded->has_operations &&
        ranks.contains(processes[p].location_group))
      add_process(p);

  for (auto& rank : out.ranks) {
    for (auto location : rank.locations)
      if (rank.threads.size() < most_threads)
        rank.threads.push_back(processes[location].id);
    if (rank.threads.size() == 1 && rank.rank < out.endpoints.size() &&
        rank.threads[0] == out.endpoints[rank.rank])
      rank.threads.clear();

    std::sort(rank.gaps.begin(), rank.gaps.end(),
              [](const auto& a, const auto& b) { return a.path < b.path; });
    std::vector<PathGap> sums;
    for (const auto& gap : rank.gaps)
      if (!sums.empty() && sums.back().path == gap.path)
        sums.back().ticks += gap.ticks;
      else
        sums.push_back(gap);
    rank.gaps = std::move(sums);
  }
  std::stable_sort(out.ranks.begin(), out.ranks.end(),
                   [](const auto& a, const auto& b) { return a.rank < b.rank; });
  common.finish();
  if (keeps_messages_)
    out.definitions = list_record_definitions(definitions_, out.operations);
  return out;
}

}  // namespace tracefold
