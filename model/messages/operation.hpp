// The operations of a rank of which messages consist: sends, receives, collectives, one-sided and
// file operations, each with its call path and parameters, in the order in which they were begun.
// Plain data.
//
// Calls without a record, completions and tests of requests, and cancelled requests are not
// operations.
//
// Other records of windows and files (completions, locks, opening a window or file) accompany the
// operations where messages are stored, so that they can be written again. They are never compared.
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
  peer,          // world rank of the partner
  communicator,  // index, by id, among the communicators of the rank; or a window or file handle
  tag,           // of a message; or the id of a lock, or the flags of a new file handle
  bytes,         // of a message or a part of a collective; or those that a collective sends
  received,      // bytes
  operation,     // kind of collective, atomic or file operation, or of a lock, in
                 // OTF2's numbers; see pack_operation
  root,          // world rank
  begun,         // how many one-sided and file operations ago the meant one was begun: 1
                 // is the last one
  group,         // of ranks, by id
  handle,        // a second file handle
  file,          // by id
  paradigm,      // of I/O, by id
  flags,         // of a file handle
  offset,        // in a file
  result         // the new offset
};

inline constexpr std::size_t most_parameters = 5;
inline constexpr std::size_t most_threads = 256;  // of a rank that are distinguished

// The parameters of a kind of event that is an operation; none for other kinds. A non-blocking
// receive or collective is begun by its request; its completion has the parameters.
std::span<const Parameter> list_parameters(EventKind kind);
bool is_message(EventKind kind);  // a send or a receive with two ends
bool is_send(EventKind kind);

// Whether a kind of record is about windows, or about files, be it an operation or not. OTF2's
// record types keep such kinds together.
constexpr bool is_one_sided(EventKind kind) {
  return kind >= EventKind::RmaWinCreate && kind <= EventKind::RmaOpCompleteRemote;
}
constexpr bool is_file(EventKind kind) {
  return kind >= EventKind::IoCreateHandle && kind <= EventKind::IoTryLock;
}
// Whether it is an operation, and not a record that accompanies operations.
bool is_compared(EventKind kind);
// Whether Parameter::begun of a completion can refer to this kind.
bool can_complete(EventKind kind);

// The records of windows and files have a field of their own for each parameter.
struct RecordParameter {
  Parameter parameter;
  std::uint8_t field;  // index into Event::fields
};
// In the order of list_parameters(); none for other kinds.
std::span<const RecordParameter> list_record_parameters(EventKind kind);

// A second number is stored above the first one: the level of synchronisation of a collective on a
// window, or the flags of a file operation.
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
// The index of the second number in Event::fields; none where the kind has no such number.
std::optional<std::size_t> find_second_field(EventKind kind);

// Values of peer, communicator and root that are no rank or communicator.
inline constexpr std::uint64_t unknown_value = 0xfffffff0;  // not known
inline constexpr std::uint64_t no_root = 0xfffffff1;  // the collective has none; as a peer: all
inline constexpr std::uint64_t self_root = 0xfffffff2, group_root = 0xfffffff3;

constexpr bool is_rank(std::uint64_t value) {
  return value < unknown_value;
}

// One operation. Values are in the order of list_parameters(), followed by 0. A peer is stored as
// (world rank − own rank) mod P, so that equal ranks have equal operations.
struct Operation {
  EventKind kind = EventKind::MpiSend;
  // The location of the rank: locations with operations come first, then those with only
  // accompanying records, each ascending. 255 means all from there on.
  std::uint8_t thread = 0;
  // Only where messages are stored: it belongs to the same call as the operation before, or to a
  // call around that one.
  bool is_in_same_call = false;
  std::uint32_t path = 0;  // its call path
  std::array<std::uint64_t, most_parameters> values{};

  bool operator==(const Operation&) const = default;
};
auto list_members(Like<Operation> auto& operation) {
  return std::tie(operation.kind, operation.thread, operation.is_in_same_call, operation.path,
                  operation.values);
}

// The index of a parameter among the values of a kind; `most_parameters` where it has none.
std::size_t find_parameter(EventKind kind, Parameter parameter);

}  // namespace tracefold
