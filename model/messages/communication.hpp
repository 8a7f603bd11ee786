// The communication of a program's ranks as it was recorded: the operations of each rank as a
// folded sequence. Equal ranks share a sequence.
//
// Plain data; indexes refer to the lists of Communication.
#pragma once

#include "base/packed_values.hpp"
#include "model/messages/folded_sequence.hpp"
#include "model/messages/operation.hpp"
#include "otf2/definition.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tracefold {

// What messages need to know of a communicator.
struct Communicator {
  std::uint64_t id = 0;
  bool is_self = false;               // each rank is alone in it
  std::vector<std::uint32_t> ranks;   // world ranks in the communicator's order
  std::vector<std::uint32_t> remote;  // the other side of an inter-communicator
  std::string name = {};

  bool operator==(const Communicator&) const = default;
};

// A call path by names. Path 0 is the virtual root.
struct NamedPath {
  std::uint32_t caller = 0;  // path
  std::uint32_t name = 0;

  auto operator<=>(const NamedPath&) const = default;
};

// Time that a rank spent outside MPI before calls of one path, in ticks.
struct PathGap {
  std::uint32_t path = 0;
  std::uint64_t ticks = 0;

  bool operator==(const PathGap&) const = default;
};
auto list_members(Like<PathGap> auto& gap) {
  return std::tie(gap.path, gap.ticks);
}

struct RankOperations {
  std::uint64_t rank = unknown_value;  // in MPI, where it has one
  // Indexes of the plan's processes: first those with operations, ascending; then those,
  // `only_accompanying` of them, that only have records which accompany operations, ascending.
  std::vector<std::size_t> locations;
  std::size_t only_accompanying = 0;
  // The locations that Operation::thread refers to. Empty where only the endpoint has operations.
  std::vector<std::uint64_t> threads;
  std::uint32_t sequence = 0;
  std::uint64_t messages = 0, bytes = 0;  // sends and receives
  bool damaged = false;                   // not all events could be read
  std::vector<PathGap> gaps;              // ascending by path
};

// The lengths of a grid of ranks, the slowest dimension first.
using Grid = std::vector<std::uint32_t>;

// A node of the machine, or whatever else is above the processes of some ranks.
struct Node {
  std::string name;
  std::vector<std::uint32_t> ranks;  // ascending

  bool operator==(const Node&) const = default;
};

// A definition that operations on windows and files refer to: a window, a group of ranks, a file, a
// file handle, its state before the program began, or an I/O paradigm. It is an OTF2 definition
// with the ids of the trace, but for texts and ranks.
struct RecordDefinition {
  Definition definition;           // for a group, its list has world ranks; otherwise it is empty
  std::vector<std::string> texts;  // of the fields that refer to strings or nodes of the machine,
                                   // in order; these fields are 0

  bool operator==(const RecordDefinition&) const = default;
};
// The kinds of such definitions, in an order in which each refers only to earlier ones.
inline constexpr std::array record_definition_kinds{DefinitionKind::RmaWin,
                                                    DefinitionKind::Group,
                                                    DefinitionKind::IoParadigm,
                                                    DefinitionKind::IoRegularFile,
                                                    DefinitionKind::IoDirectory,
                                                    DefinitionKind::IoHandle,
                                                    DefinitionKind::IoPreCreatedHandleState};
// Whether a field is stored as a text.
constexpr bool is_text(const Field& field) {
  return field.role == FieldRole::ref &&
         (field.target == Ref::string || field.target == Ref::system_tree_node);
}
// The stored fields of a kind: all but lists and their lengths.
constexpr std::span<const Field> list_kept_fields(DefinitionKind kind) {
  const auto shape = get_row(kind).shape();
  std::size_t kept = 0;
  while (kept < shape.size() && shape[kept].role != FieldRole::count)
    ++kept;
  return shape.first(kept);
}

struct Communication {
  std::uint32_t size = 0;                     // P: number of ranks
  std::vector<std::uint64_t> endpoints;       // by rank: its location
  std::vector<Node> nodes;                    // by first rank
  std::vector<Communicator> communicators;    // ascending by id
  std::vector<Grid> grids;                    // Cartesian topologies in the trace
  std::vector<RecordDefinition> definitions;  // by kind, then ascending by id
  std::vector<std::string> names;             // of functions
  std::vector<NamedPath> paths;
  std::vector<Operation> operations;      // distinct
  std::vector<FoldedSequence> sequences;  // of operations; distinct
  std::vector<RankOperations> ranks;      // ascending by rank; those without a rank come last
  std::uint64_t unknown_ends = 0;         // operations that lack a value
  std::uint64_t damaged = 0;              // number of processes that could not be read completely
  bool lacks_processes = false;           // filters left some out
};

}  // namespace tracefold
