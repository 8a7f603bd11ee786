#include "pipeline/events/shared_identity.hpp"

#include "base/team.hpp"

#include <cstdint>
#include <string>
#include <utility>

namespace tracefold {

TraceIdentity find_identity(const Archive& archive, Team* team) {
  using Parts = std::pair<std::uint64_t, std::string>;
  auto [size, sha256] = compute_once<Parts>(team, [&] {
    auto identity = archive.identity();
    return Parts(identity.size, std::move(identity.sha256));
  });
  return {size, std::move(sha256)};
}

}  // namespace tracefold
