#include "model/sha256.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>

namespace tracefold {

struct Sha256::Context {
  EVP_MD_CTX* handle = EVP_MD_CTX_new();
  ~Context() { EVP_MD_CTX_free(handle); }
};

Sha256::Sha256() : context_(std::make_unique<Context>()) { EVP_DigestInit_ex(context_->handle, EVP_sha256(), nullptr); }
Sha256::~Sha256() = default;
void Sha256::add(std::string_view bytes) { EVP_DigestUpdate(context_->handle, bytes.data(), bytes.size()); }

std::string Sha256::hex() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  EVP_DigestFinal_ex(context_->handle, digest.data(), &length);
  std::string out;
  for (unsigned k = 0; k < length; ++k) out += fmt::format("{:02x}", digest[k]);
  return out;
}

}  // namespace tracefold
