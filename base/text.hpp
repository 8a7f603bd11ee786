// Names from traces inside of other formats, and numbers as people read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tracefold {

// With U+FFFD for each byte that is no UTF-8, and '?' for control characters, so
// that a name in a trace cannot steer a terminal.
std::string make_printable(std::string_view text);

// With U+FFFD for each byte that is no UTF-8; all else stays.
std::string make_utf8(std::string_view text);

// A string of JSON with its quotation marks: U+FFFD for what is no UTF-8, and all control
// characters escaped, those that JSON would allow as well.
std::string quote_json(std::string_view text);

// With its ASCII letters changed; all else stays.
std::string to_lower(std::string_view text);
std::string to_upper(std::string_view text);

// Characters of UTF-8 text; and its first ones with "…" where there are more than so many.
std::size_t measure_width(std::string_view text);
std::string shorten(std::string_view text, std::size_t most);
// A name, where it has more than so many characters: what is in its brackets goes first, as in
// "solve<…>(…)", then the first functions of a call path, as in "… > solve(…)", then its middle.
// `most` is 3 at least.
std::string shorten_name(std::string_view name, std::size_t most);

// A field of a line of CSV (RFC 4180): printable, and quoted where it has to be.
std::string quote_csv(std::string_view text);

// Text inside of an element or a quoted attribute of XML.
std::string escape_xml(std::string_view text);

// Inside of a quoted string of DOT, where Graphviz takes entities of XML for characters.
std::string escape_dot(std::string_view text);

// 1234567 as "1 234 567"; bytes as "1.2 MiB" or "123 KiB".
std::string group_digits(std::uint64_t n);
std::string format_bytes(std::uint64_t n);

}  // namespace tracefold
