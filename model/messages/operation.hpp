// The operations of a rank that the messages of a program are made of: sends, receives,
// collectives, one-sided and file operations, each with its call path and parameters.
//
// Not among them: calls without a record, completions and tests of requests, and requests that
// were cancelled. Operations stand in the order in which they were begun. Plain data.
//
// What else is recorded of windows and files (completions of their operations, locks, where a
// window or file is opened) accompanies the operations where messages are kept, so that they can
// be written again. It is never compared.
//
// Source: signatures 3.1 and 3.2 (events and their parameters).
#pragma once

#include "base/packed_values.hpp"
#include "otf2/event.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tracefold {

enum class Parameter : std::uint8_t {
  peer,          // world rank of the other end
  communicator,  // the how manieth, by id, of those that the rank is in; a window or a file handle
  tag,           // of a message, the id of a lock, or flags with which a handle is created
  bytes,         // that a message or a part of a collective has, or that a collective sends
  received,      // bytes
  operation,     // of a collective, an atomic or a file operation, and the type of a lock and the
                 // like, as OTF2 numbers them; see pack_operation
  root,          // world rank
  begun,         // how many one-sided and file operations ago the one was begun that is meant: 1
                 // is the last one
  group,         // of ranks, by its id
  handle,        // a second file handle
  file,          // by its id
  paradigm,      // of I/O, by its id
  flags,         // of a file handle
  offset,        // in a file
  result         // of moving to it
};

inline constexpr std::size_t most_parameters = 5;
inline constexpr std::size_t most_threads = 256;  // of a rank that are told apart

// The kinds of events that are operations, with their parameters; none for any other.
// A receive without blocking and a collective without blocking are begun by their request,
// and their completion tells the parameters.
std::span<const Parameter> list_parameters(EventKind kind);
bool is_message(EventKind kind);  // a send or a receive with two ends
bool is_send(EventKind kind);

// Whether records of a kind are about windows, or about files: operations, and what accompanies
// them. Kinds are in the order of OTF2's record types, which keeps subjects together.
constexpr bool is_one_sided(EventKind kind) {
  return kind >= EventKind::RmaWinCreate && kind <= EventKind::RmaOpCompleteRemote;
}
constexpr bool is_file(EventKind kind) {
  return kind >= EventKind::IoCreateHandle && kind <= EventKind::IoTryLock;
}
// True for what is an operation, false for what only accompanies them.
bool is_compared(EventKind kind);
// Whether a completion can mean it by Parameter::begun.
bool can_complete(EventKind kind);

// The records of windows and files name each parameter in a field of their own.
struct RecordParameter {
  Parameter parameter;
  std::uint8_t field;  // place in Event::fields
};
// In the order of list_parameters; none for other kinds.
std::span<const RecordParameter> list_record_parameters(EventKind kind);

// A second number of an operation stands above the first: the level of synchronisation of a
// collective on a window, the flags of a file operation.
inline constexpr unsigned first_operation_bits = 8;
constexpr std::uint64_t pack_operation(std::uint64_t first, std::uint64_t second) {
  return (first & 0xff) | second << first_operation_bits;
}
constexpr std::uint64_t unpack_first(std::uint64_t operation) {
  return operation & 0xff;
}
constexpr std::uint64_t unpack_second(std::uint64_t operation) {
  return operation >> first_operation_bits;
}
// The place of the second number in Event::fields; none where a kind has no such.
std::optional<std::size_t> find_second_field(EventKind kind);

// Values of peer, communicator and root that are no rank and no communicator.
inline constexpr std::uint64_t unknown_value = 0xfffffff0;  // it cannot be told
inline constexpr std::uint64_t no_root = 0xfffffff1;  // the collective has none; as a peer: all
inline constexpr std::uint64_t self_root = 0xfffffff2, group_root = 0xfffffff3;

constexpr bool is_rank(std::uint64_t value) {
  return value < unknown_value;
}

// One operation. Values stand in the order of list_parameters, 0 behind them. So that ranks
// that do the same share their operations, a peer is (world rank − own rank) mod P here.
struct Operation {
  EventKind kind = EventKind::MpiSend;
  // Which of the rank's locations: those with operations come first, then those with what only
  // accompanies operations, each ascending; 255 are all that come behind.
  std::uint8_t thread = 0;
  // Only where messages are kept: the location did this in the same call as what comes before, or
  // around the call in which it did that.
  bool is_in_same_call = false;
  std::uint32_t path = 0;  // its call path
  std::array<std::uint64_t, most_parameters> values{};

  bool operator==(const Operation&) const = default;
};
auto list_members(Like<Operation> auto& operation) {
  return std::tie(operation.kind, operation.thread, operation.is_in_same_call, operation.path,
                  operation.values);
}

// Place of a parameter among the values of a kind; `most_parameters` where it has none.
std::size_t find_parameter(EventKind kind, Parameter parameter);

}  // namespace tracefold
