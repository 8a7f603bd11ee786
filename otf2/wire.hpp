// The bytes of OTF2 files: marks, record types, and widths of values.
//
// A file is a sequence of chunks. Each has the size that the anchor states, except the last one. A
// chunk begins with a header: its mark, the byte order, and the numbers of its first and last
// record (u64). Records follow; 0x00 ends the chunk, and 0x02 the file. In event files, 0x05 and a
// time stamp (u64) precede the first record of a new time, and 0x06 begins the attribute list of
// the next event.
//
// Numbers of 4 and 8 bytes are compressed: a byte with the length, then that many bytes without
// leading zeros; 0xff alone means that all bits are set. A record begins with its length, as one
// byte or as 0xff and a u64, except for ten kinds of event that are a single compressed number.
//
// Source: OTF2 3.0.2, found by looking at its files and by reading the code of its reader.
#pragma once

#include "otf2/event.hpp"

#include <bit>
#include <cstdint>

namespace tracefold::wire {

enum Mark : std::uint8_t {
  chunk_end = 0x00,
  buffer_end = 0x01,  // last byte of a file, after file_end
  file_end = 0x02,
  chunk_header = 0x03,
  time_stamp = 0x05,
  attribute_list = 0x06,
  first_event_type = 10,
  big_endian = 0x23,
  little_endian = 0x42,
  all_bits = 0xff,     // as the length of a compressed number
  long_record = 0xff,  // as the length of a record
};

// The byte order of this machine, and that of others.
inline constexpr Mark native_order =
    std::endian::native == std::endian::big ? big_endian : little_endian;
inline constexpr Mark foreign_order = native_order == big_endian ? little_endian : big_endian;

// Records of local definition files that are needed to read events. The others repeat global
// definitions.
inline constexpr std::uint8_t mapping_table = 5;
inline constexpr std::uint8_t clock_offset = 6;

// Records of marker files.
inline constexpr std::uint8_t marker_kind = 5;
inline constexpr std::uint8_t marker = 6;

inline constexpr std::size_t header_size = 18;  // bytes
inline constexpr std::size_t first_record_at = 2, last_record_at = 10;
inline constexpr std::size_t longest_number = 9;      // bytes
inline constexpr std::size_t longest_region = 5;      // bytes
inline constexpr std::size_t longest_stamp = 9;       // bytes
inline constexpr std::size_t longest_attribute = 15;  // bytes, in an attribute list
inline constexpr std::size_t longest_count = 5;       // bytes, in an attribute list

// What OTF2 accepts, in bytes.
inline constexpr std::uint64_t smallest_chunk = 1 << 18;
inline constexpr std::uint64_t largest_chunk = 1 << 24;
constexpr bool is_chunk_size(std::uint64_t size) {
  return size >= smallest_chunk && size <= largest_chunk;
}

constexpr std::uint8_t record_type(EventKind kind) {
  return static_cast<std::uint8_t>(first_event_type + static_cast<unsigned>(kind));
}

// Events that are a single compressed number, without a length.
[[gnu::always_inline]] constexpr bool is_bare(EventKind kind) {
  using enum EventKind;

  switch (kind) {
    case Enter:
    case Leave:
    case MpiIsendComplete:
    case MpiIrecvRequest:
    case MpiRequestTest:
    case MpiRequestCancelled:
    case OmpFork:
    case OmpTaskCreate:
    case OmpTaskSwitch:
    case OmpTaskComplete: return true;
    default: return false;
  }
}

// How an attribute value of an OTF2_Type is encoded.
struct ValueEncoding {
  std::uint8_t width = 8;
  bool compressed = true;
};
constexpr ValueEncoding value_encoding(std::uint64_t type) {
  switch (type) {
    case 1:
    case 5: return {1, false};  // UINT8, INT8
    case 2:
    case 6: return {2, false};  // UINT16, INT16
    case 3:
    case 7: return {4, true};    // UINT32, INT32
    case 9: return {4, false};   // FLOAT
    case 10: return {8, false};  // DOUBLE
    case 13: return {8, true};   // LOCATION
    default:
      return {static_cast<std::uint8_t>(type >= 11 && type <= 25 ? 4 : 8),
              true};  // ids; UINT64, INT64 and types to come
  }
}

}  // namespace tracefold::wire
