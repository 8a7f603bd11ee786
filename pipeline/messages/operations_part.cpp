#include "pipeline/messages/operations_part.hpp"

#include "pipeline/messages/operation_table.hpp"
#include "pipeline/messages/record_definitions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace tracefold {

namespace {

constexpr std::uint32_t unset = 0xffffffff;

// What is common to all parts: names, call paths, operations and sequences.
class CommonNumbers {
 public:
  CommonNumbers(const std::vector<Function>& functions, Communication& out)
      : functions_(functions), out_(out), names_(functions.size(), unset) {
    out_.paths.push_back({});
  }

  // The common numbers of what a part has, as far as they were asked for.
  struct PartNumbers {
    explicit PartNumbers(OperationsPart& part_)
        : part(part_),
          paths(part.paths.size(), unset),
          operations(part.operations.size(), unset),
          sequences(part.sequences.size(), unset) {
      if (!paths.empty())
        paths[0] = 0;
    }

    OperationsPart& part;
    std::vector<std::uint32_t> paths, operations, sequences;
  };

  std::uint32_t number_path(PartNumbers& part, std::uint32_t own) {
    if (part.paths[own] != unset)
      return part.paths[own];

    const auto& [caller, function] = part.part.paths[own];
    const NamedPath path{number_path(part, caller), number_name(function)};
    const auto next = static_cast<std::uint32_t>(out_.paths.size());
    const auto [at, is_new] = paths_.try_emplace(path, next);
    if (is_new)
      out_.paths.push_back(path);
    return part.paths[own] = at->second;
  }

  std::uint32_t number_operation(PartNumbers& part, std::uint32_t own) {
    if (part.operations[own] != unset)
      return part.operations[own];

    auto operation = part.part.operations[own];
    operation.path = number_path(part, operation.path);
    return part.operations[own] = table_.find_number(operation);
  }

  std::uint32_t number_sequence(PartNumbers& part, std::uint32_t own) {
    auto& number = part.sequences[own];
    if (number == unset) {
      auto sequence = std::move(part.part.sequences[own]);
      for (auto& node : sequence)
        if (!node.is_loop())
          node.symbol = number_operation(part, node.symbol);
      number = sequences_.find_number(std::move(sequence));
    }
    return number;
  }

  // A sequence, and behind it another one by the k-th location of the rank that has operations.
  std::uint32_t join_sequences(std::uint32_t first, std::uint32_t second, std::uint8_t thread) {
    auto joined = sequences_.sequences()[first];
    for (auto node : sequences_.sequences()[second]) {
      if (!node.is_loop())
        node.symbol = move_to_thread(node.symbol, thread);
      joined.push_back(node);
    }
    return sequences_.find_number(std::move(joined));
  }

  void finish() {
    out_.operations = table_.take();
    out_.sequences = sequences_.take();
  }

