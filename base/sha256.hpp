// SHA-256 of a stream of bytes, by Nettle.
#pragma once

#include <memory>
#include <string>
#include <string_view>

namespace tracefold {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  void add(std::string_view bytes);
  std::string hex();  // once, at the end

 private:
  struct Context;
  std::unique_ptr<Context> context_;
};

// The hash of one text, as hexadecimal digits.
std::string hash_text(std::string_view text);

}  // namespace tracefold
