// Packs bytes by deflate between zlib's header and checksum (RFC 1950). Browsers call this format
// "deflate". One version of zlib packs equal bytes to equal bytes.
#pragma once

#include <string>
#include <string_view>

namespace tracefold {

// `level` goes from 1 (fast) to 9 (small).
std::string deflate_bytes(std::string_view bytes, int level);

}  // namespace tracefold
