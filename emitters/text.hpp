// Names from traces inside of other formats.
#pragma once

#include <string>
#include <string_view>

namespace tracefold {

// With U+FFFD for each byte that is no UTF-8, and '?' for control characters.
std::string valid_utf8(std::string_view text);

// A field of a line of CSV (RFC 4180): quoted where it has to be. Bytes stay as they are.
std::string csv_field(std::string_view text);

// Text inside of an element or a quoted attribute of XML.
std::string xml_text(std::string_view text);

// Inside of a quoted string of DOT.
std::string dot_text(std::string_view text);

}  // namespace tracefold
