// What tells whether an archive is the one that something was made from. Plain data.
#pragma once

#include <cstdint>
#include <string>

namespace tracefold {

// Tells whether a file is the one that a plan was made from.
struct TraceIdentity {
  std::uint64_t size = 0;      // bytes of anchor and global definitions
  std::uint64_t mtime_ns = 0;  // the later of both, since the epoch
  std::string sha256;          // of anchor and global definitions, hexadecimal

  bool operator==(const TraceIdentity&) const = default;
};

}  // namespace tracefold
