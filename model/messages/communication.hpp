// The communication of a program's ranks, as it was recorded: the operations of each rank as a
// folded sequence. Ranks that do the same share one sequence.
//
// Plain data; every index points into the list beside it.
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

// A communicator as far as messages need it.
struct Communicator {
  std::uint64_t id = 0;
  bool is_self = false;               // each rank is alone in it
  std::vector<std::uint32_t> ranks;   // world ranks in the communicator's order
  std::vector<std::uint32_t> remote;  // of an inter-communicator: the other side
  std::string name = {};

  bool operator==(const Communicator&) const = default;
};

// A call path is told by names. The first path is the virtual root.
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
  // Indexes of the plan's processes: first those with operations, ascending; behind them those
  // without any that have something that accompanies operations, `only_accompanying` of them,
  // ascending.
  std::vector<std::size_t> locations;
  std::size_t only_accompanying = 0;
  // Ids of the locations that Operation::thread numbers, where there are others than the end point.
  std::vector<std::uint64_t> threads;
  std::uint32_t sequence = 0;
  std::uint64_t messages = 0, bytes = 0;  // sends and receives
  bool damaged = false;                   // not all of its events could be read
  std::vector<PathGap> gaps;              // ascending by path
};

// Lengths of the dimensions of a grid of ranks, the slowest first.
using Grid = std::vector<std::uint32_t>;

// A node of the machine, or what else the processes of some ranks stand below.
struct Node {
  std::string name;
  std::vector<std::uint32_t> ranks;  // ascending

  bool operator==(const Node&) const = default;
};

// A definition that operations on windows and files name: a window, a group of ranks, a file
// handle with its file, the state in which it was there before the program began, and its kind of
// I/O. It is one of OTF2 with the ids of the trace, but for texts and ranks.
struct RecordDefinition {
  Definition definition;           // its list: of a group the world ranks; else empty
  std::vector<std::string> texts;  // of the fields that name strings or a node of the machine, in
                                   // their order; these fields are 0

  bool operator==(const RecordDefinition&) const = default;
};
// The kinds that there are of them, in the order in which they can name each other.
inline constexpr std::array record_definition_kinds{DefinitionKind::RmaWin,
                                                    DefinitionKind::Group,
                                                    DefinitionKind::IoParadigm,
                                                    DefinitionKind::IoRegularFile,
                                                    DefinitionKind::IoDirectory,
                                                    DefinitionKind::IoHandle,
                                                    DefinitionKind::IoPreCreatedHandleState};
// Whether a field of one is a text.
constexpr bool is_text(const Field& field) {
  return field.role == FieldRole::ref &&
         (field.target == Ref::string || field.target == Ref::system_tree_node);
}
// The fields that are kept of a kind: all but lists and how long they are.
constexpr std::span<const Field> list_kept_fields(DefinitionKind kind) {
  const auto shape = get_row(kind).shape();
  std::size_t kept = 0;
  while (kept < shape.size() && shape[kept].role != FieldRole::count)
    ++kept;
  return shape.first(kept);
}

struct Communication {
  std::uint32_t size = 0;                     // P: ranks of MPI
  std::vector<std::uint64_t> endpoints;       // by rank: the location that MPI's ranks mean
  std::vector<Node> nodes;                    // by first ranks
  std::vector<Communicator> communicators;    // ascending by id
  std::vector<Grid> grids;                    // of Cartesian topologies that the trace defines
  std::vector<RecordDefinition> definitions;  // by kind, then ascending by id
  std::vector<std::string> names;             // of functions
  std::vector<NamedPath> paths;
  std::vector<Operation> operations;      // distinct
  std::vector<FoldedSequence> sequences;  // of operations; distinct
  std::vector<RankOperations> ranks;      // ascending by rank; those without one come last
  std::uint64_t unknown_ends = 0;         // operations without a value that should be there
  std::uint64_t damaged = 0;              // processes of which not all could be read
  bool lacks_processes = false;           // filters left some out
};

}  // namespace tracefold
