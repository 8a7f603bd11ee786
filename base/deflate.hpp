// Numbers as bytes that are packed by deflate between zlib's header and checksum (RFC 1950), as
// browsers unpack them by the name "deflate".
//
// Equal bytes give equal packed ones, with one version of zlib. Memory: the packed
// bytes.
#pragma once

#include <string>
#include <string_view>

namespace tracefold {

// Levels go from 1 (fast) to 9 (small).
std::string deflate_bytes(std::string_view bytes, int level);

}  // namespace tracefold
