#include "base/sha256.hpp"

#include <fmt/format.h>
#include <nettle/sha2.h>
#include <nettle/version.h>

#include <array>

namespace tracefold {

struct Sha256::Context {
  ::sha256_ctx state;
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  ::sha256_init(&context_->state);
}
Sha256::~Sha256() = default;
void Sha256::add(std::string_view bytes) {
  ::sha256_update(&context_->state, bytes.size(),
                  reinterpret_cast<const std::uint8_t*>(bytes.data()));
}

std::string Sha256::hex() {
  std::array<std::uint8_t, SHA256_DIGEST_SIZE> digest{};
#if NETTLE_VERSION_MAJOR >= 4
  ::sha256_digest(&context_->state, digest.data());
#else
  ::sha256_digest(&context_->state, digest.size(), digest.data());
#endif
  std::string out;
  for (auto byte : digest)
    out += fmt::format("{:02x}", byte);
  return out;
}

std::string hash_text(std::string_view text) {
  Sha256 hash;
  hash.add(text);

  return hash.hex();
}

}  // namespace tracefold
