// The `messages` section of a plan: the communication of the whole program, folded.
//
// Ranks with equal sequences of operations and call paths are a main cluster. They share one
// folded sequence, and each parameter of each of its operations is a column over them. Nothing is
// lost: decode_messages gives every operation of every rank. Plain data.
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
  std::uint8_t thread = 0;  // these as in Operation
  bool is_in_same_call = false;
  std::uint32_t path = 0;
  std::array<std::uint32_t, most_parameters> columns{};  // in the order of list_parameters

  bool operator==(const ClusterOperation&) const = default;
};

// The gap times before calls of one path, of each rank of a main cluster.
struct ClusterGap {
  std::uint32_t path = 0;
  std::vector<std::uint64_t> ticks;  // in the order of the ranks

  bool operator==(const ClusterGap&) const = default;
};

struct MainCluster {
  std::vector<std::uint32_t> ranks;  // ascending
  FoldedSequence sequence;           // of indexes into Messages::operations
  std::vector<ClusterGap> gaps;      // ascending by path

  bool operator==(const MainCluster&) const = default;
};

// The locations that have the operations of one thread, of ranks where others than the end point
// have some.
struct ThreadLocations {
  std::vector<std::uint32_t> ranks;      // ascending
  std::vector<std::uint64_t> locations;  // of each

  bool operator==(const ThreadLocations&) const = default;
};

struct Messages {
  std::uint32_t size = 0;  // P
  bool complete = true;    // false: some operations have unknown ends, or ranks are missing
  std::vector<std::uint64_t> endpoints;  // as in Communication; empty where they are not known
  std::vector<ThreadLocations> threads;  // by number; a rank is in none, or in all up to its last
  std::vector<Node> nodes;
  std::vector<Communicator> communicators;    // ascending by id
  std::vector<RecordDefinition> definitions;  // as in Communication
  std::vector<std::string> names;
  std::vector<NamedPath> paths;
  ColumnList columns;                        // distinct
  std::vector<ClusterOperation> operations;  // distinct
  std::vector<MainCluster> clusters;         // by their first ranks

  bool operator==(const Messages&) const = default;
};

// The value of a parameter of an operation, of a rank that has it.
std::uint64_t find_value(const Messages& messages, const ClusterOperation& operation,
                         Parameter parameter, std::uint32_t rank);

// The last thread that has operations of a cluster, which has a sequence.
std::uint8_t find_last_thread(const Messages& messages, const MainCluster& cluster);

// As the communication that it was made from: equal but for the numbers that operations,
// sequences and paths have, and for what only the trace knows of ranks (locations, damage).
// Throws Error(input) where the sequences of all ranks together have more nodes than `most_nodes`.
inline constexpr std::size_t most_decoded_nodes = std::size_t{1} << 26;
Communication decode_messages(const Messages& messages,
                              std::size_t most_nodes = most_decoded_nodes);

// Bytes of the section as JSON.
std::uint64_t measure_messages(const Messages& messages);
// What one of its operations takes of them, without the kind, and a column that is constant.
std::uint64_t measure_operation(const ClusterOperation& operation);
std::uint64_t measure_constant(std::uint64_t value);

// What a plan holds of them at most. Who makes a plan leaves out what is larger, and who reads one
// refuses it.
struct MessageLimits {
  std::uint32_t ranks = 1u << 24;
  std::uint64_t listed_ranks = std::uint64_t{1} << 27;  // of all lists together
  std::size_t sequence_nodes = std::size_t{1} << 26;    // of a cluster
};
bool is_storable(const Messages& messages, const MessageLimits& limits = {});

// Whether they are so many that a plan keeps most of them in a packed file.
bool should_be_packed(const Messages& messages);

// To be written: it holds lists that are text already (see base/json_text.hpp). With `packed`, what
// grows with the messages goes there: the lists "columns", "operations" and "clusters" as JSON, and
// "values", the values of columns that follow no formula (packed_columns.hpp).
nlohmann::ordered_json messages_to_json(const Messages& messages, PackedSections* packed = nullptr);
// The input is not trusted: numbers are bounded and everything that is named is there.
// Throws Error(input) or what the JSON library throws.
Messages messages_from_json(const nlohmann::ordered_json& in, const MessageLimits& limits = {},
                            const PackedSections* packed = nullptr);

}  // namespace tracefold
