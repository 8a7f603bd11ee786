// A hash of sequences that can be put together from the hashes of their parts:
// H(AB) = H(A) · B^|B| + H(B) modulo the prime 2^61 − 1, and the parts of a loop from its body
// by repeated squaring. Equal sequences have equal hashes, however they are folded.
//
// It parts sequences that differ; that two are equal has to be confirmed on the sequences.
// (The papers' XOR of numbered events cancels: 20 alternating events give 0.)
//
// Source: signatures 3.1 (call-path signature).
#pragma once

#include "base/prime_field.hpp"

#include <cstdint>

namespace tracefold {

class RollingHash {
 public:
  RollingHash() = default;
  // Of a sequence of one symbol.
  explicit RollingHash(std::uint64_t symbol) : hash_(spread(symbol)), symbols_(1) {}

  // Symbols are spread, never 0, so that a sequence of the first symbol is not an empty one.
  static std::uint64_t spread(std::uint64_t symbol) { return prime_field::spread(symbol); }

  // Appends one symbol, which was spread before.
  void append_spread(std::uint64_t symbol) {
    hash_ = add(multiply(hash_, base), symbol);
    ++symbols_;
  }

  // Appends what the other one is of.
  void append(RollingHash other) {
    const auto power = other.find_power();
    hash_ = add(multiply(hash_, power), other.hash_);
    power_ = multiply(find_power(), power);
  }

  // Of the sequence `times` times one after the other.
  RollingHash repeat(std::uint64_t times) const {
    RollingHash result, doubled = *this;
    doubled.find_power();
    for (; times > 0; times >>= 1) {
      if (times & 1)
        result.append(doubled);
      doubled.append(doubled);
    }
    return result;
  }

  std::uint64_t value() const { return hash_; }
  friend bool operator==(RollingHash a, RollingHash b) {
    return a.hash_ == b.hash_ && a.find_power() == b.find_power();
  }

 private:
  static constexpr std::uint64_t base = 0x1b873593'9e3779b9u % prime_field::prime;

  static std::uint64_t add(std::uint64_t a, std::uint64_t b) { return prime_field::add(a, b); }
  static std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
    return prime_field::multiply(a, b);
  }

  // B to the power of all symbols.
  std::uint64_t find_power() {
    auto squared = base;
    for (; symbols_ > 0; symbols_ >>= 1) {
      if (symbols_ & 1)
        power_ = multiply(power_, squared);
      squared = multiply(squared, squared);
    }
    return power_;
  }

  std::uint64_t hash_ = 0;
  std::uint64_t power_ = 1;    // B to the power of the first symbols
  std::uint64_t symbols_ = 0;  // those behind them
};

}  // namespace tracefold
