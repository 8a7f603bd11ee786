// Escapes names from traces for other formats, and formats numbers for people. Everywhere bytes
// that are not UTF-8 become U+FFFD.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tracefold {

// Control characters become '?', so that a name cannot steer a terminal.
std::string make_printable(std::string_view text);

std::string make_utf8(std::string_view text);

// A JSON string in quotation marks. All control characters are escaped, also those that JSON
// allows.
std::string quote_json(std::string_view text);

// Change ASCII letters only.
std::string to_lower(std::string_view text);
std::string to_upper(std::string_view text);

// The number of UTF-8 characters; and a text cut to `most` characters, the last of which is "…".
std::size_t measure_width(std::string_view text);
std::string shorten(std::string_view text, std::size_t most);
// Shortens a name to at most `most` characters (3 or more). The content of brackets goes first, as
// in "solve<…>(…)", then the first functions of a call path, as in "… > solve(…)", then the middle.
std::string shorten_name(std::string_view name, std::size_t most);

// A field of CSV (RFC 4180): printable, and quoted where necessary.
std::string quote_csv(std::string_view text);

// For the text or a quoted attribute of an XML element.
std::string escape_xml(std::string_view text);

// For a quoted string of DOT, in which Graphviz reads XML entities.
std::string escape_dot(std::string_view text);

// 1234567 as "1 234 567"; bytes as "1.2 MiB" or "123 KiB".
std::string group_digits(std::uint64_t n);
std::string format_bytes(std::uint64_t n);

}  // namespace tracefold
