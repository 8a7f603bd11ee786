// How processes are compared by the signatures of their communication. Plain data.
//
// Source: signatures 3.1 and 3.2.
#pragma once

#include <cstdint>

namespace tracefold {

enum class ClusterLevel : std::uint8_t { main, sub };
enum class ComparePeers : std::uint8_t {
  relative,  // (peer − own rank) mod P
  pattern,   // as relative, but all peers that one formula of the rank gives are equal
  ignore,
};

struct SignatureOptions {
  ClusterLevel level = ClusterLevel::sub;
  ComparePeers peers = ComparePeers::relative;
  bool compare_bytes = true;  // mean bytes of messages, with a tolerance of 5 %
  bool keep_order = true;     // false: operations are only counted

  bool operator==(const SignatureOptions&) const = default;
};

inline constexpr double bytes_tolerance = 0.05;

}  // namespace tracefold
