// The operations of a rank that the messages of a program are made of: sends, receives,
// collectives, one-sided and file operations, each with its call path and parameters.
//
// Not among them: calls without a record, completions, tests of requests and requests that
// were cancelled. Operations stand in the order in which they were begun. Plain data.
//
// Source: signatures 3.1 and 3.2 (events and their parameters).
#pragma once

#include "otf2/event.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tracefold {

enum class Parameter : std::uint8_t {
  peer,          // world rank of the other end
  communicator,  // the how manieth, by id, of those that the rank is in; a window or a file handle
  tag,
  bytes,      // that a message or a part of a collective has, or that a collective sends
  received,   // bytes
  operation,  // of a collective, an atomic or a file operation, as OTF2 numbers it
  root,       // world rank
};

inline constexpr std::size_t most_parameters = 5;

// The kinds of events that are operations, with their parameters; none for any other.
// A receive without blocking and a collective without blocking are begun by their request,
// and their completion tells the parameters.
std::span<const Parameter> list_parameters(EventKind kind);
bool is_message(EventKind kind);  // a send or a receive with two ends
bool is_send(EventKind kind);

std::string_view to_text(Parameter parameter);

// Values of peer, communicator and root that are no rank and no communicator.
inline constexpr std::uint64_t unknown_value = 0xfffffff0;  // it cannot be told
inline constexpr std::uint64_t no_root = 0xfffffff1;        // the collective has none
inline constexpr std::uint64_t self_root = 0xfffffff2, group_root = 0xfffffff3;

constexpr bool is_rank(std::uint64_t value) {
  return value < unknown_value;
}

// One operation. Values stand in the order of list_parameters, 0 behind them. So that ranks
// that do the same share their operations, a peer is (world rank − own rank) mod P here.
struct Operation {
  EventKind kind = EventKind::MpiSend;
  std::uint8_t thread = 0;  // which of the rank's locations, among those that have operations
  std::uint32_t path = 0;   // its call path
  std::array<std::uint64_t, most_parameters> values{};

  bool operator==(const Operation&) const = default;
};

// Place of a parameter among the values of a kind; `most_parameters` where it has none.
std::size_t find_parameter(EventKind kind, Parameter parameter);

}  // namespace tracefold
