// Who sends how much to whom: the messages between ranks, or between groups or nodes of them.
// Plain data.
#pragma once

#include "model/groups/row_choice.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

using MatrixRows = RowChoice;

// What a matrix is split by: one part for each communicator, tag or call path.
enum class MatrixSplit : std::uint8_t { none, communicator, tag, call_path };

enum class MatrixMetric : std::uint8_t { messages, bytes, waiting };

inline constexpr std::uint32_t unknown_row = 0xffffffff;

struct MatrixCell {
  std::uint32_t from = 0, to = 0;  // rows; `to` is unknown_row where the receiver is not known
  std::uint64_t messages = 0, bytes = 0;
  // Seconds because of these messages: that the receiver waited since they were sent late, and that
  // the sender waited since they were received late.
  double waiting = 0, late_receiver = 0;

  bool operator==(const MatrixCell&) const = default;
};

struct MatrixPart {
  std::string name;               // empty where the matrix is not split
  std::vector<MatrixCell> cells;  // with messages or waiting; ascending by from, then to

  bool operator==(const MatrixPart&) const = default;
};

struct MessageMatrix {
  MatrixRows rows = MatrixRows::rank;
  std::vector<std::string> names;  // of rows, which are columns, too
  MatrixSplit split = MatrixSplit::none;
  std::vector<MatrixPart> parts;
  bool knows_waiting = false;
  bool complete = true;  // false: some messages are missing, or have unknown ends
  // Of rows, for people: what the members of a group have in common. Empty where nothing is known.
  std::vector<std::string> descriptions = {};
};

}  // namespace tracefold
