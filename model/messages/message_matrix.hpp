// How much each row sends to each other: messages between ranks, groups or nodes. Plain data.
#pragma once

#include "model/groups/row_choice.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tracefold {

using MatrixRows = RowChoice;

// Splits a matrix into one part for each communicator, tag or call path.
enum class MatrixSplit : std::uint8_t { none, communicator, tag, call_path };

enum class MatrixMetric : std::uint8_t { messages, bytes, waiting };

inline constexpr std::uint32_t unknown_row = 0xffffffff;

struct MatrixCell {
  std::uint32_t from = 0, to = 0;  // rows; `to` is unknown_row where the receiver is unknown
  std::uint64_t messages = 0, bytes = 0;
  // Seconds of waiting because of these messages: of the receiver, since they were sent late, and
  // of the sender, since they were received late.
  double waiting = 0, late_receiver = 0;

  bool operator==(const MatrixCell&) const = default;
};

struct MatrixPart {
  std::string name;               // empty where the matrix is not split
  std::vector<MatrixCell> cells;  // cells with messages or waiting, ascending by from, then to

  bool operator==(const MatrixPart&) const = default;
};

struct MessageMatrix {
  MatrixRows rows = MatrixRows::rank;
  std::vector<std::string> names;  // of rows and columns
  MatrixSplit split = MatrixSplit::none;
  std::vector<MatrixPart> parts;
  bool knows_waiting = false;
  bool complete = true;  // false: messages are missing, or have an unknown end
  // What the members of each row have in common, for people. Empty where that is not known.
  std::vector<std::string> descriptions = {};
};

}  // namespace tracefold
