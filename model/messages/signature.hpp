// How processes are told apart by the signatures of their communication. Plain data.
//
// Source: signatures 3.1 and 3.2.
#pragma once

#include <cstdint>

namespace tracefold {

enum class ClusterLevel : std::uint8_t { main, sub };
enum class ComparePeers : std::uint8_t {
  relative,  // (peer − own rank) mod P
  pattern,   // as relative, but peers that one formula of the rank tells are equal
  ignore,
};

struct SignatureOptions {
  ClusterLevel level = ClusterLevel::sub;
  ComparePeers peers = ComparePeers::relative;
  bool compare_bytes = true;  // mean bytes of messages, to 5 %
  bool keep_order = true;     // else operations are counted

  bool operator==(const SignatureOptions&) const = default;
};

inline constexpr double bytes_tolerance = 0.05;

}  // namespace tracefold