 private:
  std::uint32_t move_to_thread(std::uint32_t operation, std::uint8_t thread) {
    auto moved = table_.operations()[operation];
    moved.thread = thread;
    return table_.find_number(moved);
  }

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
  SequenceTable sequences_;
};

void warn_of_unknown(const UnknownEnds& unknown, std::uint64_t location, Diagnostics& diagnostics) {
  const auto where = fmt::format("location {}", location);
  const std::pair<std::uint64_t, const char*> oddities[] = {
      {unknown.communicators,
       "operations in communicators that are not defined, or that their process is not in, have "
       "unknown ends"},
      {unknown.paradigms,
       "operations of MPI in communicators of another paradigm have unknown ends"},
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

namespace {

// Takes parts one after the other into one.
class PartsUnion {
 public:
  void add(OperationsPart part) {
    const auto paths = number_paths(part.paths);
    std::vector<std::uint32_t> operations, sequences;
    for (auto operation : part.operations) {
      operation.path = paths.at(operation.path);
      operations.push_back(operations_.find_number(operation));
    }
    for (auto& sequence : part.sequences) {
      for (auto& node : sequence)
        if (!node.is_loop())
          node.symbol = operations.at(node.symbol);
      sequences.push_back(sequences_.find_number(std::move(sequence)));
    }
    for (auto& process : part.processes) {
      process.sequence = sequences.at(process.sequence);
      for (auto& gap : process.totals.gaps)
        gap.path = paths.at(gap.path);
      processes_.push_back(std::move(process));
    }
  }

  OperationsPart take() {
    OperationsPart out;
    out.paths = std::move(paths_);
    out.operations = operations_.take();
    out.sequences = sequences_.take();
    out.processes = std::move(processes_);
    return out;
  }

 private:
  // By path of a part, whose callers come before those that they call.
  std::vector<std::uint32_t> number_paths(const std::vector<CallPath>& paths) {
    std::vector<std::uint32_t> numbers(paths.size());
    for (std::size_t k = 1; k < paths.size(); ++k) {
      const CallPath path{numbers.at(paths[k].caller), paths[k].function};
      const auto [at, is_new] = known_.try_emplace(std::pair(path.caller, path.function),
                                                   static_cast<std::uint32_t>(paths_.size()));
      if (is_new)
        paths_.push_back(path);
      numbers[k] = at->second;
    }
    return numbers;
  }

  std::vector<CallPath> paths_{1};
  std::map<std::pair<PathIndex, FunctionIndex>, std::uint32_t> known_;
  OperationTable operations_;
  SequenceTable sequences_;
  std::vector<OperationsPart::Process> processes_;
};

}  // namespace

void OperationsPart::append(OperationsPart other) {
  PartsUnion both;
  both.add(std::move(*this));
  both.add(std::move(other));
  *this = both.take();
}

Communication merge_operations(std::vector<OperationsPart> parts, const Definitions& definitions,
                               const CommunicatorRanks& communicators,
                               const std::vector<Function>& functions,
                               const std::vector<Process>& processes, bool keeps_messages,
                               Diagnostics& diagnostics) {
  Communication out;
  out.size = communicators.size();
  out.communicators = communicators.communicators();
  out.endpoints = list_endpoints(definitions);
  out.nodes = list_nodes(definitions);
  out.grids = list_topologies(definitions);

  struct Place {
    std::size_t part = 0;
    const OperationsPart::Process* recorded = nullptr;
  };
  std::vector<Place> places(processes.size());
  CommonNumbers common(functions, out);
  std::vector<CommonNumbers::PartNumbers> numbers;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    numbers.emplace_back(parts[p]);
    for (const auto& recorded : parts[p].processes) {
      if (recorded.process >= places.size())
        throw Error(ErrorKind::input,
                    "parts of operations are of other processes than the trace's");
      places[recorded.process] = {p, &recorded};
    }
  }

  std::map<std::pair<bool, std::uint64_t>, std::size_t> ranks;  // places in out.ranks, by owner
  const auto add_process = [&](std::size_t p) {
    auto& part = numbers[places[p].part];
    const auto& recorded = *places[p].recorded;
    const auto& totals = recorded.totals;
    warn_of_unknown(totals.unknown, processes[p].id, diagnostics);
    out.unknown_ends += totals.unknown.sum();
    const auto sequence = common.number_sequence(part, recorded.sequence);

    const auto [at, is_new] = ranks.try_emplace(processes[p].owner(), out.ranks.size());
    if (is_new)
      out.ranks.emplace_back();
    auto& rank = out.ranks[at->second];
    rank.rank = processes[p].rank.value_or(unknown_value);
    rank.messages += totals.messages;
    rank.bytes += totals.bytes;
    rank.damaged |= recorded.has_operations && processes[p].damaged;
    for (const auto& gap : totals.gaps)
      rank.gaps.push_back({common.number_path(part, gap.path), gap.ticks});

    // The operations of a further location of the rank follow on those of the ones before.
    const auto place = static_cast<std::uint8_t>(std::min(rank.locations.size(), most_threads - 1));
    rank.sequence = is_new ? sequence : common.join_sequences(rank.sequence, sequence, place);
    rank.locations.push_back(p);
    rank.only_accompanying += !recorded.has_operations;
  };

  // What only accompanies operations makes no ranks.
  for (std::size_t p = 0; p < processes.size(); ++p) {
    out.damaged += processes[p].damaged;
    if (places[p].recorded && places[p].recorded->has_operations)
      add_process(p);
  }
  for (std::size_t p = 0; p < processes.size(); ++p)
    if (places[p].recorded && !places[p].recorded->has_operations &&
        ranks.contains(processes[p].owner()))
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
  if (keeps_messages)
    out.definitions = list_record_definitions(definitions, out.operations);
  return out;
}

}  // namespace tracefold
