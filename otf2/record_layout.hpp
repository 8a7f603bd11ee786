// How the fields of a record stand in its file, and whether a record holds what
// its layout says. A layout is a row of letters:
//   b  a byte                    4  a compressed number of at most 4 bytes
//   s  characters and a zero     8  one of at most 8
//   t  a type, and a value of that type
//   B( ) and N( )  a count, a byte or a number, and that many of what is in brackets
//   ?  older versions of OTF2 end the record here
// Behind its fields a record may hold more, which later versions add.
//
// Source: OTF2 3.0.2, read off its readers.
#pragma once

#include "otf2/byte_cursor.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace tracefold {

// By the type of the record; those of global definitions and of the definitions in local files are
// alike.
inline constexpr std::array<std::string_view, 44> definition_layouts = [] {
  std::array<std::string_view, 44> of{};
  of[5] = "888?8";          // ClockProperties
  of[6] = "b4b";            // Paradigm
  of[7] = "bbt";            // ParadigmProperty
  of[8] = "b44b4B(bt)";     // IoParadigm
  of[10] = "4s";            // String
  of[11] = "44b?4";         // Attribute
  of[12] = "4444";          // SystemTreeNode
  of[13] = "44b4?4";        // LocationGroup
  of[14] = "84b84";         // Location
  of[15] = "444b444?4bb4";  // Region
  of[16] = "44444";         // Callsite
  of[17] = "444";           // Callpath
  of[18] = "44bN(8)?bb4";   // Group
  of[19] = "444bbbb84";     // MetricMember
  of[20] = "4B(4)b?b";      // MetricClass
  of[21] = "448b8";         // MetricInstance
  of[22] = "4444?4";        // Comm
  of[23] = "44b";           // Parameter
  of[24] = "444?4";         // RmaWin
  of[25] = "48";            // MetricClassRecorder
  of[26] = "444?t";         // SystemTreeNodeProperty
  of[27] = "4b";            // SystemTreeNodeDomain
  of[28] = "444?t";         // LocationGroupProperty
  of[29] = "844?t";         // LocationProperty
  of[30] = "444b";          // CartDimension
  of[31] = "444B(4)";       // CartTopology
  of[32] = "44B(4)";        // CartCoordinate
  of[33] = "444";           // SourceCodeLocation
  of[34] = "4444";          // CallingContext
  of[35] = "44t";           // CallingContextProperty
  of[36] = "44bb88";        // InterruptGenerator
  of[37] = "44t";           // IoFileProperty
  of[38] = of[39] = "444";  // IoRegularFile, IoDirectory
  of[40] = "444b444";       // IoHandle
  of[41] = "4b4";           // IoPreCreatedHandleState
  of[42] = "44t";           // CallpathParameter
  of[43] = "444444";        // InterComm

  return of;
}();

inline constexpr std::string_view marker_kind_layout = "4ssb", marker_layout = "884b8s";

// Whether the fields end where the record does or before.
template <bool Big>
bool fits(std::string_view layout, ByteCursor<Big>& cursor, const std::uint8_t* end) {
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

}  // namespace tracefold
