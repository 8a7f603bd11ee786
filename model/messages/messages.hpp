// The `messages` section of a plan: the communication of the whole program, folded.
//
// Ranks with equal sequences of operations and call paths are a main cluster. They share a folded
// sequence, and each parameter of each operation is a column over them. Nothing is lost:
// decode_messages() returns every operation of every rank. Plain data.
//
// Source: signatures 3 (main clusters, trace files with parameters merged over ranks).
#pragma once

#include "base/packed_file.hpp"
#include "model/messages/column.hpp"
#include "model/messages/communication.hpp"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

// An operation of a main cluster.
struct ClusterOperation {
  EventKind kind = EventKind::MpiSend;
  std::uint8_t thread = 0;  // this and the next as in Operation
  bool is_in_same_call = false;
  std::uint32_t path = 0;
  std::array<std::uint32_t, most_parameters> columns{};  // in the order of list_parameters

  bool operator==(const ClusterOperation&) const = default;
};

// The gap times before calls of one path, for each rank of a main cluster.
struct ClusterGap {
  std::uint32_t path = 0;
  std::vector<std::uint64_t> ticks;  // in the order of the ranks

  bool operator==(const ClusterGap&) const = default;
};

struct MainCluster {
  std::vector<std::uint32_t> ranks;  // ascending
  FoldedSequence sequence;           // its symbols are indexes into Messages::operations
  std::vector<ClusterGap> gaps;      // ascending by path

  bool operator==(const MainCluster&) const = default;
};

// The locations of one Operation::thread, for ranks with operations in other locations than the
// endpoint.
struct ThreadLocations {
  std::vector<std::uint32_t> ranks;      // ascending
  std::vector<std::uint64_t> locations;  // of each

  bool operator==(const ThreadLocations&) const = default;
};

struct Messages {
  std::uint32_t size = 0;  // P
  bool complete = true;    // false: operations with an unknown end, or ranks, are missing
  std::vector<std::uint64_t> endpoints;  // as in Communication; empty where not known
  std::vector<ThreadLocations> threads;  // by thread; a rank is in none, or in all up to its last
  std::vector<Node> nodes;
  std::vector<Communicator> communicators;    // ascending by id
  std::vector<RecordDefinition> definitions;  // as in Communication
  std::vector<std::string> names;
  std::vector<NamedPath> paths;
  ColumnList columns;                        // distinct
  std::vector<ClusterOperation> operations;  // distinct
  std::vector<MainCluster> clusters;         // by first rank

  bool operator==(const Messages&) const = default;
};

// The value of a parameter of an operation, for a rank that has the operation.
std::uint64_t find_value(const Messages& messages, const ClusterOperation& operation,
                         Parameter parameter, std::uint32_t rank);

// The largest thread number in the operations of a cluster. The cluster must have a sequence.
std::uint8_t find_last_thread(const Messages& messages, const MainCluster& cluster);

// The communication that the messages were made from. Operations, sequences and paths may be
// numbered differently, and what only the trace knows of ranks (locations, damage) is missing.
// Throws Error(input) where the sequences of all ranks together have more nodes than allowed.
inline constexpr std::size_t most_decoded_nodes = std::size_t{1} << 26;
Communication decode_messages(const Messages& messages,
                              std::size_t most_nodes = most_decoded_nodes);

// The size of the section as JSON, in bytes.
std::uint64_t measure_messages(const Messages& messages);
// The bytes in it of one operation, without its kind; and of a constant column.
std::uint64_t measure_operation(const ClusterOperation& operation);
std::uint64_t measure_constant(std::uint64_t value);

// The limits of what a plan holds. A writer leaves out what is larger, and a reader refuses it.
struct MessageLimits {
  std::uint32_t ranks = 1u << 24;
  std::uint64_t listed_ranks = std::uint64_t{1} << 27;  // of all lists together
  std::size_t sequence_nodes = std::size_t{1} << 26;    // of a cluster
};
bool is_storable(const Messages& messages, const MessageLimits& limits = {});

// Whether there are so many that most of them go to a packed file beside the plan.
bool should_be_packed(const Messages& messages);

// JSON that may only be written, since it has lists as text (base/json_text.hpp). With `packed`,
// the large parts go there: the lists "columns", "operations" and "clusters" as JSON, and "values",
// the values of columns that follow no formula (packed_columns.hpp).
nlohmann::ordered_json messages_to_json(const Messages& messages, PackedSections* packed = nullptr);
// The input is not trusted: numbers are bounded, and indexes are checked. Throws Error(input) or
// what the JSON library throws.
Messages messages_from_json(const nlohmann::ordered_json& in, const MessageLimits& limits = {},
                            const PackedSections* packed = nullptr);

}  // namespace tracefold
