// The records of definition and marker files: their layouts, and a loop over the records of a
// chunk. All of these records state their length.
//
// A layout describes the fields of a record, letter by letter:
//   b  a byte                    4  a compressed number of at most 4 bytes
//   s  characters and a zero     8  one of at most 8
//   t  a type, and a value of that type
//   B( ) and N( )  a count, a byte or a number, and that many of what is in brackets
//   ?  older versions of OTF2 end the record here
// Later versions of OTF2 may add more behind these fields.
//
// Pure functions. Source: OTF2 3.0.2, found by reading the code of its readers.
#pragma once

#include "otf2/bytes.hpp"
#include "otf2/chunk_file.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tracefold {

// Layouts by record type, for global and local definition files. Empty for an unknown type.
inline constexpr std::array<std::string_view, 44> definition_layouts = [] {
  std::array<std::string_view, 44> layouts{};
  layouts[5] = "888?8";           // ClockProperties
  layouts[6] = "b4b";             // Paradigm
  layouts[7] = "bbt";             // ParadigmProperty
  layouts[8] = "b44b4B(bt)";      // IoParadigm
  layouts[10] = "4s";             // String
  layouts[11] = "44b?4";          // Attribute
  layouts[12] = "4444";           // SystemTreeNode
  layouts[13] = "44b4?4";         // LocationGroup
  layouts[14] = "84b84";          // Location
  layouts[15] = "444b444?4?bb4";  // Region
  layouts[16] = "44444";          // Callsite
  layouts[17] = "444";            // Callpath
  layouts[18] = "44bN(8)?bb4";    // Group
  layouts[19] = "444bbbb84";      // MetricMember
  layouts[20] = "4B(4)b?b";       // MetricClass
  layouts[21] = "448b8";          // MetricInstance
  layouts[22] = "4444?4";         // Comm
  layouts[23] = "44b";            // Parameter
  layouts[24] = "444?4";          // RmaWin
  layouts[25] = "48";             // MetricClassRecorder
  layouts[26] = "444?t";          // SystemTreeNodeProperty
  layouts[27] = "4b";             // SystemTreeNodeDomain
  layouts[28] = "444?t";          // LocationGroupProperty
  layouts[29] = "844?t";          // LocationProperty
  layouts[30] = "444b";           // CartDimension
  layouts[31] = "444B(4)";        // CartTopology
  layouts[32] = "44B(4)";         // CartCoordinate
  layouts[33] = "444";            // SourceCodeLocation
  layouts[34] = "4444";           // CallingContext
  layouts[35] = "44t";            // CallingContextProperty
  layouts[36] = "44bb88";         // InterruptGenerator
  layouts[37] = "44t";            // IoFileProperty
  layouts[38] = "444";            // IoRegularFile
  layouts[39] = "444";            // IoDirectory
  layouts[40] = "444b444";        // IoHandle
  layouts[41] = "4b4";            // IoPreCreatedHandleState
  layouts[42] = "44t";            // CallpathParameter
  layouts[43] = "444444";         // InterComm

  return layouts;
}();

// The record type of a region.
inline constexpr std::uint8_t region_record = 15;
// A region as development versions of OTF2 1.1 wrote it: role, paradigm and flags are missing.
inline constexpr std::string_view region_without_role_layout = "444b4444";

inline constexpr std::string_view marker_kind_layout = "4ssb";
inline constexpr std::string_view marker_layout = "884b8s";

// Whether the fields end where the record ends, or before. Moves the reader behind the fields.
template <bool Big>
bool fits(std::string_view layout, ByteReader<Big>& cursor, const std::uint8_t* end) {
  for (std::size_t i = 0; i < layout.size(); ++i) {
    std::uint64_t times = 1;

    switch (layout[i]) {
      case '?':
        if (cursor.at == end)
          return true;
        break;
      case 'b': cursor.u8(); break;
      case '4': cursor.number(4); break;
      case '8': cursor.number(8); break;
      case 't': {
        const auto shape = wire::value_encoding(cursor.u8());
        shape.compressed ? cursor.number(shape.width) : cursor.fixed(shape.width);
        break;
      }
      case 's': {
        const auto* zero = std::memchr(cursor.at, 0, static_cast<std::size_t>(end - cursor.at));
        if (!zero)
          return false;
        cursor.at = static_cast<const std::uint8_t*>(zero) + 1;
        break;
      }
      default: {  // a count
        times = layout[i] == 'B' ? cursor.u8() : cursor.number(4);
        const auto close = layout.find(')', i);
        const auto inner = layout.substr(i + 2, close - i - 2);
        i = close;
        if (cursor.at > end)
          return false;
        for (; times > 0; --times)
          if (!fits(inner, cursor, end))
            return false;
      }
    }

    if (cursor.bad || cursor.at > end)
      return false;
  }

  return true;
}

// Whether a region's record ends after the canonical name.
template <bool Big>
bool is_region_without_role(ByteReader<Big> reader, const std::uint8_t* end) {
  return fits(region_without_role_layout, reader, end) && reader.at == end;
}

// How the loop over the records of a chunk ended.
enum class WalkEnd { chunk, file, fault };

struct Walked {
  WalkEnd end = WalkEnd::fault;
  std::size_t at = 0;  // bytes from the beginning of the chunk
};

namespace detail {

template <bool Big, class Visit>
Walked walk_records(const Chunk& chunk, Visit&& visit) {
  const auto* const begin = chunk.bytes.data();
  const auto* const end = begin + chunk.bytes.size();
  ByteReader<Big> cursor{begin + wire::header_size};

  while (cursor.at < end) {
    const auto at = static_cast<std::size_t>(cursor.at - begin);
    const auto type = cursor.u8();
    if (type == wire::chunk_end)
      return {WalkEnd::chunk, at};
    if (type == wire::file_end)
      return {WalkEnd::file, at};

    const auto length = cursor.record_length();
    if (cursor.at > end || length > static_cast<std::uint64_t>(end - cursor.at))
      return {WalkEnd::fault, at};

    const auto* const next = cursor.at + length;
    if (!visit(type, cursor, next))
      return {WalkEnd::fault, at};

    cursor.at = next;
  }

  return {WalkEnd::fault, chunk.bytes.size()};
}

}  // namespace detail

// Calls visit(type, ByteReader&, end of the record) for each record of a chunk. Ends with a fault
// where visit() returns false, or where the chunk was not read completely.
template <class Visit>
Walked walk_records(const Chunk& chunk, Visit&& visit) {
  Walked walked;
  if (chunk.bytes.size() >= wire::header_size && chunk.bytes[0] == wire::chunk_header) {
    if (chunk.bytes[1] == wire::little_endian)
      walked = detail::walk_records<false>(chunk, visit);
    if (chunk.bytes[1] == wire::big_endian)
      walked = detail::walk_records<true>(chunk, visit);
  }

  if (chunk.has_failed)
    walked.end = WalkEnd::fault;

  return walked;
}

}  // namespace tracefold
