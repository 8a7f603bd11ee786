// Bytes as text: base64 (RFC 4648, 4).
#pragma once

#include <string>
#include <string_view>

namespace tracefold {

std::string encode_base64(std::string_view bytes);

}  // namespace tracefold
